// Playing with a stranger: a dialog that waits for somebody who wants to play the same, or for the program that plays after
// a while. Who closes it, or the page, waits no more. The server seats both (ui/live/match_queue.py).
import { el } from '/web/core/dom.js';

const LOST = 'The connection was lost. Close this and try again.';

/** Wait for a partner in a dialog, and go to the table. */
export function findPartner(game, variant) {
  const query = new URLSearchParams({ game: game.name, variant });
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws/queue?${query}`);
  const words = el('p', { role: 'status' }, 'One moment …');
  const bar = el('progress', { 'aria-label': 'Time until a program plays', max: 1, value: 0 });
  const cancel = el('button', { class: 'button', value: 'cancel' }, 'Cancel');
  const dialog = el(
    'dialog',
    { class: 'ludens finding', 'aria-labelledby': 'finding' },
    el('h2', { id: 'finding' }, `Looking for a partner: ${game.title}`),
    words,
    bar,
    el('form', { method: 'dialog', class: 'row end' }, cancel),
  );
  let timer = 0;
  const fail = (text) => {
    clearInterval(timer);
    bar.hidden = true;
    words.textContent = text;
    cancel.textContent = 'Close';
  };
  const wait = (seconds) => {
    const start = performance.now();
    const tick = () => {
      const left = Math.max(0, Math.ceil(seconds - (performance.now() - start) / 1000));
      bar.value = 1 - left / seconds;
      bar.textContent = `${left} s`; // not announced: the status says it once
    };
    words.textContent = `You are listed under “Open seats” for everybody here. If nobody comes within ${seconds} seconds, a program plays with you.`;
    timer = setInterval(tick, 250);
    tick();
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.state === 'waiting') wait(message.seconds);
    else if (message.state === 'seated') {
      clearInterval(timer);
      words.textContent = message.partner === 'person' ? 'Somebody is here!' : 'A program plays with you.';
      location.assign(message.go);
    } else fail([message.error, message.why].filter(Boolean).join('. '));
  };
  socket.onerror = () => fail(LOST);
  dialog.addEventListener('close', () => {
    clearInterval(timer);
    socket.close();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
