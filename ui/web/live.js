// A socket that comes back: reconnects with growing pauses, also after a restart of the server, without a reload.
// It knows nothing of games. `onState` hears 'live', 'waiting' (trying again) or 'refused' (with a reason).

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const REFUSED = { 4401: 'not yours', 4403: 'not yours', 4404: 'not found' };

export function live(path, { onMessage, onState }) {
  let socket = null;
  let wait = FIRST_WAIT;
  let timer = 0;
  let failures = 0;
  let ended = false;

  function open() {
    clearTimeout(timer);
    let opened = false;
    socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path);
    socket.onopen = () => {
      opened = true;
      failures = 0;
    };
    socket.onmessage = (event) => {
      wait = FIRST_WAIT;
      onState('live');
      onMessage(JSON.parse(event.data));
    };
    socket.onclose = async (event) => {
      if (ended) return;
      if (REFUSED[event.code]) {
        ended = true;
        return onState('refused', REFUSED[event.code], event.reason);
      }
      failures += opened ? 0 : 1;
      // A refused handshake looks like a dead server to a page; a live /healthz tells the two apart.
      if (failures >= 3 && (await healthy())) onState('refused', 'not yours');
      else onState('waiting');
      timer = setTimeout(open, wait * (0.8 + 0.4 * Math.random()));
      wait = Math.min(wait * 1.7, LONGEST_WAIT);
    };
  }

  async function healthy() {
    try {
      return (await fetch('/healthz', { cache: 'no-store' })).ok;
    } catch {
      return false;
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
