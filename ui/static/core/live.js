// A socket that comes back: reconnects with growing pauses, also after a restart of the server, without a reload.
// It knows nothing of games. `onState` hears 'live', 'waiting' (trying again), 'refused' (with the server's words) or 'gone'.

import { el } from '/web/core/dom.js';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const SEAT_TAKEN_AWAY = 4403; // the server takes the place away while the socket is open
const GAME_REMOVED = 4410; // the game was removed
const REMOVED_TEXT = 'This game was removed from the server, with everything that was said in it.';

/** What a page knows after a message: parts replace parts of the same name, lines are added from `from` on. */
export function applyUpdate(state, message) {
  const lines = message.lines ? [...state.lines.slice(0, message.from ?? 0), ...message.lines] : state.lines;
  return { ...state, ...message, lines };
}

/** A line that says `words` while the connection is lost; `show` takes what `onState` hears. */
export function connectionLine(words) {
  const node = el('p', { class: 'connection', role: 'status', 'data-state': 'live' });
  const show = (state) => {
    node.dataset.state = state;
    node.textContent = state === 'live' ? '' : words;
  };
  return { node, show };
}

/** Connect to a socket. When that fails the page asks `access`, because a refused handshake looks like a dead server. */
export function connect(path, { access = /** @type {string | null} */ (null), onMessage, onState }) {
  /** @type {WebSocket} */
  let socket;
  let wait = FIRST_WAIT;
  let timer = 0;
  let isEnded = false;

  function open() {
    clearTimeout(timer);
    let isOpened = false;
    socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path);
    socket.onopen = () => {
      isOpened = true;
    };
    socket.onmessage = (event) => {
      wait = FIRST_WAIT;
      onState('live');
      onMessage(JSON.parse(event.data));
    };
    socket.onclose = async (event) => {
      if (isEnded) return;
      if (event.code === GAME_REMOVED) {
        isEnded = true;
        return onState('gone', REMOVED_TEXT);
      }
      const reason = !isOpened || event.code === SEAT_TAKEN_AWAY ? await fetchRefusal() : null;
      if (reason) {
        isEnded = true;
        return onState('refused', reason);
      }
      onState('waiting');
      timer = setTimeout(open, wait * (0.8 + 0.4 * Math.random()));
      wait = Math.min(wait * 1.7, LONGEST_WAIT);
    };
  }

  /** The server's reason for not letting us in; null if it would, or does not answer. */
  async function fetchRefusal() {
    if (!access) return null;
    try {
      const response = await fetch(access, { cache: 'no-store' });
      if (response.ok || response.status >= 500) return null;
      return (await response.json()).error ?? 'This is not open to you.';
    } catch {
      return null;
    }
  }

  // The reader is back at the tab, or the network is back: try at once.
  const reconnect = () => {
    if (!isEnded && socket.readyState === WebSocket.CLOSED) {
      wait = FIRST_WAIT;
      open();
    }
  };
  addEventListener('online', reconnect);
  document.addEventListener('visibilitychange', () => document.hidden || reconnect());
  addEventListener('pagehide', () => socket.close());
  addEventListener('pageshow', (event) => event.persisted && reconnect());
  open();

  return {
    /** Send if the line is up; say whether it was. */
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    close() {
      isEnded = true;
      clearTimeout(timer);
      socket.close();
    },
  };
}
