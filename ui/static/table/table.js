// The page of one seat: conversation, what lies in front of the seat, the form for what is asked now. It holds no rules
// and no secrets: it draws what the seat's socket sends and sends what the form gives.

import { el, refusalNotice } from '/web/core/dom.js';
import { joinSeat } from '/web/core/joining.js';
import { applyUpdate, connect } from '/web/core/live.js';
import { serverNow, setServerTime } from '/web/core/waiting.js';
import { deliver } from '/web/table/delivery.js';
import { createDrafts } from '/web/table/drafts.js';
import { ReplyForm } from '/web/table/form.js';
import { leaveGame } from '/web/table/leaving.js';
import { buildPage } from '/web/table/page.js';
import { createReport } from '/web/table/report.js';
import { beep } from '/web/table/sound.js';
import { statementsOf } from '/web/table/talk.js';

export function mount(root) {
  const address = new URLSearchParams(location.search);
  const seat = address.get('seat');
  if (!seat) return root.replaceChildren(notYourSeat('No seat is named in this address.'));
  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'Going to the table …'));
  if (address.has('join')) {
    joinSeat(root, seat, address.get('join'), {
      onSeated: () => new SeatPage(root, seat),
      onRefused: (reason) => root.replaceChildren(notYourSeat(`The server says: ${reason}.`)),
    });
  } else new SeatPage(root, seat);
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

/** One seat's page: holds what the server has sent, and gives each change to the part of the page that shows it. */
class SeatPage {
  /** @type {PageState} */
  #state = { lines: [], pinned: [], others: [], ask: null, turn: null, left: null, stalled: null, outcome: null };
  /** @type {ReturnType<typeof buildPage> | null} */
  #view = null;
  #drawnParts = {}; // JSON of the parts that are drawn only when they change
  /** @type {string | undefined} */
  #lastTurn;

  constructor(root, seat) {
    this.root = root;
    this.seat = seat;
    this.draft = createDrafts(seat, () => this.socket);
    this.form = new ReplyForm({
      send: (ask, values, onTrouble) => deliver({ seat, ask: ask.id, values, client: this.report.read() }, onTrouble),
      keep: this.draft.keep,
      load: this.draft.load,
      forget: this.draft.forget,
      exhibits: () => this.#state.pinned,
      begin: (ask) => this.report.begin(ask),
      goal: () => this.#state.goal?.text ?? '',
      statements: (player) => statementsOf(player, this.#state.lines),
    });
    this.report = createReport(seat, this.form.node, {
      state: () => this.#state,
      images: () => [...root.querySelectorAll('img')],
      notify: (message) => this.form.notify(message),
    });
    const query = `seat=${encodeURIComponent(seat)}`;
    this.socket = connect(`/ws/seat?${query}`, {
      access: `/api/access?${query}`,
      onMessage: (message) => this.#onMessage(message),
      onState: (next, reason) => this.#onState(next, reason),
    });
    document.addEventListener('visibilitychange', () => this.#reportPresence());
  }

  #reportPresence() {
    this.socket.send({ here: !document.hidden });
  }

  #onState(next, reason) {
    if (next === 'gone') this.#replacePage(refusalNotice('This game is gone', reason));
    else if (next === 'refused')
      this.#replacePage(this.#view ? takenOver(this.#state) : notYourSeat(`The server says: ${reason}.`));
    else this.#view?.connection.show(next);
  }

  #replacePage(node) {
    this.root.classList.remove('table-page');
    this.root.replaceChildren(node);
  }

  #onMessage(message) {
    this.#state = applyUpdate(this.#state, message);
    setServerTime(message.now);
    if (!this.#view) {
      this.#view = buildPage(this.root, this.#state, {
        seat: this.seat,
        form: this.form,
        leave: () => this.#leave(),
        refresh: () => this.#refresh(),
        stillHere: () => this.socket.send({ still_here: this.#state.ask?.id }),
      });
      this.#reportPresence();
    } else if (message.from === 0) {
      this.#reportPresence(); // a fresh connection: say whether somebody is looking
      this.draft.flush();
    }
    this.#paint();
  }

  /** Redraw what looks different to the host, once the page knows that this browser is the host. */
  #refresh() {
    delete this.#drawnParts.status;
    delete this.#drawnParts.others;
    this.#paint();
  }

  /** Redraw a part when its data changed, and only then. */
  #redrawIfChanged(name, data, draw) {
    const now = JSON.stringify(data ?? null);
    if (this.#drawnParts[name] === now) return;
    this.#drawnParts[name] = now;
    draw();
  }

  #paint() {
    const [page, state] = [this.#view, this.#state];
    if (!page) return;
    const over = Boolean(state.outcome);
    const isMyTurn = state.turn?.who === 'you' && !over;
    const hasBegun = state.lines.length > 0;
    const draw = (name, data, show) => this.#redrawIfChanged(name, data, show);
    draw('pinned', [state.pinned, hasBegun], () => page.pin(state.pinned, hasBegun));
    draw('begun', [hasBegun, hasReplied(state.lines)], () => page.begin(state.lines));
    draw('goal', state.goal, () => page.goal(state.goal));
    page.converse(state.lines);
    draw('status', [state.turn, state.left, state.stalled, state.silent, state.others, over], () => page.status(state));
    draw('others', [state.others, state.elsewhere], () => page.others(state));
    draw('messages', state.study?.messages, () => page.messages?.show(state.study.messages));
    draw('requests', over ? [] : state.requests, () => page.question.show(over ? [] : state.requests));
    draw('company', [state.company, state.asked, state.others, state.turn?.who, over], () =>
      page.company.show(/** @type {any} */ (state)),
    );
    this.form.show(
      over ? null : state.ask,
      state.lines.filter(({ who }) => who === 'you').map(({ text }) => text.trim()),
    );
    page.dock.classList.toggle('mine', isMyTurn);
    page.dock.hidden = over;
    document.title = isMyTurn ? `● Your turn · ${state.game.title}` : `${state.game.title} · Ludens`;
    if (isMyTurn && this.#lastTurn === 'other') beep();
    this.#lastTurn = over ? 'over' : state.turn?.who;
    draw('over', over, () => over && page.finish(state));
    draw('rematch', state.rematch, () => page.rematch(state.rematch));
  }

  async #leave() {
    try {
      const farewell = await leaveGame(this.seat, /** @type {any} */ (this.#state), () => this.socket.close());
      if (farewell) this.#replacePage(farewell);
    } catch (error) {
      this.#view?.trouble(error.message);
    }
  }
}

const hasReplied = (lines) => lines.some(({ who }) => who === 'you');
