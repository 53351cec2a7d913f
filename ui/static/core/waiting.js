// Shows waiting: a clock that counts the seconds a player has been thinking, and a notice for a game that cannot
// go on. Times are the server's; a page only adds what has passed since it heard of them.
import { el } from '/web/core/dom.js';

const SILENT_TIME = 2000; // milliseconds of thinking that are nobody's business
const PATIENCE_TIME = 30000; // milliseconds after which a word about patience helps

/** "12 s", "3 min 05 s", "1 h 02 min". */
export function formatDuration(ms) {
  const seconds = Math.floor(ms / 1000);
  const padTwo = (number) => String(number).padStart(2, '0');
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${padTwo(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${padTwo(Math.floor((seconds % 3600) / 60))} min`;
}

/** How far the server's clock is ahead of this one. The first message of each connection says it. */
let clockOffset = 0;
export const setServerTime = (now) => {
  if (now) clockOffset = now - Date.now();
};

/** What time it is on the server, in UTC milliseconds. */
export const serverNow = () => Date.now() + clockOffset;

/** A clock: `show({since, clock, loading})` lets it run, or stand empty where nobody is to be timed. */
export function clock({ patience = false } = {}) {
  const node = el('span', { class: 'clock', 'aria-hidden': 'true' });
  const words = el('p', { class: 'hint', role: 'status', hidden: true }, PATIENCE_TEXT);
  /** @type {Turn | null} */
  let currentTurn = null;
  let timer = 0;

  function tick() {
    const elapsed = currentTurn ? serverNow() - currentTurn.since : 0;
    const share = currentTurn?.loading ? `${Math.round(100 * currentTurn.loading)} % · ` : '';
    node.textContent = elapsed > SILENT_TIME ? `${share}${formatDuration(elapsed)}` : share;
    words.hidden = !(patience && elapsed > PATIENCE_TIME);
  }
  return {
    node,
    words,
    show(turn) {
      currentTurn = turn?.clock ? turn : null;
      clearInterval(timer);
      if (currentTurn) timer = setInterval(tick, 1000);
      tick();
    },
  };
}

const PATIENCE_TEXT =
  'Some models take minutes. You may close this page and come back: nothing is lost, and the model is asked only once.';

/** A notice for a game that cannot continue: why, and what can be done about it. */
export function stallNotice() {
  const words = el('p', { role: 'status' });
  const options = el('div', {});
  const node = el('div', { class: 'stalled', hidden: true }, words, options);
  return {
    node,
    /** `why` null: it goes on. `what` is what can be done, if anything. */
    show(reason, remedy = null) {
      node.hidden = !reason;
      words.textContent = reason ? `The game waits. ${reason}` : '';
      options.replaceChildren(...(reason && remedy ? [remedy] : []));
    },
  };
}

/** What those read who did not open the table. */
export const waitHint = () =>
  el(
    'p',
    { class: 'hint' },
    'Whoever opened the table can have it asked again, hand the seat to another player or end the game. This page goes on by itself.',
  );
