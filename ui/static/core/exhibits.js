// What lies on the table in front of somebody: grids as cells, other texts preformatted, pictures that can be enlarged,
// and exhibits of kinds that a game draws itself. Used by the table, the watch page, the episode page, the debriefing.
import { drawArrows, statementList } from '/web/core/arrows.js';
import { lineChart } from '/web/core/charts.js';
import { copyButton, displayText, el } from '/web/core/dom.js';
import { openPicture } from '/web/core/lightbox.js';
import { areLoaded, loadWidgets, widget } from '/web/core/widgets.js';

const EMPTY = '▢';
const FRAME_MARGIN = 0.012; // share of the picture's longer side between what differs and the frame around it

/** Rows of cells if the text is a grid (equal rows of single signs with blanks between), else null. */
export function parseGrid(text) {
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

/** Show a picture over the whole window. `width` is how wide it was: where it can hardly get wider, it is zoomed at once. */
export function openLightbox(item, width) {
  const widest = Math.min(innerWidth - 40, (innerHeight - 150) * (item.width / item.height));
  openPicture(item, pictureWithMarks(item), widest < 1.25 * width ? 2 : 1);
}

/** Tell the style sheet how wide a picture is for its height. */
const setRatio = (node, { width, height }) => node.style.setProperty('--ratio', String(width / height));

/** The image and the boxes of its marks. */
function pictureWithMarks(item) {
  const { width, height } = item;
  const image = el('img', { src: item.picture, alt: item.alt ?? item.title, width, height, draggable: 'false' });
  setRatio(image, item);
  const boxes = (item.boxes ?? []).map(([x, y, w, h]) => {
    const box = el('span', { class: 'box', 'aria-hidden': 'true' });
    const part = (length, whole) => `${(100 * length) / whole}%`;
    const margin = FRAME_MARGIN * Math.max(width, height); // beside what differs, not on it
    const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
    Object.assign(box.style, {
      left: part(left, width),
      top: part(top, height),
      width: part(Math.min(width, x + w + margin) - left, width),
      height: part(Math.min(height, y + h + margin) - top, height),
    });
    return box;
  });
  return [image, ...boxes];
}

function picture(item) {
  const open = (event) => openLightbox(item, event.currentTarget.clientWidth);
  const name = `Enlarge: ${item.alt ?? item.title}`;
  const attributes = { type: 'button', class: 'picture', 'aria-label': name, onclick: open };
  const button = el('button', attributes, ...pictureWithMarks(item));
  setRatio(button, item);
  return button;
}

/** What was said and done, a line each: {head: [words], rows: [[words]]}. The newest is in sight. */
function listingTable({ head, rows }, title) {
  const cell = (tag) => (words) => el(tag, { dir: 'auto' }, displayText(String(words ?? '')));
  const box = el(
    'div',
    { class: 'listing', tabindex: '0', role: 'group', 'aria-label': title },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, head.map(cell('th')))),
      el(
        'tbody',
        {},
        rows.map((row) => el('tr', {}, row.map(cell('td')))),
      ),
    ),
  );
  requestAnimationFrame(() => (box.scrollTop = box.scrollHeight));
  return box;
}

/** Whether there are so many grids or pictures that they are laid out side by side. */
export const isSideBySide = (items) => items.filter((item) => item.picture || parseGrid(item.grid ?? '')).length > 2;

/** An exhibit's picture or grid alone, to be shown on something else, such as a choice. */
export function exhibitBody(item) {
  if (item.picture) return pictureWithMarks(item)[0];
  const text = displayText(item.grid ?? '');
  const rows = parseGrid(text);
  return rows ? gridTable(item.title, rows, []) : el('pre', {}, text);
}

/**
 * One exhibit: {title} with {grid, marks?, mark?}, {picture, alt?, width, height, credit?, boxes?}, {arrows}, {sayings},
 * {numbers}, {curves} or {listing}, or with content of a kind that a game draws (its key is the kind). `marked` ("target",
 * "right", "wrong") frames it; its title says what the frame means.
 */
export function drawExhibit(item, { copyable = false } = {}) {
  const figure = el(
    'figure',
    { class: item.marked ? `exhibit marked ${item.marked}` : 'exhibit' },
    el('figcaption', {}, item.title),
  );
  const kind = BUILT_IN.find((name) => name in item) ?? (widgetKinds([item]).length ? null : 'grid');
  if (kind) figure.append(...DRAWINGS[kind](item, copyable).filter(Boolean));
  else drawWidget(item, figure);
  return figure;
}

/** How each built-in kind of content is drawn. */
const DRAWINGS = {
  picture: (item) => [picture(item), credit(item)],
  arrows: (item) => [drawArrows(item.arrows, item.title)],
  sayings: (item) => [statementList(item.sayings)],
  numbers: (item) => [figureList(item.numbers)],
  curves: (item) => [lineChart(item.curves)],
  listing: (item) => [listingTable(item.listing, item.title)],
  grid: drawGrid,
};

function figureList(numbers) {
  const row = ({ label, value }) => el('div', {}, el('dt', {}, label), el('dd', {}, String(value)));
  return el('dl', { class: 'figures' }, numbers.map(row));
}

function drawGrid(item, copyable) {
  const text = displayText(item.grid ?? '');
  if (text && text.length < 40 && !text.includes('\n')) return [el('p', { class: 'short', dir: 'auto' }, text)]; // a word
  const rows = parseGrid(text);
  return [
    rows
      ? gridTable(item.title, rows, item.marks ?? [], item.mark)
      : el('pre', { tabindex: '0', 'aria-label': item.title }, text),
    copyable && copyButton('Copy as text', () => item.grid, { class: 'quiet copy-grid' }),
  ];
}

const BUILT_IN = Object.keys(DRAWINGS);
const ATTRIBUTES = ['title', 'seat', 'marked', 'marks', 'mark', 'alt', 'width', 'height', 'credit', 'boxes'];

/** The kinds of content in these exhibits that only a game's widget can draw. */
const widgetKinds = (items) =>
  items.flatMap((item) =>
    BUILT_IN.some((kind) => kind in item) ? [] : Object.keys(item).filter((key) => !ATTRIBUTES.includes(key)),
  );

/** Load what drawing these exhibits takes, so that they are drawn at once. */
export const loadExhibits = (items) => loadWidgets('exhibits', widgetKinds(items));

/** Draw content of a kind that a game brings, as soon as its widget is loaded. */
function drawWidget(item, figure) {
  const kinds = widgetKinds([item]);
  const draw = () => {
    for (const kind of kinds) {
      const module = widget('exhibits', kind);
      if (module?.drawExhibit) figure.append(module.drawExhibit(item[kind], item.title));
      else if (module)
        figure.append(el('p', { class: 'problem' }, 'This cannot be shown. Reload the page to try again.'));
    }
  };
  if (areLoaded('exhibits', kinds)) draw();
  else loadWidgets('exhibits', kinds).then(draw);
}
