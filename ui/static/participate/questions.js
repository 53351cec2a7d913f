// The questions of surveys and of the check of the rules, as native form controls.
import { el } from '/web/core/dom.js';

let serial = 0;

/** Return {name, node, read} for a question; `read` gives the answer as the server takes it, null for none. */
export function questionField(question) {
  const id = `question-${(serial += 1)}`;
  const label = question.text + (question.optional ? ' (optional)' : '');
  return { name: question.name, ...FIELDS[question.kind](question, id, label) };
}

function group(label, ...children) {
  return el('fieldset', { class: 'question' }, el('legend', {}, label), ...children);
}

function inputs(type, options, id) {
  return options.map(({ value, text }, index) => {
    const input = el('input', { type, name: id, id: `${id}-${index}`, value });
    return el('label', { class: 'option', for: `${id}-${index}` }, input, el('span', {}, text));
  });
}

const checked = (node) => [...node.querySelectorAll('input:checked')].map((input) => input.value);
const asOptions = (texts) => texts.map((text) => ({ value: text, text }));

function single(label, options, id, attributes = {}) {
  const node = group(label, el('div', attributes, ...inputs('radio', options, id)));
  return { node, read: () => checked(node)[0] ?? null };
}

function typed(label, box, id) {
  const node = el('div', { class: 'question' }, el('label', { for: id }, label), box);
  return { node, read: () => box.value.trim() || null };
}

const FIELDS = {
  choice: ({ options }, id, label) => single(label, asOptions(options), id),
  choices({ options }, id, label) {
    const node = group(label, ...inputs('checkbox', asOptions(options), id));
    return { node, read: () => checked(node) };
  },
  scale(question, id, label) {
    const { low, high, low_label: lowLabel, high_label: highLabel } = question;
    const points = Array.from({ length: high - low + 1 }, (_, index) => String(low + index));
    const texts = points.map((point, index) => {
      const word = index === 0 ? lowLabel : index === points.length - 1 ? highLabel : '';
      return { value: point, text: word ? `${point} (${word})` : point };
    });
    return single(label, texts, id, { class: 'scale' });
  },
  number: (_, id, label) => typed(label, el('input', { type: 'text', inputmode: 'decimal', id }), id),
  text: ({ lines }, id, label) =>
    typed(label, lines > 1 ? el('textarea', { id, rows: lines }) : el('input', { type: 'text', id }), id),
};
