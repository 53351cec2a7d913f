// The field "compass": four directions like arrow keys, and apart from them a button that ends the walk. A direction sends the whole form; arrow keys
// and a swipe over the compass do the same. A direction without a door looks different, but can be chosen: the move counts.
import { askToConfirm, comesFrom, el } from '/web/core/dom.js';

const WAYS = { north: '↑', west: '←', east: '→', south: '↓' };
const KEYS = { ArrowUp: 'north', ArrowDown: 'south', ArrowLeft: 'west', ArrowRight: 'east' };
const SWIPE_DISTANCE = 30; // pixels that make a touch a swipe
/** @type {{node: HTMLElement, press(way: string): void} | null} */
let activeCompass = null; // the compass on the page that arrow keys turn to: the last one made

addEventListener('keydown', (event) => {
  const way = KEYS[event.key];
  if (!way || !activeCompass?.node.isConnected || event.repeat || event.altKey || event.ctrlKey || event.metaKey)
    return;
  if (comesFrom(event, 'input, textarea, select, dialog, [data-arrows]')) return;
  event.preventDefault();
  activeCompass.press(way);
});

/**
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, { goal = '' }) {
  const open = new Set(field.open);
  const buttons = Object.entries(WAYS).map(([way, sign]) =>
    el(
      'button',
      {
        type: 'submit',
        class: `button choice way ${way}${open.has(way) ? '' : ' closed'}`,
        style: `grid-area: ${way}`,
        'data-choice': way,
        'data-field': field.name,
        'aria-label': open.has(way) ? `Go ${way}` : `Go ${way}: no door`,
        title: open.has(way) ? `Go ${way} (arrow key)` : `No door to the ${way}: you stay here, but the move counts`,
      },
      el('span', { 'aria-hidden': 'true' }, sign),
      el('span', {}, way),
    ),
  );
  const doneButton = el(
    'button',
    {
      type: 'submit',
      class: 'button choice done',
      style: 'grid-area: done',
      'data-choice': 'done',
      'data-field': field.name,
    },
    'Done',
  );
  let isConfirmed = false;
  doneButton.addEventListener('click', async (event) => {
    if (isConfirmed || !field.confirm) return;
    event.preventDefault();
    isConfirmed = await askToConfirm({
      title: 'Done?',
      text: [goal && `${goal}.`, field.confirm].filter(Boolean).join(' '),
      yes: 'Yes, done',
      no: 'Keep going',
    });
    if (isConfirmed) doneButton.click();
    isConfirmed = false;
  });
  const board = el('div', { class: 'compass' }, buttons, doneButton);
  const node = el('fieldset', { class: 'field', tabindex: '-1' }, el('legend', {}, field.label), board);
  const press = (way) => buttons.find(({ dataset }) => dataset.choice === way).click();
  /** @type {Touch | null} */
  let from = null;
  board.addEventListener('touchstart', ({ touches }) => (from = touches.length === 1 ? touches[0] : null), {
    passive: true,
  });
  board.addEventListener('touchend', (event) => {
    if (!from) return;
    const [dx, dy] = [event.changedTouches[0].clientX - from.clientX, event.changedTouches[0].clientY - from.clientY];
    from = null;
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPE_DISTANCE) return;
    event.preventDefault();
    press(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'east' : 'west') : dy > 0 ? 'south' : 'north');
  });
  activeCompass = { node, press };
  return {
    name: field.name,
    node,
    submits: true,
    read: () => '',
    write() {},
    validate: (value) => (value ? null : 'Choose a direction, or Done.'),
  };
}
