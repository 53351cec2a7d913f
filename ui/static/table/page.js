// The parts of a seat's page and how they lie on it. Built once; what changes later is reached through what `buildPage`
// returns. It knows no rules: it shows what the server sent.

import { briefingAddress, drawBriefing, drawRoles, loadBriefing } from '/web/core/briefing.js';
import { companyStrip, seatName } from '/web/core/company.js';
import { showDebriefing } from '/web/core/debriefing.js';
import { el } from '/web/core/dom.js';
import { drawExhibit, isSideBySide } from '/web/core/exhibits.js';
import { loadHostControls, ownLinkDetails } from '/web/core/hosting.js';
import { joinQuestion } from '/web/core/joining.js';
import { connectionLine } from '/web/core/live.js';
import { messageBoard } from '/web/core/messages.js';
import { pageHeader } from '/web/core/page_header.js';
import { clock, stallNotice, waitHint } from '/web/core/waiting.js';
import { RECORDING_NOTICE, unitOf } from '/web/core/words.js';
import { rematchBar } from '/web/table/rematch.js';
import { beep, isSoundOn, setSound } from '/web/table/sound.js';
import { tableTalk } from '/web/table/talk.js';
import { turnLimit } from '/web/table/turn_limit.js';

const RULES = 'ludens.rules';

/** Lay out the page of a seat. The callbacks are what its buttons do. */
export function buildPage(root, initialState, { seat, form, leave, refresh, stillHere }) {
  const exhibits = exhibitColumn(root);
  const people = el('ul', { class: 'people' });
  const trouble = el('p', { class: 'problem', role: 'alert' });
  const rules = rulesDetails(initialState, form);
  const host = hostTools(seat, initialState, { form, refresh });
  const dock = replyDock(initialState, { seat, form, stillHere, showRules: rules.show });
  const talk = tableTalk(initialState, dock.node, (isUnseen) => dock.newer(isUnseen));
  dock.onNewer(talk.toEnd);
  const leaveButton = el('button', { type: 'button', class: 'button danger-quiet', onclick: leave }, 'Leave the game');
  const menu = tableMenu([...host.menu, soundCheckbox()]);
  const bar = el(
    'div',
    { class: 'table-bar' },
    pageHeader(initialState.game, badges(initialState)),
    el('div', { class: 'row' }, menu, leaveButton),
  );
  const more = el('div', { class: 'more' }, people, host.invitations, rules.waiting, rules.node, trouble);
  const after = el('div', { class: 'after' });
  const recorded = el('p', { class: 'recorded' }, RECORDING_NOTICE);
  const heading = el('h2', { class: 'visually-hidden' }, 'Conversation');
  root.classList.add('table-page');
  root.replaceChildren(
    ...(initialState.study ? [studyBar(initialState.study)] : []),
    bar,
    el('div', { class: 'side' }, exhibits.node, rules.roles),
    el('div', { class: 'talk' }, heading, more, recorded, talk.node, form.rescued, dock.node, after),
  );
  const rematch = rematchBar(seat);
  return {
    ...dock.parts,
    dock: dock.node,
    pin: exhibits.pin,
    goal: (goal) => showGoal(dock.goal, goal),
    begin: (lines) => rules.begin(lines),
    converse: talk.update,
    status: (state) => dock.status(state, host),
    others(state) {
      showPeople(people, state);
      host.others(state.others);
    },
    trouble: (words) => (trouble.textContent = words),
    rematch: rematch.show,
    finish(state) {
      root.classList.add('over');
      leaveButton.hidden = menu.hidden = recorded.hidden = host.invitations.hidden = true;
      rules.fold();
      finish(after, state, seat, rematch);
    },
  };
}

const badges = ({ seat, practice, informed }) => [
  el('span', { class: 'badge' }, seatName(seat)),
  practice && el('span', { class: 'badge practice' }, 'Practice, not counted'),
  informed && el('span', { class: 'badge practice' }, 'Not counted: you know what kind of game this is'),
];

function showGoal(node, goal) {
  node.hidden = !goal;
  const { text, count } = goal ?? {};
  node.replaceChildren(
    ...[text && el('strong', {}, text), count && el('span', { class: 'count' }, count)].filter(Boolean),
  );
}

/** What lies in front of the seat. A picture alone gets all the room there is. */
function exhibitColumn(root) {
  const pins = el('div', { class: 'pins' });
  const node = el('details', { class: 'pinbox', open: true }, el('summary', {}, 'What you see'), pins);
  // On a wide screen the summary is hidden: what was folded on a narrow one must not stay so.
  matchMedia('(min-width: 821px)').addEventListener('change', (event) => event.matches && (node.open = true));
  return {
    node,
    pin(items, hasBegun) {
      pins.replaceChildren(...(hasBegun ? items.map((item) => drawExhibit(item, { copyable: true })) : []));
      node.hidden = !hasBegun || items.length === 0;
      const picture = hasBegun && items.find((item) => item.picture);
      root.classList.toggle('side-by-side', hasBegun && isSideBySide(items));
      root.classList.toggle('with-picture', Boolean(picture) && !isSideBySide(items));
      if (picture) root.style.setProperty('--ratio', String(picture.width / picture.height));
      if (items.length === 1) node.querySelector('summary').textContent = items[0].title;
    },
  };
}

/** The rules: open until the first reply, unless the reader has opened or closed them by hand in this tab. */
function rulesDetails(state, form) {
  const chosen = () => sessionStorage.getItem(RULES);
  const title = el('summary', {}, 'The rules');
  const words = el(
    'ol',
    {},
    (state.game.rules ?? []).map((rule) => el('li', {}, rule)),
  );
  const rules = el('details', { class: 'rules' }, title, words);
  const roles = el('details', { class: 'roles', hidden: true }, el('summary', {}, 'Who must do what'));
  title.addEventListener('click', () => sessionStorage.setItem(RULES, String(!rules.open)));
  const waiting = el('p', { class: 'hint what-comes', role: 'status' });
  showBriefing(state, { words, roles, form });
  return {
    node: rules,
    roles,
    waiting,
    /** The game has begun for this seat, or its first reply is written. */
    begin(lines) {
      const hasReplied = lines.some(({ who }) => who === 'you');
      rules.open = chosen() === null ? !hasReplied : chosen() === 'true';
      roles.open = innerWidth > 900;
      waiting.hidden = lines.length > 0;
      waiting.textContent = lines.length ? '' : WHAT_COMES;
    },
    fold: () => (rules.open = roles.open = false),
    show: () => openRules(rules),
  };
}

/** Show a copy of the rules over the page, which stays where it is: they and the form often need more than the window. */
function openRules(rules) {
  const [, ...parts] = /** @type {HTMLElement} */ (rules.cloneNode(true)).children;
  const dialog = el(
    'dialog',
    { class: 'ludens rules-dialog', 'aria-label': 'The rules' },
    el('div', { class: 'rules' }, parts),
    el('form', { method: 'dialog', class: 'row' }, el('button', { class: 'button primary' }, 'Back to the game')),
  );
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const WHAT_COMES =
  'The game has begun, and it is not your turn yet. Read the rules in the meantime. This page shows you what you need, and asks you when it is your turn; you can leave it open in a tab.';

/** Put the briefing above the rules in words, once it is here; a game without one keeps these as they are. */
async function showBriefing({ game, seat, study }, { words, roles, form }) {
  const place = { game: game.name, variant: game.variant, seat };
  const briefing = await loadBriefing(place).catch(() => null); // a game that is gone has no briefing
  if (!briefing?.diagram) return;
  const more = el('details', { class: 'all-rules' }, el('summary', {}, 'All the rules'));
  const page = el(
    'a',
    { href: briefingAddress('/rules', place), target: '_blank' },
    'Example game and questions (new tab)',
  );
  addAbove(form.node, () => {
    words.replaceWith(drawBriefing(briefing), more, study ? '' : el('p', {}, page));
    more.append(words);
    roles.hidden = briefing.roles.length === 0;
    if (briefing.roles.length) roles.append(drawRoles(briefing.roles));
  });
}

/** Add what comes late above the form. What has the focus in the form stays where it is, if it is in sight. */
function addAbove(form, add) {
  const focused = document.activeElement;
  const top = focused?.getBoundingClientRect().top ?? 0;
  add();
  if (!focused || !form.contains(focused) || top < 0 || top > innerHeight) return;
  scrollBy({ top: focused.getBoundingClientRect().top - top, behavior: 'instant' });
}

/** What only whoever opened the table can do, and the links of this seat. */
function hostTools(seat, initialState, { form, refresh }) {
  const invitations = el('div', { class: 'invitations' });
  const ownLink = el('div', { class: 'invitations', hidden: Boolean(initialState.study) }, ownLinkDetails(seat));
  const rest = el('div', { class: 'invitations' });
  /** @type {Awaited<ReturnType<typeof loadHostControls>>} */
  let controls = null;
  // Seats whose person has been here: they have their link, and find back by themselves.
  const arrivedSeats = new Set(initialState.lines.filter(({ who }) => who === 'partner').map((line) => line.seat));
  loadHostControls(
    { seat },
    initialState.others.map((other) => other.seat),
  ).then((loaded) => {
    if (!loaded) return;
    controls = loaded;
    addAbove(form.node, () => {
      invitations.append(loaded.links);
      rest.append(...loaded.rest);
      refresh();
    });
  });
  return {
    invitations,
    menu: [rest, ownLink],
    waysOut: (able) => controls?.waysOut(able) ?? (able ? waitHint() : null),
    others(others) {
      controls?.missing(
        others.filter(({ seat: name, here }) => here === false && !arrivedSeats.has(name)).map((other) => other.seat),
      );
      for (const { seat: name, here } of others) if (here) arrivedSeats.add(name);
    },
  };
}

/** A button that unfolds what is seldom needed. */
function tableMenu(items) {
  const menu = /** @type {HTMLDetailsElement} */ (
    el(
      'details',
      { class: 'table-menu' },
      el('summary', { class: 'button' }, 'More'),
      el('div', { class: 'menu' }, items),
    )
  );
  addEventListener('click', ({ target }) => {
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') menu.open = false;
  });
  return menu;
}

/** What sticks to the lower edge: whose turn it is, and the form. */
function replyDock(initialState, { seat, form, stillHere, showRules }) {
  const newer = el(
    'button',
    { type: 'button', class: 'button primary small newer', hidden: true },
    'New lines below ↓',
  );
  const turn = el('p', { class: 'turn', role: 'status' });
  const left = el('p', { class: 'left' });
  const rulesButton = el(
    'button',
    { type: 'button', class: 'button small', 'aria-haspopup': 'dialog', onclick: showRules },
    'Rules',
  );
  const goal = el('p', { class: 'goal', hidden: true });
  const parts = {
    company: companyStrip(),
    connection: connectionLine('Reconnecting … what you write is kept'),
    question: joinQuestion(seat),
    messages: initialState.study && messageBoard(new URLSearchParams(initialState.study.url.split('?')[1]).get('id')),
  };
  const stalled = stallNotice();
  const thinking = clock({ patience: true });
  const limit = turnLimit({ onStillHere: stillHere });
  const node = el(
    'section',
    { class: 'dock', 'aria-label': 'Your reply' },
    newer,
    parts.messages?.node,
    parts.question.node,
    parts.company.node,
    el('div', { class: 'statusline' }, el('div', { class: 'turnline' }, turn, thinking.node), rulesButton, goal, left),
    parts.connection.node,
    thinking.words,
    stalled.node,
    limit.node,
    form.node,
  );
  return {
    node,
    goal,
    parts,
    newer: (isUnseen) => (newer.hidden = !isUnseen),
    onNewer: (toEnd) => newer.addEventListener('click', toEnd),
    status(state, host) {
      const isWriting = state.turn?.who === 'other' && state.others.some((other) => other.writing);
      turn.textContent = isWriting ? 'Your partner is writing' : (state.turn?.text ?? '');
      turn.classList.toggle('thinking', state.turn?.who === 'other' && !state.stalled);
      thinking.show(state.turn);
      limit.show(state.turn?.limit);
      left.replaceChildren(...remainingText(state.left));
      stalled.show(state.stalled, host.waysOut(state.silent));
    },
  };
}

/** What comes after the game, in place of the form. */
function finish(after, state, seat, rematch) {
  const debriefing = el('div', {});
  after.replaceChildren(state.study ? studyContinuation(state) : '', debriefing);
  if (state.study && !state.study.debriefing) return;
  showDebriefing(debriefing, `seat=${encodeURIComponent(seat)}`, {
    outcome: state.outcome,
    seat: state.seat,
    again: playAgain(state),
    focus: !state.study,
    rematch: state.others.some((other) => typeof other.here === 'boolean') ? rematch : null,
    series: !state.study,
  });
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
  if (left.of > 8) return [words];
  const pips = el('span', { class: 'pips', 'aria-hidden': 'true' });
  for (let i = 0; i < left.of; i += 1) pips.append(el('i', { class: i < left.left ? 'pip' : 'pip spent' }));
  return [pips, words];
}

function showPeople(list, { others, elsewhere, hidden_partner: isHidden }) {
  const items = others.map((other) => presenceItem(other, others.length)).filter((item) => item !== null);
  if (isHidden) items.unshift(el('li', { class: 'unmarked' }, 'Who plays with you is not shown'));
  if (elsewhere) items.push(el('li', { class: 'here' }, 'This seat is open in another browser too'));
  list.replaceChildren(...items);
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
