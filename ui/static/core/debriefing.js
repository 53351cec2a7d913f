// The debriefing: how it ended in a sentence, what to play next, how others did on the same instance, both sides with their
// differences, who decided what and why, the score, published figures. Fetched only after the outcome.
import { formatValue, lineChart } from '/web/core/charts.js';
import { seatName } from '/web/core/company.js';
import { api, el } from '/web/core/dom.js';
import { drawExhibit, isSideBySide, loadExhibits } from '/web/core/exhibits.js';
import { publishingControl } from '/web/core/publishing.js';
import { recordSeries } from '/web/core/series.js';
import { playerName } from '/web/core/words.js';

const VISIBLE_ROWS = 8; // so many published figures are shown at once
const PLAYER_NAMES = { you: 'You', partner: 'Your partner' };
const capitalise = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @typedef {{node: HTMLElement, ask(isSwapped: boolean): void}} Rematch */

/** What the page knows already. With `apart`, growth and what to do next stand elsewhere on the page. */
const DEFAULTS = {
  outcome: /** @type {any} */ (null),
  seat: /** @type {string | null} */ (null),
  again: /** @type {any} */ ({}),
  focus: false,
  apart: false,
  rematch: /** @type {Rematch | null} */ (null), // where another person played
  series: false, // whether this browser counts how games end
};

/**
 * Fetch /api/debrief?QUERY and draw it into `container`. `outcome`, `again` and the reader's own `seat` (if any) are shown
 * also when the debriefing cannot be made. Resolves to what was fetched, null where that failed.
 */
export async function showDebriefing(container, query, /** @type {Partial<typeof DEFAULTS>} */ given = {}) {
  const options = { ...DEFAULTS, ...given };
  const { outcome, seat } = options;
  const title = el('h2', { tabindex: '-1', id: 'debriefing' }, 'The game is over');
  const section = (kind, ...children) =>
    el('section', { class: `debrief ${kind ?? ''}`, 'aria-labelledby': 'debriefing' }, title, ...children);
  container.replaceChildren(section('', el('p', { role: 'status' }, 'Looking at both sides …')));
  let data;
  try {
    data = await api(`/api/debrief?${query}`);
    await loadExhibits(data.panels ?? []);
  } catch (error) {
    title.textContent = headline(null, outcome, seat);
    const retry = el('button', { type: 'button', class: 'button' }, 'Try to make it again');
    retry.addEventListener('click', () => showDebriefing(container, query, given));
    container.replaceChildren(
      section(
        outcome?.kind,
        nextGames(options.again, options, retry),
        el('p', { class: 'problem', role: 'alert' }, `${FAILED} ${error.message}`),
      ),
    );
    moveFocus(container, title, options.focus);
    return null;
  }
  data.failed = !data.panels && !data.decisions && !data.score; // the server had only the outcome to give
  const end = data.outcome ?? outcome;
  title.textContent = data.headline_you ?? headline(data.failed ? null : data.headline, end, seat);
  const drawn = section(end?.kind, ...content(data, options, end));
  container.replaceChildren(drawn);
  publishingControl(query, data.again?.episode).then((control) => control && drawn.append(control));
  moveFocus(container, title, options.focus);
  return data;
}

/** Move the focus to the headline, unless the reader is busy elsewhere on the page. */
function moveFocus(container, title, isWanted) {
  if (!isWanted) return;
  const { activeElement: focused, body } = document;
  if (!focused || focused === body || container.contains(focused)) title.focus({ preventScroll: true });
  title.parentElement.scrollIntoView({ block: 'start' }); // with the margin above it
}

const FAILED = 'The debriefing could not be made.';
const OUTCOMES = {
  success: 'The game was won.',
  lose: 'The game was lost.',
  decided: 'The game is decided.',
  aborted: 'The game was aborted: the rules of form were broken.',
  abandoned: 'The game was left before its end.',
};

/** Whether the player at `seat` has won; undefined where there is nothing to win. */
export const hasWon = (outcome, seat) =>
  ({ success: true, lose: false, decided: outcome?.sides?.[outcome.winner]?.includes(seat) })[outcome?.kind];

/** How it ended, for the player at `seat` (null for a spectator). `words` is the game's own headline, if it has one. */
function headline(words, outcome, seat) {
  const won = hasWon(outcome, seat);
  if (seat === null || won === undefined) return words ?? OUTCOMES[outcome?.kind] ?? 'The game is over.';
  const you = won ? 'You won' : 'You lost';
  return words ? `${you}: ${words.charAt(0).toLowerCase()}${words.slice(1)}` : `${you}.`;
}

function content(data, options, outcome) {
  const tally = options.series && recordSeries(data, hasWon(outcome, options.seat));
  const separate = options.apart;
  return [
    data.truth && el('p', { class: 'about' }, `${capitalise(data.truth)}.`),
    tally && el('p', { class: 'series', role: 'status' }, tally),
    !separate && nextGames(data.again ?? {}, options),
    data.failed && el('p', { class: 'problem' }, `${FAILED} The whole conversation is kept all the same.`),
    data.same_instance && sameInstance(data.same_instance),
    data.panels?.length && sides(data, options.seat),
    data.reasons?.length && reasons(data.reasons),
    data.steps?.items?.length && steps(data.steps),
    data.decisions?.length && decisions(data.decisions),
    data.score && score(data.score, separate),
    data.published?.rows?.length && published(data.published, data.score),
    data.instance && details(data),
  ];
}

function sides(data, seat) {
  const ownSeat = data.decisions?.find(({ who }) => who === 'you')?.seat;
  const panels = data.panels.map((panel) => markOwnPlace(panel, seat));
  const differences = data.differences; // missing where a game does not compare its panels
  const words = differences?.length
    ? [
        el('h3', {}, 'Where they differ'),
        el(
          'ul',
          {},
          differences.map((text) => el('li', {}, text)),
        ),
        data.panels.some((panel) => panel.boxes?.length) && framesCheckbox(),
      ]
    : [el('p', {}, 'There is no difference between the two.')];
  return el(
    'div',
    { class: 'compare' },
    el(
      'div',
      { class: isSideBySide(data.panels) ? 'panels three' : 'panels' },
      panels.map((panel) =>
        drawExhibit({ ...panel, title: ownSeat && panel.seat === ownSeat ? `${panel.title} (yours)` : panel.title }),
      ),
    ),
    differences && el('div', { class: 'differences' }, words),
  );
}

/** Say in a diagram of who voted for or spoke of whom which place is the reader's. */
function markOwnPlace(panel, seat) {
  if (!panel.arrows) return panel;
  const mark = (node) => (node.id === seat ? { ...node, note: ['you', node.note].filter(Boolean).join(': ') } : node);
  return { ...panel, arrows: { ...panel.arrows, nodes: panel.arrows.nodes.map(mark) } };
}

/** The frames can be taken away, to look at what they mark. */
function framesCheckbox() {
  const box = el('input', { type: 'checkbox', checked: true });
  box.addEventListener('change', () => box.closest('.compare')?.classList.toggle('unframed', !box.checked));
  return el('label', { class: 'sound' }, box, el('span', {}, 'Frames around the differences'));
}

/** How others on this server did on the same instance: {rows: [{who, seats, games, won, mean, episodes}], hidden}. */
function sameInstance({ rows, sides: sideWins, hidden }) {
  const item = ({ title, games, won, mean, episodes }) =>
    el(
      'li',
      {},
      el('b', {}, title),
      el(
        'span',
        {},
        `${won === null ? '' : `${won} of ${games} won`}${mean === null ? '' : ` · mean score ${formatValue(mean)}`}`,
      ),
      el(
        'span',
        { class: 'links' },
        episodes.map((id, number) => el('a', { href: `/e/${encodeURIComponent(id)}` }, `game ${number + 1}`)),
      ),
    );
  return el(
    'div',
    { class: 'same-instance' },
    el('h3', {}, 'How others did on exactly this one'),
    rows.length ? el('ul', {}, rows.map(item)) : el('p', {}, 'No other game of it on this server can be shown yet.'),
    sideWins?.length > 0 &&
      el('p', {}, sideWins.map(({ side, won, games }) => `${side} won ${won} of ${games}`).join(' · ')),
    hidden > 0 && el('p', { class: 'hint' }, 'Private games and games in play are not counted here.'),
  );
}

const reasons = (list) =>
  el(
    'div',
    { class: 'reasons' },
    el('h3', {}, list.length > 1 ? 'Why they decided as they did' : 'Why your partner decided as it did'),
    list.map(({ seat, text }) => el('p', {}, `The scripted player (seat ${seat}): ${text}`)),
  );

const details = (data) =>
  el(
    'details',
    {},
    el('summary', {}, 'Details'),
    el(
      'p',
      { class: 'hint' },
      [
        `Experiment: ${data.experiment_title ?? data.experiment}.`,
        `Instance: ${data.instance}.`,
        data.again?.episode && `Episode: ${data.again.episode}.`,
      ]
        .filter(Boolean)
        .join(' '),
    ),
  );

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
    return el(
      'li',
      { class: ownSeat ? 'own' : '' },
      el('span', { class: 'model' }, model),
      el('progress', { max: 100, value: Math.max(0, Math.min(100, value)), 'aria-hidden': 'true' }),
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

/** Buttons for another game, and where to look at this one. `first` comes before them. */
function nextGames(games, { rematch, seat }, first = /** @type {HTMLElement | null} */ (null)) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const open = (label, body, kind = '') => {
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
  const ask = (label, isSwapped, kind = '') =>
    el('button', { type: 'button', class: `button ${kind}`, onclick: () => rematch?.ask(isSwapped) }, label);
  const mayRematch = rematch && games.next;
  const link = (href, label, more = {}) => el('a', { class: 'button', href, ...more }, label);
  const other = games.other;
  return el(
    'div',
    { class: 'next' },
    el('h3', { class: 'visually-hidden' }, 'What next?'),
    el(
      'div',
      { class: 'row' },
      first,
      mayRematch && ask('Rematch', false, 'primary'),
      mayRematch && games.swap && ask('Rematch, seats swapped', true),
      games.next &&
        open(mayRematch ? 'Play with somebody else' : 'Play again', games.next, mayRematch ? '' : 'primary'),
      !mayRematch && games.swap && open('Swap seats', games.swap),
      seat !== null && other && open(`Next game: ${other.title}`, other.body),
    ),
    rematch?.node,
    el(
      'div',
      { class: 'row quiet-row' },
      games.watch && location.pathname !== '/watch' && link(games.watch, 'Watch it step by step'),
      games.page && link(games.page, 'The whole episode'),
      games.download && link(games.download, 'Download this game', { download: true }),
      link('/', 'Lobby'),
    ),
    problem,
  );
}
