// What lies on the table in front of somebody: grids as cells, other exhibits as preformatted text, pictures that
// enlarge on a click. Used by the table, the watch page and the debriefing.
import { arrows, sayings } from '/web/arrows.js';
import { growth } from '/web/curves.js';
import { copyButton, el, visible } from '/web/dom.js';
import { drawing } from '/web/graph.js';

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

/** A grid as a table with numbered rows and columns; `marks` are [row, column] pairs from 0, `mark` says what of. */
function gridTable(title, rows, marks, mark = 'different') {
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
        const name = (sign === EMPTY ? 'empty' : sign) + (differs ? `, ${mark}` : '');
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

/** Where a picture comes from and on which terms, for sets that ask for it. */
const credit = (item) => (item.credit ? el('p', { class: 'credit' }, item.credit) : null);

/**
 * The picture over the whole window, its marks with it; a click on it shows it twice as large, to be moved about. Where
 * the window hardly gives it more room than the `width` it had (a phone), it is shown so at once.
 */
export function enlarged(item, width) {
  const sheet = el('button', { type: 'button', class: 'picture', 'aria-pressed': 'false' }, ...shown(item));
  const view = el('div', { class: 'view' }, sheet);
  sheet.setAttribute('aria-label', `${item.alt ?? item.title}, closer`);
  sheet.style.setProperty('--ratio', String(item.width / item.height));
  const turn = (across, down) => {
    const closer = view.classList.toggle('closer');
    sheet.setAttribute('aria-pressed', String(closer));
    view.scrollLeft = across * view.scrollWidth - view.clientWidth / 2;
    view.scrollTop = down * view.scrollHeight - view.clientHeight / 2;
  };
  sheet.addEventListener('click', (event) => {
    const { left, top, width, height } = sheet.getBoundingClientRect();
    if (event.detail) turn((event.clientX - left) / width, (event.clientY - top) / height);
    else turn(0.5, 0.5); // by the keyboard
  });
  const dialog = el(
    'dialog',
    { class: 'ludens lightbox', 'aria-label': item.title },
    el('form', { method: 'dialog' }, el('button', { class: 'button' }, 'Close')),
    view,
    credit(item),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  if (sheet.clientWidth < 1.25 * width) turn(0.5, 0.5);
}

/** The image and the boxes of its marks. */
function shown(item) {
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
  return [image, ...boxes];
}

function picture(item) {
  const open = (event) => enlarged(item, event.currentTarget.clientWidth);
  const name = `Enlarge: ${item.alt ?? item.title}`;
  return el('button', { type: 'button', class: 'picture', 'aria-label': name, onclick: open }, ...shown(item));
}

/** What was said and done, a line each: {head: [words], rows: [[words]]}. The newest is in sight. */
function listing({ head, rows }, title) {
  const cell = (tag) => (words) => el(tag, { dir: 'auto' }, visible(String(words ?? '')));
  const box = el(
    'div',
    { class: 'listing', tabindex: '0', role: 'group', 'aria-label': title },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, head.map(cell('th')))),
      el('tbody', {}, rows.map((row) => el('tr', {}, row.map(cell('td'))))),
    ),
  );
  requestAnimationFrame(() => (box.scrollTop = box.scrollHeight));
  return box;
}

/** Whether so many things to look at, grids or pictures, lie there that they belong beside each other. */
export const abreast = (items) => items.filter((item) => item.picture || cells(item.grid ?? '')).length > 2;

/** An exhibit's picture or grid alone, to be shown on something else, such as a choice. */
export function face(item) {
  if (item.picture) return shown(item)[0];
  const text = visible(item.grid ?? '');
  const rows = cells(text);
  return rows ? gridTable(item.title, rows, []) : el('pre', {}, text);
}

/**
 * One exhibit: {title} with {grid, marks?, mark?}, {picture, alt?, width, height, credit?, boxes?}, {graph}, {numbers},
 * {curves} or {listing}. `marked` ("target", "right", "wrong") frames it; what the frame means is said by its title.
 */
export function exhibit(item, { copyable = false } = {}) {
  const kind = item.marked ? `exhibit marked ${item.marked}` : 'exhibit';
  const figure = el('figure', { class: kind }, el('figcaption', {}, item.title));
  if (item.picture) {
    figure.append(picture(item), ...[credit(item)].filter(Boolean));
    return figure;
  }
  if (item.arrows || item.sayings) {
    figure.append(item.arrows ? arrows(item.arrows, item.title) : sayings(item.sayings));
    return figure;
  }
  if (item.graph) {
    figure.append(drawing(item.graph, item.title));
    return figure;
  }
  if (item.curves) {
    figure.append(growth(item.curves));
    return figure;
  }
  if (item.listing) {
    figure.append(listing(item.listing, item.title));
    return figure;
  }
  if (item.numbers) {
    const row = ({ label, value }) => el('div', {}, el('dt', {}, label), el('dd', {}, String(value)));
    figure.append(el('dl', { class: 'figures' }, item.numbers.map(row)));
    return figure;
  }
  const text = visible(item.grid ?? '');
  if (text && text.length < 40 && !text.includes('\n')) {
    figure.append(el('p', { class: 'short', dir: 'auto' }, text)); // a word, a name: nothing to lay out or to copy
    return figure;
  }
  const rows = cells(text);
  figure.append(
    rows ? gridTable(item.title, rows, item.marks ?? [], item.mark) : el('pre', { tabindex: '0', 'aria-label': item.title }, text),
  );
  if (copyable) figure.append(copyButton('Copy as text', () => item.grid, { class: 'quiet copy-grid' }));
  return figure;
}
