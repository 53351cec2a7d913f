// The debriefing: both sides with their differences, who decided what, the score and how it came
// about, published figures, and what to do next. Fetched only after the outcome; drawn below the conversation.
import { formatValue, lineChart } from '/web/core/charts.js';
import { seatName } from '/web/core/company.js';
import { api, el } from '/web/core/dom.js';
import { drawExhibit, loadExhibits } from '/web/core/exhibits.js';
import { publishingControl } from '/web/core/privacy.js';
import { playerName } from '/web/core/words.js';

const VISIBLE_ROWS = 8; // so many published figures are shown at once
const PLAYER_NAMES = { you: 'You', partner: 'Your partner' };
const capitalise = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * Fetch /api/debrief?QUERY and draw it into `place`. `outcome`, `again` and the reader's own `seat` (if any) are what the
 * page knows already: they are shown also when the debriefing cannot be made. With `apart`, growth and what to do next stand
 * elsewhere on the page. Resolves to what was fetched, null where that failed.
 */
export async function showDebriefing(
  container,
  query,
  {
    outcome = /** @type {any} */ (null),
    seat = null,
    again: nextGames = {},
    focus = false,
    apart: separate = false,
  } = {},
) {
  const title = el('h2', { tabindex: '-1', id: 'debriefing' }, 'The game is over');
  container.replaceChildren(
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
    const retry = () => showDebriefing(container, query, { outcome, seat, again: nextGames, focus, apart: separate });
    title.textContent = headline(null, outcome, seat);
    container.replaceChildren(
      el(
        'section',
        { class: `debrief ${outcome?.kind ?? ''}`, 'aria-labelledby': 'debriefing' },
        title,
        el('p', { class: 'problem', role: 'alert' }, `${FAILED} ${error.message}`),
        next(nextGames, el('button', { type: 'button', class: 'button', onclick: retry }, 'Try to make it again')),
      ),
    );
    moveFocus();
    return null;
  }
  data.failed = !data.panels && !data.decisions && !data.score; // the server had only the outcome to give
  title.textContent = headline(data.failed ? null : data.headline, data.outcome ?? outcome, seat);
  const section = draw(title, data, separate);
  container.replaceChildren(section);
  publishingControl(query).then(
    (control) => control && section.insertBefore(control, section.querySelector(':scope > .next')),
  );
  moveFocus();
  return data;

  /** Move the focus to the headline, unless the reader is busy elsewhere on the page. */
  function moveFocus() {
    if (!focus) return;
    const { activeElement: focused, body } = document;
    if (!focused || focused === body || container.contains(focused)) title.focus({ preventScroll: true });
    title.scrollIntoView({ block: 'start' });
  }
}

const FAILED = 'The debriefing could not be made.';
const OUTCOMES = {
  success: 'The game was won.',
  lose: 'The game was lost.',
  decided: 'The game is decided.',
  aborted: 'The game was aborted: the rules of form were broken.',
  abandoned: 'The game was left before its end.',
};

/** How it ended, for the player at `seat` (null for a spectator). `words` is the game's own headline, if it has one. */
function headline(words, outcome, seat) {
  const { kind, winner, sides } = outcome ?? {};
  const hasWon = { success: true, lose: false, decided: sides?.[winner]?.includes(seat) }[kind];
  if (seat === null || hasWon === undefined) return words ?? OUTCOMES[kind] ?? 'The game is over.';
  const you = hasWon ? 'You won' : 'You lost';
  return words ? `${you}: ${words.charAt(0).toLowerCase()}${words.slice(1)}` : `${you}.`;
}

function draw(title, data, separate) {
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
    data.score && score(data.score, separate),
    data.published?.rows?.length && published(data.published, data.score),
    !separate && next(data.again ?? {}),
  );
}

function sides(data) {
  const ownSeat = data.decisions?.find(({ who }) => who === 'you')?.seat;
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
        drawExhibit({ ...panel, title: ownSeat && panel.seat === ownSeat ? `${panel.title} (yours)` : panel.title }),
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
      el('span', { class: 'who' }, `${PLAYER_NAMES[who] ?? capitalise(playerName(who))} (${seat})`),
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

function score({ main, name, sides, how, numbers, curves }, separate) {
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
    !separate && curves?.length > 0 && curves[0].values.length > 1 && lineChart(curves),
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
  const entries = [...rows];
  if (typeof own?.main === 'number') entries.unshift({ model: 'This one game', value: own.main, own: true });
  const bars = entries.map(({ model, value, own: ownSeat }) => {
    const bar = el('span', { class: 'bar', 'aria-hidden': 'true' }, el('i'));
    bar.firstChild.style.width = `${Math.max(0, Math.min(100, value))}%`;
    return el(
      'li',
      { class: ownSeat ? 'own' : '' },
      el('span', { class: 'model' }, model),
      bar,
      el('span', { class: 'value' }, formatValue(value)),
    );
  });
  return el(
    'div',
    { class: 'published' },
    el('h3', {}, 'Compared with published models'),
    el('p', { class: 'hint' }, caption),
    el('ul', {}, bars.slice(0, VISIBLE_ROWS)),
    bars.length > VISIBLE_ROWS &&
      el(
        'details',
        {},
        el('summary', {}, `${bars.length - VISIBLE_ROWS} more`),
        el('ul', {}, bars.slice(VISIBLE_ROWS)),
      ),
    source && el('p', { class: 'hint' }, source),
  );
}

function next(nextGames, first = null) {
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
      nextGames.next && open('Play again', nextGames.next, 'primary'),
      nextGames.swap &&
        open(
          `Same again from ${Object.keys(nextGames.swap.seats).length > 2 ? 'another' : 'the other'} seat`,
          nextGames.swap,
          '',
        ),
      nextGames.download &&
        el('a', { class: 'button', href: nextGames.download, download: true }, 'Download this game'),
      nextGames.watch &&
        location.pathname !== '/watch' &&
        el('a', { class: 'button', href: nextGames.watch }, 'Watch it step by step'),
      nextGames.page && el('a', { class: 'button', href: nextGames.page }, 'The whole episode'),
      el('a', { class: 'button', href: '/' }, 'Lobby'),
    ),
    problem,
  );
}
