// The page of one seat: conversation, what lies in front of the seat, the form for what is asked now. It holds no rules
// and no secrets: it draws what the seat's socket says and sends what the form gives.

import { companyStrip, face, seatName } from '/web/core/company.js';
import { conversation } from '/web/core/conversation.js';
import { debriefing } from '/web/core/debriefing.js';
import { el, refusal, said } from '/web/core/dom.js';
import { drawExhibit, isSideBySide } from '/web/core/exhibits.js';
import { hosting } from '/web/core/hosting.js';
import { connectionLine, live, updated } from '/web/core/live.js';
import { titled } from '/web/core/page_header.js';
import { clock, others as patience, setNow, standstill } from '/web/core/waiting.js';
import { RECORDED } from '/web/core/words.js';
import { deliver } from '/web/table/delivery.js';
import { drafts } from '/web/table/drafts.js';
import { replyForm } from '/web/table/form.js';
import { departure } from '/web/table/leaving.js';
import { beep, soundWanted, wantSound } from '/web/table/sound.js';

const RULES = 'ludens.rules';

export function mount(root) {
  const seat = new URLSearchParams(location.search).get('seat');
  if (!seat) return root.replaceChildren(nobody('No seat is named in this address.'));
  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'Going to the table …'));
  table(root, seat);
}

function nobody(words, lost = false) {
  const how =
    'A seat is opened by its link (it contains /s/). Open that link in this browser once, and this page works from then on.';
  return el(
    'section',
    { class: 'notice' },
    el('h1', {}, lost ? 'Somebody else plays on at your seat' : 'Not your seat'),
    el('p', {}, words),
    lost ? null : el('p', {}, how),
    el('a', { class: 'button primary', href: '/' }, 'Go to the lobby'),
  );
}

function table(root, seat) {
  let state = { lines: [], pinned: [], others: [], ask: null, turn: null, left: null, stalled: null, outcome: null };
  let socket = null;
  const drawn = {}; // JSON of the parts that are drawn only when they change
  let turnWas = null;
  let view = null;

  const draft = drafts(seat, () => socket);
  const form = replyForm({
    send: (ask, values, onTrouble) => deliver({ seat, ask: ask.id, values }, onTrouble),
    keep: draft.keep,
    load: draft.load,
    forget: draft.forget,
    exhibits: () => state.pinned,
  });

  const place = `seat=${encodeURIComponent(seat)}`;
  socket = live(`/ws/seat?${place}`, { access: `/api/access?${place}`, onMessage, onState });
  const here = () => socket.send({ here: !document.hidden });
  document.addEventListener('visibilitychange', here);

  function onState(next, why) {
    if (next === 'gone') {
      root.classList.remove('table-page');
      return root.replaceChildren(refusal('This game is gone', why));
    }
    if (next === 'refused') {
      const lost = 'Whoever opened the table has given it to another player. What you said stays in the conversation.';
      root.classList.remove('table-page');
      return root.replaceChildren(view ? nobody(lost, true) : nobody(`The server says: ${why}.`));
    }
    view?.connection.show(next);
  }

  function onMessage(message) {
    state = updated(state, message);
    setNow(message.now);
    if (!view) {
      view = frame(root, state, { seat, form, leave, refresh });
      here();
    } else if (message.from === 0) {
      here(); // a fresh connection: say whether somebody is looking
      draft.flush();
    }
    paint();
  }

  /** Draw anew what looks different to whoever opened the table, once that is known. */
  function refresh() {
    delete drawn.status;
    delete drawn.others;
    paint();
  }

  /** Redraw a part when its data changed, and only then. */
  function when(name, data, draw) {
    const now = JSON.stringify(data ?? null);
    if (drawn[name] === now) return;
    drawn[name] = now;
    draw();
  }

  function paint() {
    const over = Boolean(state.outcome);
    const mine = state.turn?.who === 'you' && !over;
    const begun = state.lines.length > 0;
    when('pinned', [state.pinned, begun], () => view.pin(state.pinned, begun));
    when('replied', replied(state.lines), () => replied(state.lines) && view.foldRules());
    const missed = view.log.update(state.lines);
    view.newer.hidden = !missed && (view.newer.hidden || view.log.atEnd());
    when('status', [state.turn, state.left, state.stalled, state.silent, over], () => view.status(state));
    when('others', [state.others, state.elsewhere], () => view.others(state));
    when('company', [state.company, state.asked, state.others, state.turn?.who, over], () => view.company.show(state));
    form.show(
      over ? null : state.ask,
      state.lines.filter(({ who }) => who === 'you').map(({ text }) => text.trim()),
    );
    view.dock.classList.toggle('mine', mine);
    view.dock.hidden = over;
    document.title = mine ? `● Your turn · ${state.game.title}` : `${state.game.title} · Ludens`;
    if (mine && turnWas === 'other') beep();
    turnWas = over ? 'over' : state.turn?.who;
    when('over', over, () => over && view.finish(state));
  }

  async function leave() {
    try {
      const gone = await departure(seat, state, () => socket.close());
      if (!gone) return;
      root.classList.remove('table-page');
      root.replaceChildren(gone);
    } catch (error) {
      view.trouble(error.message);
    }
  }
}

/** Build the page once; what changes later is reached through the returned functions. */
function frame(root, first, { seat, form, leave, refresh }) {
  const { game } = first;
  const pins = el('div', { class: 'pins' });
  const pinbox = el('details', { class: 'pinbox', open: true }, el('summary', {}, 'What you see'), pins);
  // On a wide screen the summary is hidden: what was folded on a narrow one must not stay so.
  matchMedia('(min-width: 821px)').addEventListener('change', (event) => event.matches && (pinbox.open = true));
  const people = el('ul', { class: 'people' });
  const trouble = el('p', { class: 'problem', role: 'alert' });
  const invitations = el('div', { class: 'invitations' });
  const hostbox = el('div', { class: 'invitations' });
  let host = null; // for whoever opened the table
  // Seats whose person has been here: they have their link, and find back by themselves.
  const met = new Set(first.lines.filter(({ who }) => who === 'partner').map((line) => line.seat));

  const rulesTitle = el('summary', {}, 'The rules in plain words');
  const rules = el(
    'details',
    { class: 'rules', open: ownChoice() ?? (!replied(first.lines) && innerWidth > 900) },
    rulesTitle,
    el(
      'ol',
      {},
      (game.rules ?? []).map((rule) => el('li', {}, rule)),
    ),
  );
  rulesTitle.addEventListener('click', () => sessionStorage.setItem(RULES, String(!rules.open)));
  const sound = soundSwitch();
  const leaveButton = el('button', { type: 'button', class: 'button danger-quiet', onclick: leave }, 'Leave the game');
  const side = el(
    'div',
    { class: 'side' },
    titled(game, [
      el('span', { class: 'badge' }, seatName(first.seat)),
      first.practice && el('span', { class: 'badge practice' }, 'Practice, not counted'),
      first.informed && el('span', { class: 'badge practice' }, 'Informed, left out of baselines'),
    ]),
    pinbox,
    el('div', { class: 'more' }, people, invitations, rules, hostbox, sound, trouble, leaveButton),
  );

  const log = conversation(
    'Conversation',
    (line) => bubble(line, first),
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
  const stalled = standstill();
  const thinking = clock({ patience: true });
  const dock = el(
    'section',
    { class: 'dock', 'aria-label': 'Your reply' },
    newer,
    company.node,
    el('div', { class: 'statusline' }, el('div', { class: 'turnline' }, turn, thinking.node), left),
    connection.node,
    thinking.words,
    stalled.node,
    form.node,
  );
  const after = el('div', { class: 'after' });
  const talk = el(
    'div',
    { class: 'talk' },
    el('h2', { class: 'visually-hidden' }, 'Conversation'),
    el('p', { class: 'recorded' }, RECORDED),
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
    pin(items, begun) {
      const soon = el('p', { class: 'hint' }, 'You will see your grid or picture when it is your turn.');
      pins.replaceChildren(...(begun ? items.map((item) => drawExhibit(item, { copyable: true })) : [soon]));
      pinbox.hidden = begun && items.length === 0;
      root.classList.toggle('side-by-side', begun && isSideBySide(items));
      if (items.length === 1) pinbox.querySelector('summary').textContent = items[0].title;
    },
    status(state) {
      turn.textContent = state.turn?.text ?? '';
      turn.classList.toggle('thinking', state.turn?.who === 'other' && !state.stalled);
      thinking.show(state.turn);
      left.replaceChildren(...remaining(state.left));
      stalled.show(state.stalled, host ? host.waysOut(state.silent) : state.silent ? patience() : null);
    },
    foldRules() {
      if (ownChoice() === null) rules.open = false;
    },
    others({ others, elsewhere }) {
      const also = elsewhere ? [el('li', { class: 'here' }, 'This seat is open in another browser too')] : [];
      people.replaceChildren(...others.map((other) => presence(other, others.length)).filter(Boolean), ...also);
      host?.missing(others.filter(({ seat, here }) => here === false && !met.has(seat)).map((other) => other.seat));
      for (const { seat, here } of others) if (here) met.add(seat);
    },
    trouble: (words) => (trouble.textContent = words),
    finish(state) {
      root.classList.add('over');
      leaveButton.hidden = true;
      invitations.hidden = hostbox.hidden = sound.hidden = true;
      debriefing(after, `seat=${encodeURIComponent(seat)}`, {
        outcome: state.outcome,
        seat: state.seat,
        again: playAgain(state),
        focus: true,
      });
    },
  };
  const others = first.others.map((other) => other.seat);
  hosting({ seat }, others).then((found) => {
    host = found;
    if (!host) return;
    invitations.append(host.links);
    hostbox.append(...host.rest);
    refresh();
  });
  return view;
}

function bubble(line, { seat, others }) {
  const many = others.length > 1 && line.who === 'partner';
  const seats = [seat, ...others.map((other) => other.seat)].sort();
  return el(
    'li',
    { class: `bubble ${line.who}${line.private ? ' private' : ''}${many ? ' faced' : ''}` },
    many && face(line.seat, seats),
    el(
      'p',
      { class: 'who' },
      speaker(line, others.length),
      line.private && el('span', { class: 'only' }, ' · only you and the game master see this'),
    ),
    said(line.text),
  );
}

/** Whose line it is and what it is: "Partner · Question", "Rose", "Rose votes for Tom". */
function speaker({ who, seat, label }, others) {
  if (who === 'gm') return 'Game master';
  const name = who === 'you' ? 'You' : others > 1 ? seatName(seat) : 'Partner';
  if (!label || label === name) return name;
  return label.includes(name) ? label : `${name} · ${label}`;
}

const replied = (lines) => lines.some(({ who }) => who === 'you');

/** Whether somebody opened (true) or folded (false) the rules by hand in this tab; null if neither. */
function ownChoice() {
  const chosen = sessionStorage.getItem(RULES);
  return chosen === null ? null : chosen === 'true';
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

function remaining(left) {
  if (!left) return [];
  const one = left.what.replace(/s$/, '');
  const words =
    left.left === 0
      ? `You may ${left.verb ?? 'ask'} no more ${left.what}`
      : `You may ${left.verb ?? 'ask'} ${left.left} more ${left.left === 1 ? one : left.what}`;
  const pips = el('span', { class: 'pips', 'aria-hidden': 'true' });
  if (left.of <= 8)
    for (let i = 0; i < left.of; i += 1) pips.append(el('i', { class: i < left.left ? 'pip' : 'pip spent' }));
  return [pips, words];
}

function presence({ seat, here, handed }, count) {
  const who = count > 1 ? seatName(seat) : 'Your partner';
  if (handed) return el('li', { class: 'handed' }, `A program plays on for ${count > 1 ? who : 'your partner'}`);
  if (here === null || here === undefined) return null;
  return el('li', { class: here ? 'here' : 'away' }, here ? `${who} is here` : `${who} is not here at the moment`);
}

function soundSwitch() {
  const box = el('input', { type: 'checkbox', id: 'sound', ...(soundWanted() ? { checked: true } : {}) });
  box.addEventListener('change', () => {
    wantSound(box.checked);
    beep();
  });
  return el('label', { class: 'sound', for: 'sound' }, box, el('span', {}, 'A sound when it is my turn'));
}
