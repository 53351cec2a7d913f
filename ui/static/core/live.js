// A socket that comes back: reconnects with growing pauses, also after a restart of the server, without a reload.
// It knows nothing of games. `onState` hears 'live', 'waiting' (trying again), 'refused' (with the server's words) or 'gone'.

import { el } from '/web/core/dom.js';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const NOT_YOURS = 4403; // the server takes the place away while the socket is open
const GONE = 4410; // the game was removed
const REMOVED = 'This game was removed from the server, with everything that was said in it.';

/** What a page knows after a message: parts replace parts of the same name, lines are added from `from` on. */
export function updated(state, message) {
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

/** `access` is asked when a connection fails: a refused handshake looks like a dead server to a page. */
export function live(path, { access = null, onMessage, onState }) {
  let socket = null;
  let wait = FIRST_WAIT;
  let timer = 0;
  let ended = false;

  function open() {
    clearTimeout(timer);
    let opened = false;
    socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path);
    socket.onopen = () => {
      opened = true;
    };
    socket.onmessage = (event) => {
      wait = FIRST_WAIT;
      onState('live');
      onMessage(JSON.parse(event.data));
    };
    socket.onclose = async (event) => {
      if (ended) return;
      if (event.code === GONE) {
        ended = true;
        return onState('gone', REMOVED);
      }
      const refused = !opened || event.code === NOT_YOURS ? await refusal() : null;
      if (refused) {
        ended = true;
        return onState('refused', refused);
      }
      onState('waiting');
      timer = setTimeout(open, wait * (0.8 + 0.4 * Math.random()));
      wait = Math.min(wait * 1.7, LONGEST_WAIT);
    };
  }

  /** The server's reason for not letting us in; null if it would, or does not answer. */
  async function refusal() {
    if (!access) return null;
    try {
      const response = await fetch(access, { cache: 'no-store' });
      if (response.ok || response.status >= 500) return null;
      return (await response.json()).error ?? 'This is not open to you.';
    } catch {
      return null;
    }
  }

  // Somebody comes back to the tab, or the network does: try at once.
  const now = () => {
    if (!ended && socket.readyState === WebSocket.CLOSED) {
      wait = FIRST_WAIT;
      open();
    }
  };
  addEventListener('online', now);
  document.addEventListener('visibilitychange', () => document.hidden || now());
  addEventListener('pagehide', () => socket.close());
  addEventListener('pageshow', (event) => event.persisted && now());
  open();

  return {
    /** Send if the line is up; say whether it was. */
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    close() {
      ended = true;
      clearTimeout(timer);
      socket.close();
    },
  };
}
