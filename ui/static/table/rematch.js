// A rematch: one person asks, the others at the table are asked, and when all have agreed everybody goes to the new table.
import { seatName } from '/web/core/company.js';
import { api, el } from '/web/core/dom.js';

/** Where it stands with a rematch. `ask(isSwapped)` asks the others; `show` takes what the server says. */
export function rematchBar(seat) {
  const words = el('p', { role: 'status' });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = (label, answer, kind = '') =>
    el('button', { type: 'button', class: `button ${kind}`, onclick: () => send(answer) }, label);
  const yes = button('Play the rematch', 'yes', 'primary');
  const no = button('No, thanks', 'no');
  const cancel = button('Do not wait', 'cancel');
  const answers = el('div', { class: 'row' }, yes, no, cancel);
  const node = el('div', { class: 'rematch', hidden: true }, words, answers, problem);
  let hasBeenShown = false; // whoever comes back to this page later stays here

  async function send(answer) {
    problem.textContent = '';
    try {
      await api('/api/rematch', { seat, answer });
    } catch (error) {
      node.hidden = false;
      problem.textContent = error.message;
    }
  }

  return {
    node,
    ask: (isSwapped) => send(isSwapped ? 'ask_swapped' : 'ask'),
    show(offer) {
      if (offer?.go && hasBeenShown) location.assign(offer.go);
      hasBeenShown = true;
      node.hidden = !offer;
      if (!offer) return;
      const isOpen = !offer.declined_by && !offer.go;
      words.replaceChildren(rematchText(offer), ...(offer.go ? [el('a', { href: offer.go }, 'Go to it')] : []));
      yes.hidden = no.hidden = !isOpen || offer.has_agreed;
      cancel.hidden = !isOpen || !offer.has_agreed;
      if (isOpen && !offer.has_agreed) node.scrollIntoView({ block: 'nearest' });
    },
  };
}

/** {asked_by, is_mine, swapped, has_agreed, declined_by, go, pair} in words. */
export function rematchText({
  asked_by: askedBy,
  is_mine: isMine,
  swapped,
  has_agreed: hasAgreed,
  declined_by: declinedBy,
  go,
  pair,
}) {
  const nameOf = (seat) => (pair ? 'Your partner' : seatName(seat));
  if (go) return 'The rematch has begun. ';
  if (declinedBy) return `${nameOf(declinedBy)} does not want another game now.`;
  if (!isMine && !hasAgreed) return `${nameOf(askedBy)} asks for a rematch${swapped ? ' with the seats swapped' : ''}.`;
  return `Asked for a rematch. Waiting for ${pair ? 'your partner' : 'the others'} to answer …`;
}
