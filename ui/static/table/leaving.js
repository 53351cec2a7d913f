// Leaving a game. With two seats it ends for both. With more, a program can play on in one's place, so that nobody else
// loses the game. The person who leaves chooses, and reads what follows from each choice.

import { seatName } from '/web/core/company.js';
import { api, askToConfirm, el } from '/web/core/dom.js';

const BREAK_TEXT = 'If you only want a break, close the page: your link brings you back to this point.';

/**
 * Ask, and leave. Resolves to what the page shows instead of the table; null where nothing more has to be done. `hush` lets
 * the page stop listening to the table: from then on the seat belongs to another player.
 */
export async function leaveGame(seat, { others, seat: name, hidden_partner: isHidden }, closeSocket) {
  if (others.length < 2 || isHidden) {
    const yes = await askToConfirm({
      title: 'Leave this game?',
      text: `The game ends here for everybody at the table and counts as abandoned. ${BREAK_TEXT}`,
      yes: 'Leave the game',
      no: 'Stay',
    });
    if (yes) await api('/api/leave', { seat });
    return null;
  }
  const choice = await askHowToLeave();
  if (choice === 'end') await api('/api/leave', { seat });
  if (choice !== 'program') return null;
  closeSocket();
  await api('/api/leave', { seat, player: 'scripted' });
  return el(
    'section',
    { class: 'notice' },
    el('h1', {}, 'You have left'),
    el(
      'p',
      {},
      `A scripted player plays on as ${seatName(name)}; the others see that. Such games are listed as mixed and left out of averages.`,
    ),
    el('a', { class: 'button primary', href: '/' }, 'Go to the lobby'),
  );
}

/** Ask how to leave a table of many: "program", "end" or "stay". */
function askHowToLeave() {
  return new Promise((resolve) => {
    const dialog = el(
      'dialog',
      { class: 'ludens ask-first leaving', 'aria-labelledby': 'leaving-title' },
      el('h2', { id: 'leaving-title' }, 'Leave this game?'),
      el(
        'p',
        {},
        `A scripted player can play on at your seat, so that the others can finish. Or the game ends here for everybody and counts as abandoned. ${BREAK_TEXT}`,
      ),
      el(
        'form',
        { method: 'dialog', class: 'row end' },
        el('button', { class: 'button', value: 'stay', autofocus: true }, 'Stay'),
        el('button', { class: 'button primary', value: 'program' }, 'Let a program play on'),
        el('button', { class: 'button danger', value: 'end' }, 'End the game for all'),
      ),
    );
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue || 'stay');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
