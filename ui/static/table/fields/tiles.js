// The field "shown": the exhibits in front of the seat, to be clicked. A click or a number key chooses, and only the
// button below sends, because people also click a picture to look at it. On a phone the chosen one is shown large.
import { comesFrom, el } from '/web/core/dom.js';
import { exhibitBody, openLightbox } from '/web/core/exhibits.js';

/** @type {{node: HTMLElement, choose(index: number): void} | null} */
let current = null; // the tiles on the page that number keys turn to: the last ones made

addEventListener('keydown', (event) => {
  if (!current?.node.isConnected || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!/^[1-9]$/.test(event.key) || comesFrom(event, 'input[type=text], textarea, select, dialog')) return;
  current.choose(Number(event.key) - 1);
});

/**
 * `field.options` are {value, label, shown}: `shown` is the title of one of the `exhibits`.
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, { id, exhibits }) {
  const items = field.options.map(({ shown }) => exhibits.find(({ title }) => title === shown));
  const radios = field.options.map(({ value }) => el('input', { type: 'radio', name: `${id}-${field.name}`, value }));
  const hint = items.some((item) => item?.picture) ? el('p', { class: 'hint' }, 'Tap one to see it large.') : '';
  const large = el('div', { class: 'large', 'aria-hidden': 'true' });
  const tiles = field.options.map(({ label }, index) => {
    const item = items[index];
    const key = el('kbd', { 'aria-hidden': 'true' }, String(index + 1));
    const name = el('span', { class: 'name' }, radios[index], key, label);
    return el(
      'div',
      { class: 'tile' },
      el('label', {}, item && exhibitBody(item), name),
      item?.picture && magnifier(item, label),
    );
  });
  const grid = el('div', { class: 'tiles' }, tiles);
  const node = el('fieldset', { class: 'field', tabindex: '-1' }, el('legend', {}, field.label), large, grid);
  const showLarge = () => {
    const chosen = items[radios.findIndex((radio) => radio.checked)];
    large.replaceChildren(chosen?.picture ? exhibitBody(chosen) : hint);
  };
  node.addEventListener('change', showLarge);
  showLarge();
  current = {
    node,
    choose(index) {
      if (!radios[index] || radios[index].disabled) return;
      radios[index].focus();
      radios[index].click();
    },
  };
  return {
    name: field.name,
    node,
    read: () => radios.find((radio) => radio.checked)?.value ?? '',
    write(value) {
      radios.forEach((radio) => (radio.checked = radio.value === value));
      showLarge();
    },
    validate: (value) => (value ? null : 'Choose one of them first.'),
  };
}

function magnifier(item, label) {
  const open = (event) => openLightbox(item, event.currentTarget.closest('.tile').clientWidth);
  const name = { 'aria-label': `Enlarge: ${label}`, title: 'Enlarge' };
  return el('button', { type: 'button', class: 'button small loupe', ...name, onclick: open }, '⤢');
}
