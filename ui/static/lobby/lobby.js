// The lobby: a tile for each game, seats that are free now, one's own games, and what can be watched. Tables are set up in
// a dialog (options.js), strangers find each other in another (queue.js).

import { api, el, formatAge } from '/web/core/dom.js';
import { answerButtons } from '/web/core/joining.js';
import { connect } from '/web/core/live.js';
import { gameName, ownGameRows } from '/web/core/own_games.js';
import { privacyDetails } from '/web/core/privacy.js';
import { fileAddress } from '/web/core/styles.js';
import { playerName, RECORDING_NOTICE } from '/web/core/words.js';
import { chooseOptions, rulesAddress } from '/web/lobby/options.js';
import { findPartner } from '/web/lobby/queue.js';
import { openTable } from '/web/lobby/tables.js';

const MANY = 2; // more seats than this are counted, not listed
const SHOWN_SEATS = 3; // free seats and games in which it is one's turn, in the small panel
const SHOWN_GAMES = 5;
const SHOWN_TO_WATCH = 3;

export function mount(root) {
  /** @type {any} */
  let state = { games: [], mine: [], opened: [], running: [], finished: [], played: [], free: [], asking: [] };
  const places = {
    asking: el('section', { class: 'asking', 'aria-labelledby': 'asking', hidden: true }),
    gallery: el('div', { class: 'gallery' }),
    now: el('section', { class: 'now', 'aria-labelledby': 'now' }),
    mine: el('section', { class: 'mine', 'aria-labelledby': 'mine', hidden: true }),
    watching: el('section', { class: 'watching', 'aria-labelledby': 'watching' }),
  };
  let drawnRequests = '';
  const paint = () => {
    const requests = JSON.stringify(state.asking);
    if (requests !== drawnRequests) drawRequests(places.asking, state.asking); // else a focused button would go
    drawnRequests = requests;
    drawNow(places.now, state);
    drawOwnGames(places.mine, state);
    drawWatching(places.watching, state);
  };

  async function load() {
    try {
      state = { ...state, ...(await api('/api/lobby')) };
    } catch (error) {
      const again = el('button', { type: 'button', class: 'button', onclick: load }, 'Try again');
      root.replaceChildren(el('p', { class: 'problem', role: 'alert' }, error.message), again);
      return;
    }
    places.gallery.replaceChildren(...state.games.map((game) => tile(game, state)), places.now);
    paint();
    const below = el('div', { class: 'below' }, places.mine, places.watching);
    root.replaceChildren(header(state), places.asking, places.gallery, below, footer());
  }

  load();
  connect('/ws/lobby', {
    onState() {},
    onMessage(message) {
      state = { ...state, ...message };
      if (root.firstChild) paint();
    },
  });
  addEventListener('pageshow', (event) => event.persisted && load());
}

const header = ({ games, admin }) =>
  el(
    'header',
    { class: 'welcome' },
    el('h1', {}, 'Play'),
    el('p', {}, 'Short games of words and pictures, with a person, a program or a language model.'),
    !games.length &&
      el(
        'p',
        { class: 'problem' },
        'There is no game on this server.',
        admin && ' `ludens doctor` says what is missing.',
      ),
  );

const footer = () =>
  el(
    'footer',
    { class: 'small-print' },
    el('details', {}, el('summary', {}, 'What is recorded'), el('p', { class: 'recorded' }, RECORDING_NOTICE)),
    privacyDetails(),
  );

// ---------------------------------------------------------------------------------------------------- the gallery
/** A game in the gallery: one button starts it with a program, another finds a person, a third opens the options. */
function tile(game, state) {
  const id = `game-${game.name}`;
  const problem = el('p', { class: 'problem', role: 'alert' });
  const { seats } = game.variants[0];
  const play = el('button', { type: 'button', class: 'button primary', 'aria-label': `Play ${game.title}` }, 'Play');
  play.addEventListener('click', () => openTable(quickStart(game), play, problem));
  const partner =
    seats.length > 1 &&
    el(
      'button',
      { type: 'button', class: 'button', 'aria-label': `Play ${game.title} with a person` },
      'With a person',
    );
  if (partner) partner.addEventListener('click', () => findPartner(game, game.start.variant));
  const options = el(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `Options for ${game.title}`, 'aria-haspopup': 'dialog' },
    'Options',
  );
  options.addEventListener('click', () => chooseOptions(game, state));
  const rulesLink = {
    href: rulesAddress(game),
    'aria-label': `${game.title}: rules in 20 seconds`,
  };
  return el(
    'section',
    { class: 'tile', 'aria-labelledby': id },
    game.tile
      ? el('img', { src: fileAddress(game.tile), alt: '', width: 320, height: 180 })
      : el('div', { class: 'no-picture', 'aria-hidden': 'true' }, game.title.charAt(0)),
    el('h2', { id }, game.title),
    el('p', { class: 'line' }, game.tagline),
    el('p', { class: 'facts' }, el('span', {}, facts(game)), el('a', rulesLink, 'Rules'), options),
    el('div', { class: 'row' }, play, partner),
    problem,
  );
}

const facts = ({ variants: [{ seats }], minutes }) =>
  [seats.length === 1 ? '1 player' : `${seats.length} players`, minutes && `${minutes} min`]
    .filter(Boolean)
    .join(' · ');

/** What to post for a game with programs that starts at once. */
function quickStart({ name, start, variants }) {
  const { seats } = variants[0];
  const mine = start.seat ?? seats[Math.floor(Math.random() * seats.length)];
  const players = Object.fromEntries(seats.map((seat) => [seat, seat === mine ? 'person' : 'scripted']));
  return { game: name, variant: start.variant, seats: players };
}

// ---------------------------------------------------------------------------------------------------- what is on now
/** The last cell of the gallery: games in which it is my turn, and seats that are free. */
function drawNow(place, { games, mine, free }) {
  const turns = mine.filter((game) => game.turn === 'you' && !game.stalled);
  const rest = (list) =>
    list.length > SHOWN_SEATS && el('p', { class: 'hint' }, `and ${list.length - SHOWN_SEATS} more`);
  place.classList.toggle('idle', !turns.length && !free.length);
  place.replaceChildren(
    ...(turns.length
      ? [el('h2', {}, 'Your turn'), el('ul', {}, turns.slice(0, SHOWN_SEATS).map(turnRow)), rest(turns)].filter(Boolean)
      : []),
    el('h2', { id: 'now' }, 'Open seats'),
    ...(free.length
      ? [
          el(
            'ul',
            {},
            free.slice(0, SHOWN_SEATS).map((seat) => freeSeatRow(seat, games)),
          ),
          rest(free),
        ].filter(Boolean)
      : [el('p', { class: 'hint' }, 'Nobody is waiting right now.', ...(turns.length ? [] : QUEUE_HINT))]),
  );
}

const QUEUE_HINT = [
  ' Press ',
  el('b', {}, 'With a person'),
  ' and you are listed here for others. If nobody comes within 20 seconds, a program plays with you.',
];

const turnRow = (game) =>
  el(
    'li',
    {},
    el('span', {}, el('b', {}, game.title), ` ${game.variant_title} · ${formatAge(game.started)}`),
    el('a', { class: 'button', href: `/table?seat=${encodeURIComponent(game.id)}` }, 'Continue'),
  );

/** A seat that somebody offers: of a table that is open (`id`), or beside somebody who waits in the queue. */
function freeSeatRow(offer, games) {
  const button = el(
    'button',
    { type: 'button', class: 'button', 'aria-label': `Join a game of ${offer.title}` },
    'Join',
  );
  const problem = el('p', { class: 'problem', role: 'alert' });
  button.addEventListener('click', async () => {
    const game = games.find(({ name }) => name === offer.game);
    if (!offer.id) return findPartner(game, offer.variant);
    button.disabled = true;
    try {
      location.assign((await api('/api/join', { seat: offer.id })).go);
    } catch (error) {
      problem.textContent = [error.message, error.why].filter(Boolean).join(' ');
      button.disabled = false;
    }
  });
  const seat = offer.seat?.length > 1 && `as ${offer.seat}`;
  const about = [offer.variant_title, offer.id ? seat : 'somebody waits'].filter(Boolean).join(' · ');
  return el('li', {}, el('span', {}, el('b', {}, offer.title), ` ${about}`), button, problem);
}

// ---------------------------------------------------------------------------------------------------- lists
/** My games: those that are open, my turn first, then the last that ended. */
function drawOwnGames(place, state) {
  const rows = ownGameRows(state, SHOWN_GAMES);
  place.hidden = rows.length === 0;
  place.replaceChildren(
    el(
      'div',
      { class: 'heading' },
      el('h2', { id: 'mine' }, 'My games'),
      el('a', { href: '/profile' }, 'All my games and results'),
    ),
    el('ul', { class: 'rows' }, rows),
  );
}

/** Games of programs: what runs now, else a button that starts one, and what ended last. */
function drawWatching(place, { games, running, finished, played }) {
  const own = new Set(played.map((game) => game.episode));
  const over = finished.filter((game) => !own.has(game.episode));
  place.replaceChildren(
    el('h2', { id: 'watching' }, 'Watch'),
    el(
      'ul',
      { class: 'rows' },
      games.length &&
        el('li', {}, el('p', { class: 'about meta' }, 'See how two programs play.'), watchButton(games[0])),
      running.slice(0, SHOWN_TO_WATCH).map(runningRow),
      over.slice(0, SHOWN_TO_WATCH).map(finishedRow),
    ),
  );
}

function watchButton(game) {
  const button = el('button', { type: 'button', class: 'button' }, 'Watch two programs');
  const problem = el('p', { class: 'problem', role: 'alert' });
  const seats = Object.fromEntries(game.variants[0].seats.map((seat) => [seat, 'scripted']));
  button.addEventListener('click', () => openTable({ game: game.name, variant: null, seats }, button, problem));
  return [button, problem];
}

const watchAddress = (game) => `/watch?episode=${encodeURIComponent(game.episode)}`;

const runningRow = (game) =>
  el(
    'li',
    {},
    el(
      'div',
      { class: 'about' },
      gameName(game),
      el('span', { class: 'badge on' }, 'playing now'),
      el('p', { class: 'meta' }, `${describePlayers(game.seats)} · ${game.asks} replies`),
    ),
    el('a', { class: 'button', href: watchAddress(game) }, 'Watch'),
  );

const finishedRow = (game) =>
  el(
    'li',
    {},
    el(
      'div',
      { class: 'about' },
      gameName(game),
      el('p', { class: 'meta' }, `${describePlayers(game.seats)} · ${formatAge(game.ended)}`),
    ),
    el('a', { class: 'button', href: `${watchAddress(game)}&step=0` }, 'Replay'),
  );

/** Who plays, seat by seat; where many sit, how many of each. */
function describePlayers(seats) {
  const players = Object.values(seats ?? {}).map(playerName);
  const counts = new Map();
  for (const player of players) counts.set(player, (counts.get(player) ?? 0) + 1);
  if (players.length <= MANY && counts.size > 1) return players.join(' and ');
  return [...counts].map(([player, count]) => (count > 1 ? `${count} × ${player}` : player)).join(' · ');
}

/** Browsers that wait for a seat, to the owner of the server: where the first browser is gone, nobody else can answer. */
function drawRequests(place, requests) {
  place.hidden = requests.length === 0;
  place.replaceChildren(
    el('h2', { id: 'asking' }, 'Somebody asks to come in'),
    el(
      'p',
      { class: 'hint' },
      'Another browser has opened the link of a seat that is taken. The person who plays there is asked as well. Let it in only if you know who it is: it then sees all of that seat.',
    ),
    el(
      'ul',
      { class: 'rows' },
      requests.map((waiting) => {
        const id = `asks-${waiting.request}`;
        const meta = el('span', { class: 'meta' }, ` seat ${waiting.seat} · ${formatAge(waiting.since)}`);
        const words = el('span', { id }, gameName(waiting), meta);
        return el('li', {}, words, ...answerButtons(waiting.id, waiting.request, id));
      }),
    ),
  );
}
