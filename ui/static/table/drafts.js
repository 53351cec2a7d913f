// Half-written replies, kept twice: on the server (so that another browser finds them) and here (so that a dead server
// loses nothing). The server hears of them in pauses, and once more when the page goes away.
const SAVE_DELAY = 300;

export function createDrafts(seat, socket) {
  const key = (ask) => `ludens.draft.${seat}.${ask}`;
  /** @type {{ask: string, values: Record<string, string>} | null} */
  let pending = null;
  let timer = 0;

  const read = (ask) => {
    try {
      return JSON.parse(localStorage.getItem(key(ask)) ?? 'null');
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
    if (!pending) return;
    const { ask, values } = pending;
    if (!socket().send({ draft: { ask, values } })) return;
    pending = null;
    write(ask, { values, sent: true });
  }

  addEventListener('pagehide', () => {
    if (!pending) return;
    const body = JSON.stringify({ seat, ...pending });
    navigator.sendBeacon('/api/draft', new Blob([body], { type: 'application/json' }));
  });

  return {
    /** The values to start from: what was typed here and never reached the server wins over the server's. */
    load(ask) {
      const localDraft = read(ask.id);
      return localDraft && (!localDraft.sent || !ask.draft) ? localDraft.values : ask.draft;
    },
    keep(ask, values) {
      pending = { ask, values };
      write(ask, { values, sent: false });
      clearTimeout(timer);
      timer = setTimeout(flush, SAVE_DELAY);
    },
    forget(ask) {
      if (pending?.ask === ask) pending = null;
      localStorage.removeItem(key(ask));
    },
    flush,
  };
}
