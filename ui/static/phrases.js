// The field "phrases": a text box with set phrases beside its Send button. A phrase sends the whole form: by itself, or in
// front of what is written where it `joins`. One with `confirm` asks back first. Knows forms, not games.
import { confirmed, el } from '/web/dom.js';

/** `box` is the field as a plain text box: {node, read, write, wrong, …}. */
export function phrases(field, box) {
  let pressed = null; // the phrase that is being sent
  const send = el('button', { type: 'submit', class: 'button primary send', 'data-label': field.submit }, field.submit);
  const buttons = field.phrases.map((phrase) => {
    const button = el('button', { type: 'button', class: 'button phrase' }, phrase.label);
    button.addEventListener('click', async () => {
      if (phrase.confirm && !(await sure(phrase))) return;
      const written = box.read().trim();
      pressed = phrase.joins && written ? `${phrase.value} ${written}` : phrase.value;
      send.click();
      pressed = null;
    });
    return button;
  });

  function sure({ label, confirm }) {
    const lost = box.read().trim() ? ' What you have written in the box is not sent.' : '';
    return confirmed({ title: `${label}?`, text: confirm + lost, yes: `Yes: ${label}`, no: 'Not yet' });
  }

  box.node.classList.add('phrases');
  box.node.append(el('div', { class: 'row end' }, buttons, send));
  return { ...box, sends: true, read: () => pressed ?? box.read() };
}
