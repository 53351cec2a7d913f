// Waiting that can be seen: a clock that counts the seconds of whoever is thinking, and what stands where a game cannot
// go on. Times are the server's; a page only adds what has passed since it heard of them.
import { el } from '/web/core/dom.js';

const QUIET = 2000; // milliseconds of thinking that are nobody's business
const LONG = 30000; // milliseconds after which a word about patience helps

/** "12 s", "3 min 05 s", "1 h 02 min". */
function lasting(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, '0');
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}

/** What the server's clock is ahead of this one, told by each first message of a connection. */
let ahead = 0;
export const setNow = (now) => {
  if (now) ahead = now - Date.now();
};

/** A clock: `show({since, clock, loading})` lets it run, or stand empty where nobody is to be timed. */
export function clock({ patience = false } = {}) {
  const node = el('span', { class: 'clock', 'aria-hidden': 'true' });
  const words = el('p', { class: 'hint', role: 'status', hidden: true }, PATIENCE);
  let waited = null;
  let timer = 0;

  function tick() {
    const passed = waited ? Date.now() + ahead - waited.since : 0;
    const share = waited?.loading ? `${Math.round(100 * waited.loading)} % · ` : '';
    node.textContent = passed > QUIET ? `${share}${lasting(passed)}` : share;
    words.hidden = !(patience && passed > LONG);
  }
  return {
    node,
    words,
    show(turn) {
      waited = turn?.clock ? turn : null;
      clearInterval(timer);
      if (waited) timer = setInterval(tick, 1000);
      tick();
    },
  };
}

const PATIENCE =
  'Some models take minutes. You may close this page and come back: nothing is lost, and the model is asked only once.';

/** What stands where a game cannot go on: why, and what can be done about it. */
export function standstill() {
  const words = el('p', { role: 'status' });
  const ways = el('div', {});
  const node = el('div', { class: 'stalled', hidden: true }, words, ways);
  return {
    node,
    /** `why` null: it goes on. `what` is what can be done, if anything. */
    show(why, what = null) {
      node.hidden = !why;
      words.textContent = why ? `The game waits. ${why}` : '';
      ways.replaceChildren(...(why && what ? [what] : []));
    },
  };
}

/** What those read who did not open the table. */
export const others = () =>
  el(
    'p',
    { class: 'hint' },
    'Whoever opened the table can have it asked again, hand the seat to another player or end the game. This page goes on by itself.',
  );
