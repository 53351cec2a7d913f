// The field "choice": one of several options, as buttons that send at once, as radio buttons, or as a list.
import { el } from '/web/core/dom.js';

const MAX_BUTTONS = 6;
const MAX_RADIOS = 8; // beside other fields a choice takes less room

/** Whether a form of this one field is sent by pressing an option. */
export const sendsAtOnce = (field) => field.kind === 'choice' && field.options.length <= MAX_BUTTONS;

/**
 * `field` is {name, label, options: [{value, label}]}; `alone` says whether it is the form's only field.
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, { id, alone, statements }) {
  if (alone && sendsAtOnce(field)) return buttons(field);
  return field.options.length > MAX_RADIOS ? list(field, id) : radios(field, id, statements);
}

const legend = (field) => el('legend', {}, field.label);

function buttons(field) {
  const options = field.options.map(({ value, label }) =>
    el('button', { type: 'submit', class: 'button choice', 'data-choice': value }, label),
  );
  return {
    name: field.name,
    node: el('fieldset', { class: 'field', tabindex: '-1' }, legend(field), el('div', { class: 'choices' }, options)),
    read: () => '',
    write() {},
    validate: (value) => (value ? null : 'Press one of the buttons.'),
  };
}

function list(field, id) {
  const options = field.options.map(({ value, label }) => el('option', { value }, label));
  const select = el('select', { id, name: field.name }, el('option', { value: '' }, 'Choose…'), options);
  return {
    name: field.name,
    node: el('div', { class: 'field' }, el('label', { for: id }, field.label), select),
    read: () => select.value,
    write: (value) => (select.value = value),
    validate: (value) => (value ? null : `Choose: ${field.label}.`),
  };
}

/** Where an option is a player, what that player has said stands beside it. The only option is chosen already. */
function radios(field, id, statements) {
  const inputs = field.options.map(({ value }) => el('input', { type: 'radio', name: `${id}-${field.name}`, value }));
  const texts = field.options.map(({ value }) => statements(value));
  const labels = field.options.map(({ label }, index) =>
    el(
      'label',
      {},
      inputs[index],
      el('span', {}, label),
      texts[index].length > 0 && el('span', { class: 'hint', dir: 'auto' }, texts[index].join(' · ')),
    ),
  );
  if (inputs.length === 1) inputs[0].checked = true;
  return {
    name: field.name,
    node: el(
      'fieldset',
      { class: 'field pick', tabindex: '-1' },
      legend(field),
      el('div', { class: texts.some((said) => said.length) ? 'stack' : 'choices' }, labels),
    ),
    read: () => inputs.find((input) => input.checked)?.value ?? '',
    write: (value) => inputs.forEach((input) => (input.checked = input.value === value)),
    validate: (value) => (value ? null : `Choose: ${field.label}.`),
  };
}
