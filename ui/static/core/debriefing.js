// The debriefing: both sides beside each other with their differences, who decided what, the score and how it came
// about, published figures, and what to do next. Fetched only after the outcome; drawn below the conversation.
import { formatValue, lineChart } from '/web/core/charts.js';
import { seatName } from '/web/core/company.js';
import { api, el } from '/web/core/dom.js';
import { drawExhibit, loadExhibits } from '/web/core/exhibits.js';
import { publishing } from '/web/core/privacy.js';
import { playerName } from '/web/core/words.js';

const FOLD = 8; // so many published figures are shown at once
const WHO = { you: 'You', partner: 'Your partner' };
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * Fetch /api/debrief?QUERY and draw it into `place`. `outcome`, `again` and the reader's own `seat` (if any) are what the
 * page knows already: they are shown also when the debriefing cannot be made. With `apart`, growth and what to do next stand
 * elsewhere on the page. Resolves to what was fetched, null where that failed.
 */
export async function debriefing(
  place,
  query,
  { outcome = null, seat = null, again = {}, focus = false, apart = false } = {},
) {
  const title = el('h2', { tabindex: '-1', id: 'debriefing' }, 'The game is over');
  place.replaceChildren(
    el(
      'section',
      { class: 'debrief', 'aria-labelledby': 'debriefing' },
      title,
      el('p', { role: 'status' }, 'Looking at both sides …'),
    ),
  );
  let data;
  try {
    data = await api(`/api/debrief?${query}`);
    await loadExhibits(data.panels ?? []);
  } catch (error) {
    const retry = () => debriefing(place, query, { outcome, seat, again, focus, apart });
    title.textContent = headline(null, outcome, seat);
    place.replaceChildren(
      el(
        'section',
        { class: `debrief ${outcome?.kind ?? ''}`, 'aria-labelledby': 'debriefing' },
        title,
        el('p', { class: 'problem', role: 'alert' }, `${FAILED} ${error.message}`),
        next(again, el('button', { type: 'button', class: 'button', onclick: retry }, 'Try to make it again')),
      ),
    );
    attend();
    return null;
  }
  data.failed = !data.panels && !data.decisions && !data.score; // the server had only the outcome to give
  title.textContent = headline(data.failed ? null : data.headline, data.outcome ?? outcome, seat);
  const section = draw(title, data, apart);
  place.replaceChildren(section);
  publishing(query).then(
    (control) => control && section.insertBefore(control, section.querySelector(':scope > .next')),
  );
  attend();
  return data;

  /** Lead whoever has played to the headline; somebody who is busy elsewhere keeps the focus. */
  function attend() {
    if (!focus) return;
    const { activeElement: at, body } = document;
    if (!at || at === body || place.contains(at)) title.focus({ preventScroll: true });
    title.scrollIntoView({ block: 'start' });
  }
}

const FAILED = 'The debriefing could not be made.';
const ENDED = {
  success: 'The game was won.',
  lose: 'The game was lost.',
  decided: 'The game is decided.',
  aborted: 'The game was aborted: the rules of form were broken.',
  abandoned: 'The game was left before its end.',
};

/** How it ended, said to whoever sat at `seat` (nobody: null); `words` are the game's own, if there are any. */
function headline(words, outcome, seat) {
  const { kind, winner, sides } = outcome ?? {};
  const won = { success: true, lose: false, decided: sides?.[winner]?.includes(seat) }[kind];
  if (seat === null || won === undefined) return words ?? ENDED[kind] ?? 'The game is over.';
  const you = won ? 'You won' : 'You lost';
  return words ? `${you}: ${words.charAt(0).toLowerCase()}${words.slice(1)}` : `${you}.`;
}

function draw(title, data, apart) {
  const experiment = data.experiment_title ?? data.experiment;
  const about = [
    data.truth && `The truth: ${data.truth}.`,
    experiment && `Experiment: ${experiment} (instance ${data.instance}).`,
  ]
    .filter(Boolean)
    .join(' ');
  return el(
    'section',
    { class: `debrief ${data.outcome?.kind ?? ''}`, 'aria-labelledby': 'debriefing' },
    title,
    about && el('p', { class: 'about' }, about),
    data.failed && el('p', { class: 'problem' }, `${FAILED} The whole conversation is kept all the same.`),
    data.panels?.length && sides(data),
    data.steps?.items?.length && steps(data.steps),
    data.decisions?.length && decisions(data.decisions),
    data.score && score(data.score, apart),
    data.published?.rows?.length && published(data.published, data.score),
    !apart && next(data.again ?? {}),
  );
}

function sides(data) {
  const mine = data.decisions?.find(({ who }) => who === 'you')?.seat;
  const differences = data.differences; // missing where a game does not compare its panels
  const words = differences?.length
    ? [
        el('h3', {}, 'Where they differ'),
        el(
          'ul',
          {},
          differences.map((text) => el('li', {}, text)),
        ),
      ]
    : [el('p', {}, 'There is no difference between the two.')];
  return el(
    'div',
    { class: 'compare' },
    el(
      'div',
      { class: 'panels' },
      data.panels.map((panel) =>
        drawExhibit({ ...panel, title: mine && panel.seat === mine ? `${panel.title} (yours)` : panel.title }),
      ),
    ),
    differences && el('div', { class: 'differences' }, words),
  );
}

/** What was done, one by one, each judged: {title, items: [{text, good}]}. */
function steps({ title, items }) {
  const item = ({ text, good }) => el('li', { class: good ? 'right' : good === false ? 'wrong' : '' }, text);
  return el('div', { class: 'steps' }, el('h3', {}, title), el('ol', {}, items.map(item)));
}

function decisions(list) {
  const rows = list.map(({ seat, who, text, correct }) => {
    const verdict = correct === true ? '✓ right' : correct === false ? '✗ wrong' : '';
    return el(
      'li',
      { class: correct === true ? 'right' : correct === false ? 'wrong' : '' },
      el('span', { class: 'who' }, `${WHO[who] ?? capital(playerName(who))} (${seat})`),
      el('span', { class: 'text' }, text ?? 'did not decide'),
      el('span', { class: 'verdict' }, verdict),
    );
  });
  return el('div', { class: 'decisions' }, el('h3', {}, 'Who decided what'), el('ul', {}, rows));
}

/** What each side of a game against each other has: [{side, value, seats}]. */
const sideScores = (sides) =>
  el(
    'ul',
    { class: 'sidescores' },
    sides.map(({ side, value, seats }) =>
      el(
        'li',
        { class: value > 0 ? 'won' : '' },
        el('strong', {}, formatValue(value)),
        el('b', {}, side),
        el('span', { class: 'hint' }, seats.map(seatName).join(', ')),
      ),
    ),
  );

function score({ main, name, sides, how, numbers, curves }, apart) {
  return el(
    'div',
    { class: 'score' },
    el('h3', {}, 'The score'),
    sides?.length
      ? sideScores(sides)
      : el('p', { class: 'main' }, el('strong', {}, formatValue(main)), el('span', {}, name ?? 'main score')),
    how?.length &&
      el(
        'ul',
        { class: 'how' },
        how.map((line) => el('li', {}, line)),
      ),
    !apart && curves?.length > 0 && curves[0].values.length > 1 && lineChart(curves),
    numbers?.length &&
      el(
        'details',
        {},
        el('summary', {}, 'More numbers'),
        el(
          'dl',
          {},
          numbers.map(({ label, value }) => el('div', {}, el('dt', {}, label), el('dd', {}, formatValue(value)))),
        ),
      ),
  );
}

function published({ caption, source, rows }, own) {
  const all = [...rows];
  if (typeof own?.main === 'number') all.unshift({ model: 'This one game', value: own.main, own: true });
  const bars = all.map(({ model, value, own: mine }) => {
    const bar = el('span', { class: 'bar', 'aria-hidden': 'true' }, el('i'));
    bar.firstChild.style.width = `${Math.max(0, Math.min(100, value))}%`;
    return el(
      'li',
      { class: mine ? 'own' : '' },
      el('span', { class: 'model' }, model),
      bar,
      el('span', { class: 'value' }, formatValue(value)),
    );
  });
  return el(
    'div',
    { class: 'published' },
    el('h3', {}, 'Beside published models'),
    el('p', { class: 'hint' }, caption),
    el('ul', {}, bars.slice(0, FOLD)),
    bars.length > FOLD &&
      el('details', {}, el('summary', {}, `${bars.length - FOLD} more`), el('ul', {}, bars.slice(FOLD))),
    source && el('p', { class: 'hint' }, source),
  );
}

function next(again, first = null) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const open = (label, body, kind) => {
    const button = el('button', { type: 'button', class: `button ${kind}` }, label);
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        location.assign((await api('/api/tables', body)).go);
      } catch (error) {
        problem.textContent = error.message;
        button.disabled = false;
      }
    });
    return button;
  };
  return el(
    'div',
    { class: 'next' },
    el('h3', { class: 'visually-hidden' }, 'What next?'),
    el(
      'div',
      { class: 'row' },
      first,
      again.next && open('Play again', again.next, 'primary'),
      again.swap &&
        open(
          `Same again from ${Object.keys(again.swap.seats).length > 2 ? 'another' : 'the other'} seat`,
          again.swap,
          '',
        ),
      again.download && el('a', { class: 'button', href: again.download, download: true }, 'Download this game'),
      again.watch &&
        location.pathname !== '/watch' &&
        el('a', { class: 'button', href: again.watch }, 'Watch it step by step'),
      again.page && el('a', { class: 'button', href: again.page }, 'The whole episode'),
      el('a', { class: 'button', href: '/' }, 'Lobby'),
    ),
    problem,
  );
}
