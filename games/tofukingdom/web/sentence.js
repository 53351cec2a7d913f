// The field "sentence": one of some sentences, some with a gap and a list of what may fill it. Its value is the sentence
// as it is sent. Knows sentences, not games.
import { el } from '/web/core/dom.js';

/** The sentence that is sent; "" while its gap is empty. */
export const composeSentence = ({ text, fill }, word = '') => (fill ? (word ? text.replace('{}', word) : '') : text);

/** What fills the gap of a sentence that was composed before, or undefined. */
export const findFill = (sentence, value) => sentence.fill?.find((word) => composeSentence(sentence, word) === value);

/**
 * `field` is {name, label, sentences: [{text, fill?}]}; a gap is written {}.
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, { id }) {
  const options = field.sentences.map((sentence, index) => {
    const { text, fill } = sentence;
    const radio = el('input', { type: 'radio', name: `${id}-${field.name}`, value: String(index) });
    if (!fill) return { radio, words: () => text, node: el('label', {}, radio, el('span', {}, text)) };
    const [before, after] = text.split('{}');
    const gap = el(
      'select',
      { 'aria-label': text.replace('{}', '…') },
      el('option', { value: '' }, '…'),
      fill.map((word) => el('option', { value: word }, word)),
    );
    gap.addEventListener('input', () => (radio.checked = true));
    radio.addEventListener('input', () => radio.checked && !gap.value && gap.focus());
    return {
      radio,
      gap,
      words: () => composeSentence(sentence, gap.value),
      node: el('label', {}, radio, el('span', {}, before.trimEnd(), ' ', gap, after)),
      fits: (value) => findFill(sentence, value),
    };
  });
  const selectedOption = () => options.find(({ radio }) => radio.checked);
  const node = el(
    'fieldset',
    { class: 'field pick sentences', tabindex: '-1' },
    el('legend', {}, field.label),
    el(
      'div',
      { class: 'choices' },
      options.map((option) => option.node),
    ),
  );
  return {
    name: field.name,
    node,
    read: () => selectedOption()?.words() ?? '',
    write(value) {
      for (const option of options) {
        const filled = option.fits?.(value);
        option.radio.checked = option.gap ? Boolean(filled) : option.words() === value && value !== '';
        if (filled) option.gap.value = filled;
      }
    },
    validate: (value) =>
      value ? null : selectedOption() ? 'Fill the gap in the question.' : `Choose: ${field.label}.`,
  };
}
