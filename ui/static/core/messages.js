// Messages of the researcher to a participant, above the page of the study and above the table of a game.

import { api, el } from '/web/core/dom.js';

const POLL = 10_000; // milliseconds; at a table they come with everything else

/** A place for the messages of a participation: `show` draws those that are not read. */
export function messageBoard(id) {
  const node = el('div', { class: 'researcher-messages', role: 'status' });
  const show = (messages) => node.replaceChildren(...messages.map(message));

  function message({ id: number, text }) {
    const button = el('button', { type: 'button', class: 'button' }, 'OK, read');
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        show((await api('/api/participation/messages', { id, message: number })).messages);
      } catch {
        button.disabled = false; // it stays until the server knows
      }
    });
    const words = el('p', {}, el('strong', {}, 'Message from the researcher: '), text);
    return el('div', { class: 'researcher-message' }, words, button);
  }

  return { node, show };
}

/** The same, asking the server again and again; `onDeleted` hears the refusal once the participant's data are deleted. */
export function polledMessages(id, onDeleted) {
  const board = messageBoard(id);
  async function ask() {
    if (!document.hidden) {
      try {
        board.show((await api(`/api/participation/messages?id=${encodeURIComponent(id)}`)).messages);
      } catch (error) {
        const { status } = /** @type {Error & {status?: number}} */ (error);
        if (status === 410) return onDeleted(error);
        if (status === 403 || status === 404) return; // continued elsewhere
      }
    }
    setTimeout(ask, POLL);
  }
  ask();
  return board.node;
}
