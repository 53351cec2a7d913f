// What lies on the table in front of somebody: grids as cells, other exhibits as preformatted text, pictures that
// enlarge on a click. Used by the table, the watch page and the debriefing.
import { copyButton, el, visible } from '/web/dom.js';

const EMPTY = '▢';

/** Rows of cells if the text is a grid (equal rows of single signs with blanks between), else null. */
export function cells(text) {
  const rows = text
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/ +/));
  const even = rows.length > 1 && rows[0].length > 1 && rows.every((row) => row.length === rows[0].length);
  return even && rows.flat().every((cell) => [...cell].length === 1) ? rows : null;
}

/** A grid as a table with numbered rows and columns; `marks` are [row, column] pairs counted from 0. */
function gridTable(title, rows, marks) {
  const marked = new Set(marks.map(([row, column]) => `${row},${column}`));
  const head = el(
    'tr',
    {},
    el('td', { class: 'corner' }),
    rows[0].map((_, column) => el('th', { scope: 'col', 'aria-label': `column ${column + 1}` }, String(column + 1))),
  );
  const body = rows.map((row, r) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row', 'aria-label': `row ${r + 1}` }, String(r + 1)),
      row.map((sign, c) => {
        const differs = marked.has(`${r},${c}`);
        const name = (sign === EMPTY ? 'empty' : sign) + (differs ? ', different' : '');
        const kind = (sign === EMPTY ? 'cell blank' : 'cell filled') + (differs ? ' differs' : '');
        return el('td', { class: kind, 'aria-label': name }, sign);
      }),
    ),
  );
  return el(
    'table',
    { class: 'grid' },
    el('caption', { class: 'visually-hidden' }, `${title}: ${rows.length} rows, ${rows[0].length} columns`),
    el('thead', {}, head),
    el('tbody', {}, body),
  );
}

function enlarged(item) {
  const dialog = el(
    'dialog',
    { class: 'ludens lightbox', 'aria-label': item.title },
    el('form', { method: 'dialog' }, el('button', { class: 'button' }, 'Close')),
    el('img', { src: item.picture, alt: item.alt ?? item.title, width: item.width, height: item.height }),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function picture(item) {
  const { width, height } = item;
  const image = el('img', { src: item.picture, alt: item.alt ?? item.title, width, height, draggable: 'false' });
  const boxes = (item.boxes ?? []).map(([x, y, w, h]) => {
    const box = el('span', { class: 'box', 'aria-hidden': 'true' });
    const part = (length, whole) => `${(100 * length) / whole}%`;
    Object.assign(box.style, {
      left: part(x, width),
      top: part(y, height),
      width: part(w, width),
      height: part(h, height),
    });
    return box;
  });
  const open = () => enlarged(item);
  const name = `Enlarge: ${item.alt ?? item.title}`;
  return el('button', { type: 'button', class: 'picture', 'aria-label': name, onclick: open }, image, boxes);
}

/** One exhibit: {title, grid, marks?} or {title, picture, alt?, width, height, boxes?}. */
export function exhibit(item, { copyable = false } = {}) {
  const figure = el('figure', { class: 'exhibit' }, el('figcaption', {}, item.title));
  if (item.picture) {
    figure.append(picture(item));
    return figure;
  }
  const text = visible(item.grid ?? '');
  const rows = cells(text);
  figure.append(
    rows ? gridTable(item.title, rows, item.marks ?? []) : el('pre', { tabindex: '0', 'aria-label': item.title }, text),
  );
  if (copyable) figure.append(copyButton('Copy as text', () => item.grid, { class: 'quiet copy-grid' }));
  return figure;
}
