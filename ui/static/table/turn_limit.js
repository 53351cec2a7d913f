// The end of the time for a reply: a countdown and the question whether somebody is still there. Until then it is
// not shown: a clock would hurry people.
import { el } from '/web/core/dom.js';
import { formatDuration, serverNow } from '/web/core/waiting.js';

const WARNING_TIME = 30_000; // milliseconds before the end; longer where a quarter of the time is longer
const LAST_CALL = 10_000; // milliseconds before the end at which it is read out once more

/** How long before its end a limit is shown, in milliseconds. */
export const warningTime = (seconds) => Math.max(WARNING_TIME, (seconds * 1000) / 4);

/** What follows, by rule; where nobody is shown who plays, nothing is said of programs. */
const CONSEQUENCES = {
  program: 'After that, a program plays on for you.',
  unsaid: 'After that, the game goes on without you.',
  abandon: 'After that, the game ends.',
};

/** A notice that `show({until, seconds, rule, extended})` brings up in time, and null takes away. */
export function turnLimit({ onStillHere }) {
  const left = el('strong', { class: 'countdown', 'aria-hidden': 'true' });
  const spoken = el('span', { class: 'visually-hidden', role: 'status', 'aria-live': 'assertive' });
  const consequence = el('span', {});
  const button = el('button', { type: 'button', class: 'button' }, 'I am still here');
  const box = el(
    'div',
    { class: 'turn-limit', hidden: true },
    el('p', {}, el('span', {}, 'Are you still there? '), left, ' ', consequence),
    button,
  );
  const node = el('div', {}, spoken, box);
  /** @type {TurnLimit | null} */
  let limit = null;
  let timer = 0;
  let announced = '';

  button.addEventListener('click', () => {
    onStillHere();
    // The button goes away: the focus must not go with it.
    const field = /** @type {HTMLElement | null} */ (
      node.parentElement?.querySelector('form :is(textarea, input, select, button)')
    );
    field?.focus();
  });

  /** Read something out, once for each end of a turn. */
  function announce(stage, words) {
    const key = `${limit?.until} ${stage}`;
    if (announced === key) return;
    announced = key;
    spoken.textContent = words;
  }

  function tick() {
    if (!limit) return;
    const ms = Math.max(0, limit.until - serverNow());
    const isNear = ms <= warningTime(limit.seconds);
    box.hidden = !isNear;
    if (!isNear) return;
    const words = formatDuration(Math.ceil(ms / 1000) * 1000);
    left.textContent = ms > 0 ? `${words} left to reply.` : 'Your time is over.';
    if (ms <= LAST_CALL) announce('last call', '10 seconds left to reply.');
    else announce('warning', `Are you still there? ${words} left to reply. ${consequence.textContent}`);
  }

  return {
    node,
    show(next) {
      clearInterval(timer);
      limit = next ?? null;
      box.hidden = true;
      if (!limit) {
        spoken.textContent = '';
        return;
      }
      consequence.textContent = CONSEQUENCES[limit.rule];
      button.hidden = limit.extended;
      timer = setInterval(tick, 250);
      tick();
    },
  };
}
