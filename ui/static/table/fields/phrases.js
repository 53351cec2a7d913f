// The field "phrases": a text box with set phrases beside its Send button. A phrase sends the whole form: by itself, or in
// front of what is written if it `joins`. A phrase with `confirm` asks back first.
import { askToConfirm, el } from '/web/core/dom.js';
import { createField as createTextField } from '/web/table/fields/text.js';

/** The text that pressing a phrase sends. */
export function composePhrase(phrase, written) {
  const text = written.trim();
  return phrase.joins && text ? `${phrase.value} ${text}` : phrase.value;
}

/**
 * `field` is a text field with {submit, phrases: [{value, label, joins?, confirm?}]}.
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, context) {
  const text = createTextField(field, context);
  let pressed = null; // the phrase that is being sent
  const send = el('button', { type: 'submit', class: 'button primary send', 'data-label': field.submit }, field.submit);
  const buttons = field.phrases.map((phrase) => {
    const button = el('button', { type: 'button', class: 'button phrase' }, phrase.label);
    button.addEventListener('click', async () => {
      if (phrase.confirm && !(await isConfirmed(phrase))) return;
      pressed = composePhrase(phrase, text.read());
      send.click();
      pressed = null;
    });
    return button;
  });

  function isConfirmed({ label, confirm }) {
    const warning = text.read().trim() ? ' What you have written in the box is not sent.' : '';
    return askToConfirm({ title: `${label}?`, text: confirm + warning, yes: `Yes: ${label}`, no: 'Not yet' });
  }

  text.node.classList.add('phrases');
  text.node.append(el('div', { class: 'row end' }, buttons, send));
  return { ...text, submits: true, read: () => pressed ?? text.read() };
}
