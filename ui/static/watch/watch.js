// Watching: both sides at once, live or step by step. A spectator sends nothing; the page only reads its socket.

import { seatBadge, seatName } from '/web/core/company.js';
import { conversation } from '/web/core/conversation.js';
import { showDebriefing } from '/web/core/debriefing.js';
import { api, comesFrom, el, icon, refusalNotice } from '/web/core/dom.js';
import { drawExhibit, isSideBySide } from '/web/core/exhibits.js';
import { loadHostControls, localServerHint } from '/web/core/hosting.js';
import { applyUpdate, connect, connectionLine } from '/web/core/live.js';
import { pageHeader } from '/web/core/page_header.js';
import { drawLine, isEssential, MANY, mergeLines } from '/web/core/transcript.js';
import { clock, setServerTime, stallNotice } from '/web/core/waiting.js';
import { playerName } from '/web/core/words.js';

const SPEEDS = [0.5, 1, 2, 4, 8];

export function mount(root) {
  const query = new URLSearchParams(location.search);
  if (query.has('example')) return showExample(root, query.get('example'));
  const episode = query.get('episode');
  if (!episode) return root.replaceChildren(notWatchable('No game is named in this address.'));
  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'Looking for the game …'));
  watch(root, episode, query.has('step') ? Number(query.get('step')) : null);
}

/** Show the example game of a game from its beginning. */
async function showExample(root, game) {
  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'Looking for the example …'));
  try {
    const example = await api(`/api/rules/example?game=${encodeURIComponent(game)}`);
    createReplay(root, 0, () => {}).receive({ ...example, example: true });
  } catch (error) {
    root.replaceChildren(notWatchable(error.message));
  }
}

const notWatchable = (words) => refusalNotice('You cannot watch this game', words);

function watch(root, episode, firstStep) {
  const place = `episode=${encodeURIComponent(episode)}`;
  const replay = createReplay(root, firstStep, () => socket.close());
  const socket = connect(`/ws/watch?${place}`, {
    access: `/api/access?${place}`,
    onState(next, reason) {
      if (next === 'refused' || next === 'gone') return root.replaceChildren(notWatchable(reason));
      replay.showConnection(next);
    },
    onMessage: (message) => replay.receive(message),
  });
}

/**
 * The page of a game that grows, or of one that is over: `receive` takes what a spectator's socket sends. `onOver` is
 * called when nothing more will come.
 */
function createReplay(root, firstStep, onOver) {
  /** @type {PageState} */
  let state = { lines: [], pinned: {}, seats: [], open: [], outcome: null };
  /** @type {ReturnType<typeof buildPage> | null} */
  let view = null;
  let step = 0;
  let following = firstStep === null;
  let timer = 0;
  /** @type {boolean | null} */
  let everything = null; // whether the game master's words are shown; null: not said yet

  const isShown = (line) => Boolean(everything) || isEssential(line);

  function receive(message) {
    state = applyUpdate(state, message);
    setServerTime(message.now);
    if (!view) {
      everything ??= state.seats.length <= MANY; // where many sit, they are the same words many times
      view = buildPage(root, state, controls, everything);
      step = Math.min(firstStep ?? state.lines.length, state.lines.length);
    }
    if (following) step = state.lines.length;
    paint();
    if (state.outcome) onOver();
  }

  const controls = {
    to(target) {
      step = Math.max(0, Math.min(state.lines.length, target));
      following = step === state.lines.length;
      paint();
    },
    /** Go to where so many lines are shown. */
    toShown(count) {
      const ends = state.lines.flatMap((line, index) => (isShown(line) ? [index + 1] : []));
      controls.to(count < ends.length ? (ends[count - 1] ?? 0) : Infinity);
    },
    by(steps) {
      // Steps skip lines that are hidden at the moment.
      let target = step + steps;
      while (target > 0 && target < state.lines.length && !isShown(state.lines[target - 1])) target += steps;
      pause();
      controls.to(target);
    },
    toggle: () => (timer ? pause() : play()),
    everything(isWanted) {
      everything = isWanted;
      paint();
    },
  };

  function play() {
    if (step >= state.lines.length) step = 0;
    following = false;
    const tick = () => {
      controls.to(step + 1);
      while (step < state.lines.length && !isShown(state.lines[step - 1])) controls.to(step + 1);
      if (step >= state.lines.length) return pause();
      timer = setTimeout(tick, lineDuration(state.lines[step - 1]) / (view?.speed() ?? 1));
    };
    timer = setTimeout(tick, 0);
    paint();
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    paint();
  }

  function paint() {
    const atEnd = step >= state.lines.length;
    const upTo = state.lines.slice(0, step);
    const lines = state.seats.length > MANY ? mergeLines(upTo) : upTo;
    if (!view) return;
    view.log.update(everything ? lines : lines.filter(isEssential));
    const shown = { count: upTo.filter(isShown).length, of: state.lines.filter(isShown).length };
    view.update(state, { step, shown, playing: timer !== 0, following, atEnd });
  }

  return { receive, showConnection: (next) => view?.connection.show(next) };
}

/** Milliseconds a line stays the last one at speed 1: time to read it. */
function lineDuration(line) {
  if (!isEssential(line) || line.kind === 'reasoning') return 700;
  return Math.min(5000, 1000 + 22 * (line.text ?? '').length);
}

function buildPage(root, first, controls, everything) {
  const { game, seats } = first;
  const many = seats.length > MANY;
  const order = seats.map(({ seat }) => seat);
  let latestState = first;
  let stallKey = '';
  const connection = connectionLine('Reconnecting …');
  const stalled = stallNotice();
  const status = el('span', { class: 'badge live' });
  const hostbox =
    first.host && !first.outcome
      ? createHostPanel(
          first,
          () => log,
          () => wait(latestState),
        )
      : null;
  const places = seatPlaces(seats, many);
  const board = el('section', { class: 'board', 'aria-label': 'The board', hidden: true });
  const log = conversation(
    'Conversation',
    (line) => drawLine(line, order),
    () => player.node,
  );
  const writing = writingView(order);
  log.node.append(writing.node);
  const after = el('div', { class: 'after' });
  const player = replayControls(controls, everything);
  player.node.prepend(stalled.node); // in sight wherever somebody has scrolled to
  root.classList.add('watch-page');
  root.replaceChildren(
    watchHeader(first, status, connection),
    hostbox?.node ?? '',
    el(
      'div',
      { class: `arena seats-${order.length}${many ? ' many' : ''}` },
      many ? [el('div', { class: 'seatstrip' }, places.nodes), board] : places.nodes,
      el('div', { class: 'talk' }, many ? null : board, log.node),
    ),
    after, // not beside the board, which stays in sight as long as the conversation
    player.node,
  );
  const showBoard = boardView(root, board);
  const showEnd = endView(after, game, () => !first.outcome && log.isFollowed());

  /** Show why the game waits and what can be done. Redrawn only if it changed: the host may be choosing a player. */
  function wait(state) {
    const key = JSON.stringify([state.stalled, state.silent, hostbox?.ready()]);
    if (stallKey === key) return;
    stallKey = key;
    stalled.show(state.stalled, hostbox?.waysOut(state.silent));
  }

  return {
    log,
    connection,
    speed: player.speed,
    update(state, { step, shown, playing, following, atEnd }) {
      const over = Boolean(state.outcome);
      latestState = state;
      showBoard(state.lines, step);
      places.show(state, atEnd);
      writing.show(atEnd && !over ? state.open : []);
      wait(state);
      hostbox?.update(state);
      status.textContent = over ? 'over' : state.status === 'stalled' ? 'waiting' : 'live';
      status.classList.toggle('on', !over);
      player.update({ shown, playing, following: following && !over, over });
      if (over) showEnd(state);
      after.hidden = !(over && atEnd);
      player.debrief.hidden = !over;
      document.title = `${game.title} · ${state.example ? 'Example' : over ? 'Replay' : 'Watching'} · Ludens`;
    },
  };
}

function watchHeader({ game, example, about, people, episode }, status, connection) {
  const badge = (words) => el('span', { class: 'badge' }, words);
  const hint = 'Go through it with the buttons at the lower edge, or with the arrow keys.';
  if (example)
    return pageHeader(
      game,
      [badge('example game'), rulesLink(game, 'The rules')],
      el('p', {}, about),
      el('p', { class: 'hint' }, hint),
    );
  const page = el('a', { href: `/e/${encodeURIComponent(episode)}` }, 'The whole episode');
  return pageHeader(game, [status, people ? null : badge('self-play'), page], connection.node);
}

/** The seats: who sits there, what they do now, and what lies in front of them. */
function seatPlaces(seats, many) {
  const order = seats.map(({ seat }) => seat);
  const places = seats.map(({ seat, player }, number) => {
    const place = { seat, state: el('span', {}), clock: clock(), pins: el('div', { class: 'pins' }) };
    const node = el(
      'section',
      { class: `seatbox seat-${number}`, 'aria-label': seatName(seat) },
      many && seatBadge(seat, order.toSorted()),
      el('h2', {}, seatName(seat), el('small', {}, playerName(player))),
      el('p', { class: 'seatstate' }, place.state, place.clock.node),
      place.pins,
    );
    return { ...place, node };
  });
  let drawnPins = '';
  return {
    nodes: places.map(({ node }) => node),
    show(state, atEnd) {
      const pinned = JSON.stringify(state.pinned);
      for (const { seat, pins } of pinned === drawnPins ? [] : places)
        pins.replaceChildren(...(state.pinned[seat] ?? []).map((item) => drawExhibit(titleForSpectators(item, seat))));
      drawnPins = pinned;
      const open = new Map((state.open ?? []).map((ask) => [ask.seat, ask]));
      for (const place of places) {
        const ask = atEnd && !state.outcome ? (open.get(place.seat) ?? null) : null;
        const here = state.seats.find((other) => other.seat === place.seat)?.here;
        const presence = state.outcome || here === null || here === undefined ? '' : here ? 'here' : 'not here';
        const activity = ask && (state.stalled ? 'has not answered' : activityOf(ask));
        place.state.textContent = [presence, activity].filter(Boolean).join(', ');
        place.state.classList.toggle('thinking', Boolean(ask) && !state.stalled);
        place.clock.show(ask);
        if (place.state.parentElement) place.state.parentElement.hidden = Boolean(state.outcome);
      }
    },
  };
}

/** What programs are writing now, below the conversation. It grows often, so nothing is read out before it is complete. */
function writingView(order) {
  const node = el('ol', { class: 'lines writing', 'aria-live': 'off' });
  let drawn = '[]';
  return {
    node,
    show(asks) {
      const lines = asks.flatMap(({ seat, partial = [] }) => partial.map((part) => ({ kind: 'reply', seat, ...part })));
      const key = JSON.stringify(lines);
      if (drawn === key) return;
      drawn = key;
      node.replaceChildren(...lines.map((line) => drawLine(line, order)));
    },
  };
}

/** Show the board as it was at a step; drawn again only when it changed. */
function boardView(root, board) {
  let drawn = '';
  return (lines, step) => {
    const now = lines.slice(0, step).findLast((line) => line.board)?.board ?? lines.find((line) => line.board)?.board;
    const key = JSON.stringify(now ?? null);
    if (drawn === key) return;
    drawn = key;
    board.hidden = !now;
    board.replaceChildren(...(now ?? []).map((item) => drawExhibit(item)));
    root.classList.toggle('side-by-side', isSideBySide(now ?? []));
    root.classList.toggle('has-board', Boolean(now)); // what lies on it need not be shown beside it again
  };
}

/** Show once what comes after the game, and go there where `isFollowed` says that its end is watched. */
function endView(after, game, isFollowed) {
  let isDrawn = false;
  return (state) => {
    if (isDrawn) return;
    isDrawn = true;
    if (state.example)
      return after.replaceChildren(
        el('p', { class: 'debrief', id: 'debriefing' }, state.headline),
        rulesLink(game, 'Back to the rules and questions', 'button primary'),
      );
    const query = `episode=${encodeURIComponent(state.episode)}`;
    showDebriefing(after, query, { outcome: state.outcome, again: playAgain(state) }).then(
      () => !after.hidden && isFollowed() && scrollToDebriefing(),
    );
  };
}

const scrollToDebriefing = () =>
  document.getElementById('debriefing')?.closest('.debrief')?.scrollIntoView({ block: 'start' });

const rulesLink = ({ name, variant }, words, style = '') =>
  el('a', { class: style || null, href: `/rules?${new URLSearchParams({ game: name, variant })}` }, words);

/** What a player who has been asked is doing, as far as the page knows. */
const activityOf = ({ clock: timed, loading, partial }) => {
  if (loading !== null && loading !== undefined) return 'loads its model';
  if (partial) return 'is writing';
  return timed ? 'is thinking' : 'is asked';
};

/** What to offer after a game when the server could not say it: another between the same programs. */
function playAgain({ game, seats }) {
  if (seats.some(({ player }) => player === 'person' || player.includes('/'))) return {};
  const again = Object.fromEntries(seats.map(({ seat, player }) => [seat, player]));
  return { next: { game: game.name, variant: game.variant, seats: again } };
}

/** What the host can do while watching: pass on links, seat other players, end the game. */
function createHostPanel(first, log, ready) {
  const body = el('div', { class: 'invitations' });
  const title = first.people ? 'Your table: links and seats' : 'Your table';
  const node = el(
    'details',
    { class: 'host', hidden: true },
    el('summary', {}, title),
    body,
    localServerHint && el('p', { class: 'hint' }, localServerHint),
  );
  const arrivedSeats = new Set();
  /** @type {Awaited<ReturnType<typeof loadHostControls>>} */
  let host = null;
  /** @type {string[] | null} */
  let missing = null;
  let latestState = first;
  const order = first.seats.map(({ seat }) => seat);
  loadHostControls({ episode: first.episode }, order).then((hostControls) => {
    if (!hostControls) return;
    host = hostControls;
    body.append(host.links, ...host.rest);
    node.hidden = Boolean(latestState.outcome);
    update(latestState);
    ready();
  });

  function update(state) {
    latestState = state;
    node.hidden = !host || Boolean(state.outcome);
    for (const { seat, here } of state.seats) if (here) arrivedSeats.add(seat);
    for (const { kind, seat } of state.lines) if (kind === 'reply') arrivedSeats.add(seat);
    const now = state.outcome
      ? []
      : state.seats.filter((s) => s.here === false && !arrivedSeats.has(s.seat)).map((s) => s.seat);
    log().hold(now.length > 0);
    host?.missing(now);
    if (String(now) === String(missing) || !host) return;
    node.open = now.length > 0;
    missing = now;
  }

  return { node, update, ready: () => Boolean(host), waysOut: (able) => host?.waysOut(able) };
}

/** Retitle an exhibit for spectators: "Your grid" becomes "A’s grid". */
const titleForSpectators = (item, seat) => {
  const replaceYour = (words) => words?.replace(/^your /i, `${seat}’s `);
  return { ...item, title: replaceYour(item.title), alt: replaceYour(item.alt) };
};

function replayControls(controls, everything) {
  const button = (label, iconName, onclick) =>
    el('button', { type: 'button', class: 'button', 'aria-label': label, title: label, onclick }, icon(iconName));
  const slider = el('input', { type: 'range', min: 0, max: 0, value: 0, step: 1, 'aria-label': 'Step' });
  slider.addEventListener('input', () => controls.toShown(Number(slider.value)));
  const playButton = button('Play', 'play', controls.toggle);
  playButton.classList.add('primary');
  const speed = el(
    'select',
    { 'aria-label': 'Speed', title: 'Speed' },
    SPEEDS.map((value) => el('option', { value: String(value) }, `${value}×`)),
  );
  speed.value = '1';
  const count = el('span', { class: 'count' });
  const all = el('input', { type: 'checkbox', checked: everything });
  all.addEventListener('change', () => controls.everything(all.checked));
  const debrief = el('a', { class: 'todebrief', href: '#debriefing' }, 'Debriefing ↓');
  debrief.addEventListener('click', (event) => {
    event.preventDefault();
    controls.to(Infinity);
    requestAnimationFrame(scrollToDebriefing);
  });
  const follow = el('button', { type: 'button', class: 'button follow', onclick: () => controls.to(Infinity) }, 'Live');

  addEventListener('keydown', (event) => {
    if (
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      comesFrom(event, 'input, select, textarea, button, a, dialog, summary')
    )
      return;
    const action = {
      ' ': controls.toggle,
      ArrowLeft: () => controls.by(-1),
      ArrowRight: () => controls.by(1),
      Home: () => controls.to(0),
      End: () => controls.to(Infinity),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  return {
    debrief,
    speed: () => Number(speed.value),
    node: el(
      'section',
      { class: 'transport', 'aria-label': 'Replay' },
      el(
        'div',
        { class: 'row keys' },
        button('To the start', 'first', () => controls.to(0)),
        button('One step back', 'back', () => controls.by(-1)),
        playButton,
        button('One step on', 'on', () => controls.by(1)),
        button('To the end', 'last', () => controls.to(Infinity)),
      ),
      follow,
      slider,
      count,
      speed,
      el('label', { class: 'all' }, all, el('span', {}, 'Game master’s words')),
      debrief,
    ),
    update({ shown, playing, following, over }) {
      slider.max = String(shown.of);
      slider.value = String(shown.count);
      slider.setAttribute('aria-valuetext', `${shown.count} of ${shown.of}`);
      count.textContent = `${shown.count} / ${shown.of}`;
      playButton.replaceChildren(icon(playing ? 'pause' : 'play'));
      playButton.ariaLabel = playButton.title = playing ? 'Pause' : 'Play';
      follow.hidden = over;
      follow.setAttribute('aria-pressed', String(following));
    },
  };
}
