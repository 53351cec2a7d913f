// The page of one seat: conversation, what lies in front of the seat, the form for what is asked now. It holds no rules
// and no secrets: it draws what the seat's socket sends and sends what the form gives.

import { briefingAddress, drawBriefing, drawRoles, loadBriefing } from '/web/core/briefing.js';
import { companyStrip, seatBadge, seatName } from '/web/core/company.js';
import { conversation } from '/web/core/conversation.js';
import { showDebriefing } from '/web/core/debriefing.js';
import { el, messageText, refusalNotice } from '/web/core/dom.js';
import { drawExhibit, isSideBySide } from '/web/core/exhibits.js';
import { loadHostControls, ownLinkDetails } from '/web/core/hosting.js';
import { joinQuestion, joinSeat } from '/web/core/joining.js';
import { applyUpdate, connect, connectionLine } from '/web/core/live.js';
import { messageBoard } from '/web/core/messages.js';
import { pageHeader } from '/web/core/page_header.js';
import { clock, serverNow, setServerTime, stallNotice, waitHint } from '/web/core/waiting.js';
import { RECORDING_NOTICE, unitOf } from '/web/core/words.js';
import { deliver } from '/web/table/delivery.js';
import { createDrafts } from '/web/table/drafts.js';
import { replyForm } from '/web/table/form.js';
import { leaveGame } from '/web/table/leaving.js';
import { createReport } from '/web/table/report.js';
import { beep, isSoundOn, setSound } from '/web/table/sound.js';
import { turnLimit } from '/web/table/turn_limit.js';

const RULES = 'ludens.rules';

export function mount(root) {
  const address = new URLSearchParams(location.search);
  const seat = address.get('seat');
  if (!seat) return root.replaceChildren(notYourSeat('No seat is named in this address.'));
  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'Going to the table …'));
  if (address.has('join')) {
    joinSeat(root, seat, address.get('join'), {
      onSeated: () => table(root, seat),
      onRefused: (reason) => root.replaceChildren(notYourSeat(`The server says: ${reason}.`)),
    });
  } else table(root, seat);
}

/** Why a seat is another player's after the time for a reply, by the rule of the table. */
const LATE = {
  program: 'No reply came in time, so a program plays on for you.',
  unsaid: 'No reply came in time, so the game goes on without you.',
};

/** What is shown when another player has taken the seat while its page was open. */
function takenOver(/** @type {any} */ { turn, study }) {
  const rule = turn?.limit?.rule;
  const isLate = LATE[rule] && serverNow() > turn.limit.until;
  const reason = isLate ? LATE[rule] : 'Whoever opened the table has given it to another player.';
  const way = study
    ? el('a', { class: 'button primary', href: study.url }, 'Continue with the study')
    : el('a', { class: 'button primary', href: '/' }, 'Go to the lobby');
  return el(
    'section',
    { class: 'notice', role: 'status' },
    el('h1', {}, isLate ? 'Your time was over' : 'Somebody else plays on at your seat'),
    el('p', {}, study ? reason : `${reason} What you said stays in the conversation.`),
    way,
  );
}

function notYourSeat(words) {
  const instructions =
    'A seat is opened by its link (it contains /s/). Open that link in this browser: if another browser already plays the seat, it is asked to let you in.';
  return el(
    'section',
    { class: 'notice' },
    el('h1', {}, 'Not your seat'),
    el('p', {}, words),
    el('p', {}, instructions),
    el('a', { class: 'button primary', href: '/' }, 'Go to the lobby'),
  );
}

function table(root, seat) {
  /** @type {PageState} */
  let state = { lines: [], pinned: [], others: [], ask: null, turn: null, left: null, stalled: null, outcome: null };
  /** @type {ReturnType<typeof connect>} */
  let socket;
  const drawnParts = {}; // JSON of the parts that are drawn only when they change
  /** @type {string | undefined} */
  let lastTurn;
  /** @type {ReturnType<typeof buildPage> | null} */
  let view = null;

  const draft = createDrafts(seat, () => socket);
  const form = replyForm({
    send: (ask, values, onTrouble) => deliver({ seat, ask: ask.id, values, client: report.read() }, onTrouble),
    keep: draft.keep,
    load: draft.load,
    forget: draft.forget,
    exhibits: () => state.pinned,
    begin: (ask) => report.begin(ask),
  });
  const report = createReport(seat, form.node, {
    state: () => state,
    images: () => [...root.querySelectorAll('img')],
    notify: form.notify,
  });

  const query = `seat=${encodeURIComponent(seat)}`;
  socket = connect(`/ws/seat?${query}`, { access: `/api/access?${query}`, onMessage, onState });
  const reportPresence = () => socket.send({ here: !document.hidden });
  document.addEventListener('visibilitychange', reportPresence);

  function onState(next, reason) {
    if (next === 'gone') {
      root.classList.remove('table-page');
      return root.replaceChildren(refusalNotice('This game is gone', reason));
    }
    if (next === 'refused') {
      root.classList.remove('table-page');
      return root.replaceChildren(view ? takenOver(state) : notYourSeat(`The server says: ${reason}.`));
    }
    view?.connection.show(next);
  }

  function onMessage(message) {
    state = applyUpdate(state, message);
    setServerTime(message.now);
    if (!view) {
      view = buildPage(root, state, { seat, form, leave, refresh, stillHere });
      reportPresence();
    } else if (message.from === 0) {
      reportPresence(); // a fresh connection: say whether somebody is looking
      draft.flush();
    }
    paint();
  }

  const stillHere = () => socket.send({ still_here: state.ask?.id });

  /** Redraw what looks different to the host, once the page knows that this browser is the host. */
  function refresh() {
    delete drawnParts.status;
    delete drawnParts.others;
    paint();
  }

  /** Redraw a part when its data changed, and only then. */
  function redrawIfChanged(name, data, draw) {
    const now = JSON.stringify(data ?? null);
    if (drawnParts[name] === now) return;
    drawnParts[name] = now;
    draw();
  }

  function paint() {
    const page = view;
    if (!page) return;
    const over = Boolean(state.outcome);
    const isMyTurn = state.turn?.who === 'you' && !over;
    const hasBegun = state.lines.length > 0;
    redrawIfChanged('pinned', [state.pinned, hasBegun], () => page.pin(state.pinned, hasBegun));
    redrawIfChanged('replied', hasReplied(state.lines), () => hasReplied(state.lines) && page.foldRules());
    const hasUnseenLines = page.log.update(state.lines);
    page.newer.hidden = !hasUnseenLines && (page.newer.hidden || page.log.atEnd());
    redrawIfChanged('status', [state.turn, state.left, state.stalled, state.silent, over], () => page.status(state));
    redrawIfChanged('others', [state.others, state.elsewhere], () => page.others(/** @type {any} */ (state)));
    redrawIfChanged('messages', state.study?.messages, () => page.messages?.show(state.study.messages));
    redrawIfChanged('requests', over ? [] : state.requests, () => page.question.show(over ? [] : state.requests));
    redrawIfChanged('company', [state.company, state.asked, state.others, state.turn?.who, over], () =>
      page.company.show(/** @type {any} */ (state)),
    );
    form.show(
      over ? null : state.ask,
      state.lines.filter(({ who }) => who === 'you').map(({ text }) => text.trim()),
    );
    page.dock.classList.toggle('mine', isMyTurn);
    page.dock.hidden = over;
    document.title = isMyTurn ? `● Your turn · ${state.game.title}` : `${state.game.title} · Ludens`;
    if (isMyTurn && lastTurn === 'other') beep();
    lastTurn = over ? 'over' : state.turn?.who;
    redrawIfChanged('over', over, () => over && page.finish(state));
  }

  async function leave() {
    try {
      const farewell = await leaveGame(seat, /** @type {any} */ (state), () => socket.close());
      if (!farewell) return;
      root.classList.remove('table-page');
      root.replaceChildren(farewell);
    } catch (error) {
      view?.trouble(error.message);
    }
  }
}

/** Build the page once; what changes later is reached through the returned functions. */
function buildPage(root, initialState, { seat, form, leave, refresh, stillHere }) {
  const { game } = initialState;
  const pins = el('div', { class: 'pins' });
  const pinbox = el('details', { class: 'pinbox', open: true }, el('summary', {}, 'What you see'), pins);
  // On a wide screen the summary is hidden: what was folded on a narrow one must not stay so.
  matchMedia('(min-width: 821px)').addEventListener('change', (event) => event.matches && (pinbox.open = true));
  const people = el('ul', { class: 'people' });
  const trouble = el('p', { class: 'problem', role: 'alert' });
  const invitations = el('div', { class: 'invitations' });
  const ownLink = el('div', { class: 'invitations', hidden: Boolean(initialState.study) }, ownLinkDetails(seat));
  const hostbox = el('div', { class: 'invitations' });
  /** @type {Awaited<ReturnType<typeof loadHostControls>>} */
  let host = null; // for whoever opened the table
  // Seats whose person has been here: they have their link, and find back by themselves.
  const arrivedSeats = new Set(initialState.lines.filter(({ who }) => who === 'partner').map((line) => line.seat));

  const rulesTitle = el('summary', {}, 'The rules');
  const rulesInWords = el(
    'ol',
    {},
    (game.rules ?? []).map((rule) => el('li', {}, rule)),
  );
  const rules = el(
    'details',
    { class: 'rules', open: storedRulesChoice() ?? (!hasReplied(initialState.lines) && innerWidth > 900) },
    rulesTitle,
    rulesInWords,
  );
  const roles = el(
    'details',
    { class: 'roles', open: innerWidth > 900, hidden: true },
    el('summary', {}, 'Who must do what'),
  );
  showBriefing(initialState, { rulesInWords, roles });
  rulesTitle.addEventListener('click', () => sessionStorage.setItem(RULES, String(!rules.open)));
  const sound = soundCheckbox();
  const leaveButton = el('button', { type: 'button', class: 'button danger-quiet', onclick: leave }, 'Leave the game');
  const side = el(
    'div',
    { class: 'side' },
    initialState.study && studyBar(initialState.study),
    pageHeader(game, [
      el('span', { class: 'badge' }, seatName(initialState.seat)),
      initialState.practice && el('span', { class: 'badge practice' }, 'Practice, not counted'),
      initialState.informed && el('span', { class: 'badge practice' }, 'Informed, left out of baselines'),
    ]),
    pinbox,
    el('div', { class: 'more' }, people, invitations, rules, roles, hostbox, ownLink, sound, trouble, leaveButton),
  );

  const log = conversation(
    'Conversation',
    (line) => messageItem(line, initialState),
    () => dock,
  );
  const newer = el('button', { type: 'button', class: 'newer', hidden: true }, 'New lines below ↓');
  newer.addEventListener('click', () => {
    log.toEnd();
    newer.hidden = true;
  });
  addEventListener('scroll', () => log.atEnd() && (newer.hidden = true), { passive: true });
  const turn = el('p', { class: 'turn', role: 'status' });
  const left = el('p', { class: 'left' });
  const company = companyStrip();
  const connection = connectionLine('Reconnecting … what you write is kept');
  const question = joinQuestion(seat);
  const messages =
    initialState.study && messageBoard(new URLSearchParams(initialState.study.url.split('?')[1]).get('id'));
  const stalled = stallNotice();
  const thinking = clock({ patience: true });
  const limit = turnLimit({ onStillHere: stillHere });
  const dock = el(
    'section',
    { class: 'dock', 'aria-label': 'Your reply' },
    newer,
    messages?.node,
    question.node,
    company.node,
    el('div', { class: 'statusline' }, el('div', { class: 'turnline' }, turn, thinking.node), left),
    connection.node,
    thinking.words,
    stalled.node,
    limit.node,
    form.node,
  );
  const after = el('div', { class: 'after' });
  const talk = el(
    'div',
    { class: 'talk' },
    el('h2', { class: 'visually-hidden' }, 'Conversation'),
    el('p', { class: 'recorded' }, RECORDING_NOTICE),
    log.node,
    form.rescued,
    dock,
    after,
  );
  root.classList.add('table-page');
  root.replaceChildren(side, talk);
  // The column ends where the window does, whether the navigation above it is scrolled away or not.
  const fit = () => side.style.setProperty('--room', `${Math.floor(innerHeight - side.getBoundingClientRect().top)}px`);
  addEventListener('scroll', fit, { passive: true });
  addEventListener('resize', fit);
  fit();

  const view = {
    log,
    dock,
    newer,
    company,
    connection,
    question,
    messages,
    pin(items, hasBegun) {
      const placeholder = el('p', { class: 'hint' }, 'You will see your grid or picture when it is your turn.');
      pins.replaceChildren(...(hasBegun ? items.map((item) => drawExhibit(item, { copyable: true })) : [placeholder]));
      pinbox.hidden = hasBegun && items.length === 0;
      root.classList.toggle('side-by-side', hasBegun && isSideBySide(items));
      if (items.length === 1) pinbox.querySelector('summary').textContent = items[0].title;
    },
    status(state) {
      turn.textContent = state.turn?.text ?? '';
      turn.classList.toggle('thinking', state.turn?.who === 'other' && !state.stalled);
      thinking.show(state.turn);
      limit.show(state.turn?.limit);
      left.replaceChildren(...remainingText(state.left));
      stalled.show(state.stalled, host ? host.waysOut(state.silent) : state.silent ? waitHint() : null);
    },
    foldRules() {
      if (storedRulesChoice() === null) rules.open = false;
    },
    others({ others, elsewhere }) {
      const extraItems = elsewhere ? [el('li', { class: 'here' }, 'This seat is open in another browser too')] : [];
      people.replaceChildren(
        ...(initialState.hidden_partner ? [el('li', { class: 'unmarked' }, 'Who plays with you is not shown')] : []),
        ...others.map((other) => presenceItem(other, others.length)).filter(Boolean),
        ...extraItems,
      );
      host?.missing(
        others.filter(({ seat, here }) => here === false && !arrivedSeats.has(seat)).map((other) => other.seat),
      );
      for (const { seat, here } of others) if (here) arrivedSeats.add(seat);
    },
    trouble: (words) => (trouble.textContent = words),
    finish(state) {
      root.classList.add('over');
      leaveButton.hidden = true;
      invitations.hidden = hostbox.hidden = ownLink.hidden = sound.hidden = true;
      const debriefing = el('div', {});
      after.replaceChildren(state.study ? studyContinuation(state) : '', debriefing);
      if (state.study && !state.study.debriefing) return;
      showDebriefing(debriefing, `seat=${encodeURIComponent(seat)}`, {
        outcome: state.outcome,
        seat: state.seat,
        again: playAgain(state),
        focus: !state.study,
      });
    },
  };
  const others = initialState.others.map((other) => other.seat);
  loadHostControls({ seat }, others).then((controls) => {
    host = controls;
    if (!host) return;
    invitations.append(host.links);
    hostbox.append(...host.rest);
    refresh();
  });
  return view;
}

function messageItem(line, { seat, others }) {
  const many = others.length > 1 && line.who === 'partner';
  const seats = [seat, ...others.map((other) => other.seat)].sort();
  return el(
    'li',
    { class: `bubble ${line.who}${line.private ? ' private' : ''}${many ? ' faced' : ''}` },
    many && seatBadge(line.seat, seats),
    el(
      'p',
      { class: 'who' },
      speakerText(line, others.length),
      line.private && el('span', { class: 'only' }, ' · only you and the game master see this'),
    ),
    messageText(line.text),
  );
}

/** Whose line it is and what it is: "Partner · Question", "Rose", "Rose votes for Tom". */
function speakerText({ who, seat, label }, others) {
  if (who === 'gm') return 'Game master';
  const name = who === 'you' ? 'You' : others > 1 ? seatName(seat) : 'Partner';
  if (!label || label === name) return name;
  return label.includes(name) ? label : `${name} · ${label}`;
}

/** Put the briefing above the rules in words, once it is here; a game without one keeps these as they are. */
async function showBriefing({ game, seat, study }, { rulesInWords, roles }) {
  const place = { game: game.name, variant: game.variant, seat };
  const briefing = await loadBriefing(place).catch(() => null); // a game that is gone has no briefing
  if (!briefing?.diagram) return;
  const more = el('details', { class: 'all-rules' }, el('summary', {}, 'All the rules'));
  const page = el(
    'a',
    { href: briefingAddress('/rules', place), target: '_blank' },
    'Example game and questions (new tab)',
  );
  rulesInWords.replaceWith(drawBriefing(briefing), more, study ? '' : el('p', {}, page));
  more.append(rulesInWords);
  roles.hidden = briefing.roles.length === 0;
  if (briefing.roles.length) roles.append(drawRoles(briefing.roles));
}

const hasReplied = (lines) => lines.some(({ who }) => who === 'you');

/** Whether the reader opened (true) or closed (false) the rules by hand in this tab; null if neither. */
function storedRulesChoice() {
  const chosen = sessionStorage.getItem(RULES);
  return chosen === null ? null : chosen === 'true';
}

/** Where a study goes on after a game. */
function studyContinuation({ seat, outcome, study: { url, number, of } }) {
  const words = number < of ? `That was game ${number} of ${of}.` : 'That was the last game.';
  const link = el('a', { class: 'button primary', href: url }, 'Continue with the study');
  setTimeout(() => link.focus());
  return el(
    'section',
    { class: 'study-continuation', role: 'status' },
    el('p', {}, `${endedEarly(seat, outcome) ?? 'The game is over.'} ${words}`),
    link,
  );
}

/** Why a game of a study ended before its time, for the person at a seat; null if it did not. */
function endedEarly(seat, { kind, reason, seat: cause }) {
  if (kind !== 'abandoned') return null;
  if (cause !== seat) return cause ? 'Your partner has left, so the game is over.' : null;
  return reason === 'no reply in time' ? 'No reply came in time, so the game is over.' : null;
}

/** The line above a table that belongs to a study. */
function studyBar({ title, number, of, url }) {
  document.body.classList.add('in-study');
  const way = el('a', { href: url }, 'To the study page');
  const place = number ? `game ${number} of ${of}` : 'practice game';
  return el('p', { class: 'study-bar' }, el('span', {}, `${title} · ${place}`), way);
}

/** What to offer after a game when the server could not say it: the same game in the same company, and the replay. */
function playAgain({ game, seat, others, episode }) {
  const company = others.map((other) => [other.seat, typeof other.here === 'boolean' ? 'invite' : 'scripted']);
  const seats = Object.fromEntries([[seat, 'person'], ...company].sort());
  return {
    next: { game: game.name, variant: game.variant, seats },
    watch: episode && `/watch?episode=${encodeURIComponent(episode)}&step=0`,
  };
}

function remainingText(left) {
  if (!left) return [];
  const words = `You may ${left.verb ?? 'ask'} ${left.left || 'no'} more ${unitOf(left.left, left.what)}`;
  const pips = el('span', { class: 'pips', 'aria-hidden': 'true' });
  if (left.of <= 8)
    for (let i = 0; i < left.of; i += 1) pips.append(el('i', { class: i < left.left ? 'pip' : 'pip spent' }));
  return [pips, words];
}

function presenceItem({ seat, here, handed }, count) {
  const who = count > 1 ? seatName(seat) : 'Your partner';
  if (handed) return el('li', { class: 'handed' }, `A program plays on for ${count > 1 ? who : 'your partner'}`);
  if (here === null || here === undefined) return null;
  return el('li', { class: here ? 'here' : 'away' }, here ? `${who} is here` : `${who} is not here at the moment`);
}

function soundCheckbox() {
  const box = el('input', { type: 'checkbox', id: 'sound', ...(isSoundOn() ? { checked: true } : {}) });
  box.addEventListener('change', () => {
    setSound(box.checked);
    beep();
  });
  return el('label', { class: 'sound', for: 'sound' }, box, el('span', {}, 'A sound when it is my turn'));
}
