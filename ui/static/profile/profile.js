// The profile of this browser: its open games, how it did in each game, its ratings, and its history. All of it can be
// removed, one game at a time or at once.

import { seatName } from '/web/core/company.js';
import { api, el } from '/web/core/dom.js';
import { connect } from '/web/core/live.js';
import { ownGameRows } from '/web/core/own_games.js';
import { privacyDetails } from '/web/core/privacy.js';

const AT_ONCE = 20; // games of the history that are shown at a time

export async function mount(root) {
  const open = el('section', { 'aria-labelledby': 'open', hidden: true });
  let profile;
  try {
    profile = await api('/api/profile');
  } catch (error) {
    root.replaceChildren(el('h1', {}, 'My games'), el('p', { class: 'problem', role: 'alert' }, error.message));
    return;
  }
  const heading = el('h1', {}, 'My games');
  const hint = el(
    'p',
    { class: 'hint' },
    'Everything played in this browser. There is no account: a cookie finds your games again.',
  );
  const privacy = privacyDetails();
  const draw = (profile) => root.replaceChildren(heading, hint, open, ...playedGames(profile), privacy);
  draw(profile);
  /** @type {{mine: any[], opened: any[]}} */
  let lists = { mine: [], opened: [] };
  connect('/ws/lobby', {
    onState() {},
    async onMessage(message) {
      const before = lists.mine;
      lists = { ...lists, ...message };
      drawOpenGames(open, lists);
      if (before.every(({ id }) => lists.mine.some((game) => game.id === id))) return;
      profile = await api('/api/profile').catch(() => profile);
      draw(profile); // one of them is over: it belongs to the history now
    },
  });
}

/** The parts of the page about games that are over. */
function playedGames({ games, history }) {
  const ratings = el('div', {});
  showRatings(ratings, games);
  return [...(games.length ? [resultsTable(games)] : []), ratings, historySection(history)];
}

function drawOpenGames(place, { mine, opened }) {
  const rows = ownGameRows({ mine, opened, played: [] });
  place.hidden = rows.length === 0;
  place.replaceChildren(el('h2', { id: 'open' }, 'In progress'), el('ul', { class: 'rows' }, rows));
}

const table = (title, columns, rows) =>
  el(
    'section',
    {},
    el('h2', {}, title),
    el(
      'div',
      { class: 'sideways', role: 'region', tabindex: '0', 'aria-label': title },
      el(
        'table',
        { class: 'plain' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            columns.map((column) => el('th', { scope: 'col' }, column)),
          ),
        ),
        el('tbody', {}, rows),
      ),
    ),
  );

const row = (name, values) =>
  el(
    'tr',
    {},
    el('th', { scope: 'row' }, name),
    values.map((value) => el('td', {}, String(value))),
  );

/** How the games ended; what never happened has no column, so that the table fits on a phone. */
function resultsTable(games) {
  const columns = { played: 'Played', won: 'Won', lost: 'Lost', aborted: 'Ended early', abandoned: 'Not finished' };
  const names = Object.keys(columns).filter((name, index) => index < 3 || games.some((game) => game[name] > 0));
  return table(
    'Results',
    ['Game', ...names.map((name) => columns[name])],
    games.map((game) =>
      row(
        game.title,
        names.map((name) => game[name]),
      ),
    ),
  );
}

/** Show ratings per game and role, each with its 95 % interval, if there are any; nothing else waits for them. */
async function showRatings(place, games) {
  const answer = await api('/api/me/ratings').catch(() => ({ ratings: [] }));
  if (!answer.ratings.length) return;
  const titles = new Map(games.map(({ game, title }) => [game, title]));
  place.append(
    table(
      'Ratings',
      ['Game', 'Variant', 'Role', 'Rating', '95 % interval', 'Games'],
      answer.ratings.map(({ game, variant, role, rating, low, high, n, prior_only: isAlone }) =>
        row(titles.get(game) ?? game, [
          variant,
          role ? seatName(role) : '',
          isAlone ? 'not known yet' : whole(rating),
          isAlone ? '' : `${whole(low)} to ${whole(high)}`,
          n,
        ]),
      ),
    ),
    el(
      'p',
      { class: 'hint' },
      'In points: 400 more means odds ten times as good. ',
      el('a', { href: '/results' }, 'Everybody’s ratings'),
    ),
  );
}

const whole = (points) => (points === null ? '–' : String(Math.round(points)));

/** The games that are over, newest first, some at a time. */
function historySection(history) {
  const list = el('ul', { class: 'rows' });
  const more = el('button', { type: 'button', class: 'button' }, 'Show more');
  let shown = 0;
  const show = () => {
    list.append(...ownGameRows({ mine: [], opened: [], played: history.slice(shown, shown + AT_ONCE) }));
    shown += AT_ONCE;
    more.hidden = shown >= history.length;
  };
  more.addEventListener('click', show);
  show();
  return el(
    'section',
    { 'aria-labelledby': 'history' },
    el('h2', { id: 'history' }, 'History'),
    history.length ? list : el('p', { class: 'none' }, 'No game is over yet. ', el('a', { href: '/' }, 'Play one')),
    more,
  );
}
