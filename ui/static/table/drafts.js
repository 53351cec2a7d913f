// Half-written replies, kept twice: on the server (so that another browser finds them) and here (so that a dead server
// loses nothing). The server hears of them in pauses, and once more when the page goes away.
const PAUSE = 300;

export function drafts(seat, socket) {
  const key = (ask) => `ludens.draft.${seat}.${ask}`;
  let waiting = null;
  let timer = 0;

  const read = (ask) => {
    try {
      return JSON.parse(localStorage.getItem(key(ask)));
    } catch {
      return null;
    }
  };
  const write = (ask, entry) => {
    try {
      localStorage.setItem(key(ask), JSON.stringify(entry));
    } catch {
      // storage full or forbidden: the server still has it
    }
  };

  function flush() {
    clearTimeout(timer);
    if (!waiting) return;
    const { ask, values } = waiting;
    if (!socket().send({ draft: { ask, values } })) return;
    waiting = null;
    write(ask, { values, sent: true });
  }

  addEventListener('pagehide', () => {
    if (!waiting) return;
    const body = JSON.stringify({ seat, ...waiting });
    navigator.sendBeacon('/api/draft', new Blob([body], { type: 'application/json' }));
  });

  return {
    /** The values to start from: what was typed here and never reached the server wins over the server's. */
    load(ask) {
      const here = read(ask.id);
      return here && (!here.sent || !ask.draft) ? here.values : ask.draft;
    },
    keep(ask, values) {
      waiting = { ask, values };
      write(ask, { values, sent: false });
      clearTimeout(timer);
      timer = setTimeout(flush, PAUSE);
    },
    forget(ask) {
      if (waiting?.ask === ask) waiting = null;
      localStorage.removeItem(key(ask));
    },
    flush,
  };
}
