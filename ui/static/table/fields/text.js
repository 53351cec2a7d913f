// The field "text": a box of one line or of several, with suggestions of what could be written.
import { el } from '/web/core/dom.js';

const LONG = 60; // words from which a hint says that fewer are enough
const MAX_LENGTH = 200_000; // characters; the server refuses more

const isNarrow = () => matchMedia('(max-width: 820px), (max-height: 620px)').matches;

/** What keeps a text from being sent, or null. */
export function textProblem(field, value) {
  if (!field.optional && !value.trim()) return 'Nothing is written yet.';
  if (value.length > MAX_LENGTH && [...value].length > MAX_LENGTH) {
    return `That is ${[...value].length.toLocaleString('en')} characters; at most ${MAX_LENGTH.toLocaleString('en')} can be sent. Your text is still here.`;
  }
  return null;
}

/**
 * `field` is {name, label, lines?, hint?, words?, private?, optional?, suggestions?}.
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, { id, single }) {
  const multiline = (field.lines ?? 1) > 1;
  const hints = [
    field.hint ?? field.words,
    field.private && 'Private: the others never see this.',
    field.optional && 'May stay empty.',
  ].filter(Boolean);
  const attributes = {
    id,
    name: field.name,
    dir: 'auto',
    autocomplete: 'off',
    placeholder: single && isNarrow() ? field.label : null, // its label is hidden there
    'aria-describedby': hints.length ? `${id}-hint` : null,
  };
  const box = multiline
    ? el('textarea', { ...attributes, rows: field.lines })
    : el('input', { ...attributes, type: 'text', enterkeyhint: 'send' });
  if (multiline) box.style.setProperty('--lines', field.lines);
  const node = el(
    'div',
    { class: field.private ? 'field private' : 'field' },
    el('label', { for: id }, field.label),
    box,
    field.suggestions ? suggestionButtons(field.suggestions, box) : null,
    el(
      'div',
      { class: 'below' },
      hints.length ? el('p', { class: 'hint', id: `${id}-hint` }, hints.join(' ')) : null,
      multiline && !field.optional ? wordCounter(box) : null,
    ),
  );
  return {
    name: field.name,
    node,
    multiline,
    enterSends: (field.lines ?? 1) <= 2,
    read: () => box.value,
    write(value) {
      box.value = value;
      box.dispatchEvent(new Event('written'));
    },
    validate: (value) => textProblem(field, value),
  };
}

/** How many words stand in a box, and from `LONG` words on that fewer do. It cuts nothing. */
function wordCounter(box) {
  const node = el('p', { class: 'hint counter', 'aria-live': 'polite' });
  const count = () => {
    node.textContent = counterText(box.value);
  };
  box.addEventListener('input', count);
  box.addEventListener('written', count);
  return node;
}

/** "1 word", "12 words", "80 words: a sentence or two is enough"; nothing for an empty text. */
export function counterText(text) {
  const words = text.trim().split(/\s+/).filter(Boolean).length;
  if (!words) return '';
  const number = `${words.toLocaleString('en')} word${words === 1 ? '' : 's'}`;
  return words > LONG ? `${number}: a sentence or two is enough` : number;
}

/** Buttons that write a sentence into a box: [[label, text]]. What is written can still be changed. */
function suggestionButtons(suggestions, box) {
  const write = (text) => () => {
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    if (!matchMedia('(pointer: coarse)').matches) box.focus();
  };
  const buttons = suggestions.map(([label, text]) =>
    el('button', { type: 'button', class: 'button offer', title: text, onclick: write(text) }, label),
  );
  return el('div', { class: 'offers', role: 'group', 'aria-label': 'Write for me' }, buttons);
}
