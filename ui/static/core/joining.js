// Asking for a seat that another browser plays, and answering such a question. A waiting page hears how it stands with the
// seat and nothing else of it; whether somebody is let in is decided at the seat itself or by the owner of the server.

import { seatName } from '/web/core/company.js';
import { api, el } from '/web/core/dom.js';
import { connect, connectionLine } from '/web/core/live.js';

const lobbyLink = () => el('a', { class: 'button', href: '/' }, 'Go to the lobby');

const notice = (title, ...nodes) =>
  el('section', { class: 'notice joining' }, el('h1', { tabindex: '-1' }, title), ...nodes);

const paragraphs = (...texts) => texts.map((text) => el('p', {}, text));

/** What is shown for each state that needs no answer. */
const ENDS = {
  refused: (error) => [
    'You were not let in',
    ...paragraphs(
      error ?? 'The person who plays this seat said no.',
      'If that was a mistake, open the link again, or ask whoever sent it to you for a new one.',
    ),
  ],
  over: () => [
    'This game is over',
    ...paragraphs(
      'It was played in another browser, and can be read there. Others see it when the people who played it publish it.',
    ),
  ],
  replaced: () => [
    'This link no longer works',
    ...paragraphs('The seat was given to another player. Ask whoever sent you the link for a new one.'),
  ],
};

const waitingNotice = (connection) =>
  notice(
    'Somebody already plays this seat',
    el(
      'div',
      { role: 'status' },
      ...paragraphs(
        'We have asked the browser that plays it to let you in. Keep this page open: it goes on by itself after a yes.',
      ),
    ),
    el(
      'ul',
      { class: 'bullets' },
      el('li', {}, 'Is it you, on another device? Answer the question on the page of the game there.'),
      el('li', {}, 'Did somebody invite you? Ask them for a new link: they can make one under “Seat somebody else”.'),
      el('li', {}, 'Is that browser gone for good? The owner of this server can let you in.'),
    ),
    connection.node,
    lobbyLink(),
  );

function bothSeatsNotice(held, onYes) {
  const names = held.map(seatName).join(' and ').replace(/^Seat/, 'seat');
  const yes = el('button', { type: 'button', class: 'button' }, 'Play both seats');
  yes.addEventListener('click', () => {
    yes.disabled = true;
    onYes();
  });
  return notice(
    `You already play ${names}`,
    ...paragraphs(
      'Playing both seats shows you both sides; the game will not count.',
      'To play with a friend, send them the link and do not open it yourself.',
    ),
    el('div', { class: 'row' }, el('a', { class: 'button primary', href: '/' }, 'Go to the lobby'), yes),
  );
}

/**
 * Ask for a seat and show how that stands. `state` is what the address says already; `onSeated` is called once this browser
 * holds the seat, `onRefused` where it has not opened the seat's link.
 */
export function joinSeat(root, seat, state, { onSeated, onRefused }) {
  const show = (node) => {
    root.replaceChildren(node);
    node.querySelector('h1')?.focus();
  };
  const showEnd = (name, error = null) => {
    const [title, ...nodes] = ENDS[name](error);
    show(notice(title, ...nodes, lobbyLink()));
  };
  if (state === 'over') return showEnd('over');
  const query = `seat=${encodeURIComponent(seat)}`;
  const connection = connectionLine('Reconnecting …');
  let shown = '';
  const socket = connect(`/ws/join?${query}`, {
    access: `/api/access?${query}`,
    onState(next, reason) {
      if (next === 'refused' || next === 'gone') onRefused(reason);
      else connection.show(next);
    },
    onMessage({ state: now, held, error }) {
      if (now === 'seated') {
        socket.close();
        history.replaceState(null, '', `/table?${query}`);
        return onSeated();
      }
      if (now === shown) return; // a fresh connection: nothing new
      shown = now;
      if (now === 'waiting') show(waitingNotice(connection));
      else if (now === 'both_seats') show(bothSeatsNotice(held, () => socket.send({ both: true })));
      else {
        socket.close();
        showEnd(now, error);
      }
    },
  });
}

/** Post an answer to a request; resolves to what went wrong, or to ''. */
const answerRequest = (seat, request, admit) =>
  api('/api/admit', { seat, request, admit }).then(
    () => '',
    (error) => (error.status === 409 ? '' : error.message),
  );

/** Two buttons that answer a request for a seat; `describedBy` is the id of the question. */
export function answerButtons(seat, request, describedBy) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = (label, admit, kind) => {
    const node = el('button', { type: 'button', class: `button ${kind}`, 'aria-describedby': describedBy }, label);
    node.addEventListener('click', async () => {
      for (const each of row.querySelectorAll('button')) each.disabled = true;
      problem.textContent = await answerRequest(seat, request, admit);
      for (const each of row.querySelectorAll('button')) each.disabled = false;
    });
    return node;
  };
  const row = el('div', { class: 'row' }, button('Let it in', true, ''), button('No', false, ''));
  return [row, problem];
}

/** The question at a seat whether another browser may play it. `show` takes the ids of the requests, oldest first. */
export function joinQuestion(seat) {
  const node = el('div', {
    class: 'join-question',
    role: 'region',
    'aria-label': 'Another browser asks',
    hidden: true,
  });
  const live = el('div', { role: 'alert' });
  const body = el('div', { class: 'answers' });
  node.append(live, body);
  return {
    node,
    show(requests = []) {
      const [first] = requests;
      node.hidden = !first;
      live.replaceChildren(
        ...(first ? [el('p', { id: 'join-question' }, 'Another browser wants to play this seat. Let it in?')] : []),
      );
      body.replaceChildren(
        ...(first
          ? [
              el(
                'p',
                { class: 'hint' },
                'Say yes only if it is you, on another device, or somebody you want to play in your place. It sees all that you see here and can do all that you can: play, publish and remove this game. You keep the seat, too.',
              ),
              ...answerButtons(seat, first, 'join-question'),
            ]
          : []),
      );
    },
  };
}
