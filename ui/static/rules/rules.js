// A game's rules in 20 seconds: the briefing, an example game, questions with feedback, and a practice game.
import { briefingAddress, drawBriefing, drawRoles, loadBriefing } from '/web/core/briefing.js';
import { seatName } from '/web/core/company.js';
import { api, el, refusalNotice } from '/web/core/dom.js';
import { pageHeader } from '/web/core/page_header.js';

export function mount(root) {
  const query = new URLSearchParams(location.search);
  const place = { game: query.get('game'), variant: query.get('variant'), seat: query.get('seat') };
  if (!place.game) return root.replaceChildren(refusalNotice('No game', 'No game is named in this address.'));
  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'Looking for the rules …'));
  show(root, place);
}

async function show(root, place) {
  try {
    const briefing = await loadBriefing(place);
    document.title = `Rules of ${briefing.game.title} · Ludens`;
    root.replaceChildren(...drawPage(briefing, (change) => move(root, { ...place, ...change })));
  } catch (error) {
    root.replaceChildren(refusalNotice('These rules cannot be shown', error.message));
  }
}

/** Show another variant or seat; the address says which, and the choice keeps the focus. */
async function move(root, place) {
  const focused = document.activeElement?.id;
  history.replaceState(null, '', briefingAddress('/rules', place));
  await show(root, place);
  if (focused) document.getElementById(focused)?.focus();
}

function drawPage(briefing, change) {
  const { game, seat, rules, roles, questions } = briefing;
  const place = { game: game.name, variant: game.variant, seat };
  return [
    pageHeader({ title: `${game.title}: the rules in 20 seconds` }, []),
    el('p', { class: 'lead' }, game.blurb),
    choices(briefing, change),
    el('section', { 'aria-label': 'The rules' }, drawBriefing(briefing), roles.length > 0 && drawRoles(roles)),
    rules.length > 0 &&
      el(
        'details',
        { class: 'all-rules' },
        el('summary', {}, 'All the rules'),
        rules.map((rule) => el('p', {}, rule)),
      ),
    briefing.has_example && exampleSection(game),
    questions.length > 0 && questionSection(questions, place),
    practiceSection(briefing),
  ].filter(Boolean);
}

/** Which variant and which seat the rules are for, where there is a choice. */
function choices({ game, seat, variants, seats }, change) {
  const select = (id, label, options, value, name) => {
    const node = el(
      'select',
      { id },
      options.map(([each, title]) => el('option', { value: each }, title)),
    );
    node.value = value;
    node.addEventListener('change', () => change({ [name]: node.value }));
    return el('div', { class: 'field' }, el('label', { for: id }, label), node);
  };
  const variantOptions = variants.map((variant) => [variant.name, variant.title]);
  const seatOptions = [['', 'Any seat'], ...seats.map((each) => [each, seatName(each)])];
  return el(
    'div',
    { class: 'row choices' },
    variants.length > 1 && select('rules-variant', 'Variant', variantOptions, game.variant, 'variant'),
    seats.length > 1 && select('rules-seat', 'You play', seatOptions, seat ?? '', 'seat'),
  );
}

const exampleSection = (game) =>
  el(
    'section',
    { 'aria-labelledby': 'example' },
    el('h2', { id: 'example' }, 'See a game'),
    el('p', {}, 'A short example, one step at a time. It shows both sides, which players do not see.'),
    el(
      'p',
      {},
      el('a', { class: 'button', href: `/watch?example=${encodeURIComponent(game.name)}` }, 'Step through an example'),
    ),
  );

function questionSection(questions, place) {
  const done = el('p', { class: 'hint', role: 'status' });
  let right = 0;
  const solve = () => {
    right += 1;
    done.textContent = `${right} of ${questions.length} answered`;
  };
  return el(
    'section',
    { 'aria-labelledby': 'questions' },
    el('h2', { id: 'questions' }, 'Try it'),
    el('p', {}, 'Is everything clear? Nothing is recorded here, and you can try as often as you like.'),
    el(
      'ol',
      { class: 'questions' },
      questions.map((question, index) => el('li', {}, questionForm(question, index, place, solve))),
    ),
    done,
  );
}

/** One question: a choice is checked at once; a wrong one can be changed, the right one stays. */
function questionForm({ question, choices }, index, place, onSolved) {
  const feedback = el('p', { class: 'feedback', role: 'status' });
  const buttons = choices.map((words, choice) => {
    const button = el('button', { type: 'button', class: 'button answer' }, words);
    button.addEventListener('click', () => check(button, choice));
    return button;
  });

  async function check(button, choice) {
    if (button.getAttribute('aria-disabled')) return;
    const address = briefingAddress('/api/rules/answer', place);
    try {
      const answer = await api(`${address}&question=${index}&choice=${choice}`);
      feedback.className = `feedback ${answer.right ? 'right' : 'wrong'}`;
      feedback.textContent = answer.right ? `Right. ${answer.feedback}` : 'Not this one. Try again.';
      button.classList.add(answer.right ? 'right' : 'wrong');
      button.setAttribute('aria-disabled', 'true');
      if (!answer.right) return;
      for (const each of buttons) each.setAttribute('aria-disabled', 'true');
      onSolved();
    } catch (error) {
      feedback.className = 'feedback wrong';
      feedback.textContent = error.message;
    }
  }

  return el(
    'fieldset',
    {},
    el('legend', {}, `${index + 1}. ${question}`),
    el('div', { class: 'row' }, buttons),
    feedback,
  );
}

/** A practice game with scripted players in the other seats. */
function practiceSection({ game, seat, seats, has_practice: hasPractice }) {
  const mine = seat ?? seats[0];
  const company = Object.fromEntries(seats.map((each) => [each, each === mine ? 'person' : 'scripted']));
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button primary' }, 'Start a practice game');
  button.addEventListener('click', async () => {
    problem.textContent = '';
    button.disabled = true;
    try {
      const body = { game: game.name, variant: game.variant, seats: company, practice: true };
      location.assign((await api('/api/tables', body)).go);
    } catch (error) {
      problem.textContent = [error.message, error.why].filter(Boolean).join('. ');
    }
    setTimeout(() => (button.disabled = false), 1500); // also after success: people come back with Back
  });
  const partners = seats.length > 2 ? 'The others are scripted players.' : 'Your partner is a scripted player.';
  return el(
    'section',
    { 'aria-labelledby': 'practice' },
    el('h2', { id: 'practice' }, 'Practise'),
    el(
      'p',
      {},
      seats.length > 1 ? `You play as ${seatName(mine)}. ${partners} ` : '',
      hasPractice
        ? 'Practice games are not counted, and what you are dealt is used for practice only.'
        : 'Practice games are not counted.',
    ),
    el('div', { class: 'row' }, button, el('a', { class: 'button', href: '/' }, 'Go to the lobby')),
    problem,
  );
}
