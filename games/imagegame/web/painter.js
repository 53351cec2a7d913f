// The field "paint": a board of cells, each empty or with a sign. A sign is picked and painted by mouse or finger, a row or
// column by its number; on the keyboard arrows go from cell to cell and letters are typed. What is sent is the board as
// text: signs with blanks between, a line a row. Knows boards, not games.
import { el } from '/web/core/dom.js';

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const MAX_BRUSHES = 4; // so many signs have a button each, the others are in a list

/** A board as rows of signs, from a text with blanks between signs and one line per row. */
export const parseBoard = (text) =>
  text
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/ +/));

/** A board as the text that is sent. */
export const formatBoard = (board) => board.map((row) => row.join(' ')).join('\n');

/**
 * `field` is {name, label, before, empty, signs, offered}: the board as it was, all signs, and those offered first.
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, { id }) {
  const painter = new Painter(field, id);
  return {
    name: field.name,
    node: painter.node,
    multiline: true,
    read: () => formatBoard(painter.board),
    write: (text) => painter.write(text),
    validate: () => null,
  };
}

const quietButton = (label, onclick) => el('button', { type: 'button', class: 'quiet', onclick }, label);

class Painter {
  #history = []; // boards before each stroke, for Undo
  #stroke = null; // the sign a drag puts down, null between drags
  #cursor = [0, 0]; // the cell that the keyboard is on

  constructor(field, id) {
    this.field = field;
    this.start = parseBoard(field.before);
    this.board = this.start.map((row) => [...row]);
    this.sign = field.offered[0] ?? null;
    this.offered = field.offered.slice(0, MAX_BRUSHES);
    this.brushes = el('span', { class: 'brushes', role: 'group', 'aria-label': 'What to paint with' });
    this.otherSigns = el('select', { id: `${id}-other`, 'aria-label': 'Another letter' });
    this.undo = quietButton('Undo', () => this.#undoStroke());
    this.reset = quietButton('As it was', () => this.#change(() => (this.board = this.start.map((row) => [...row]))));
    this.message = el('p', { class: 'visually-hidden', role: 'status' });
    this.cells = this.start.map((row, r) =>
      row.map((_, c) => el('button', { type: 'button', 'data-cell': `${r} ${c}` })),
    );
    this.table = this.#buildTable();
    this.node = this.#layOut();
    this.#listen();
    this.#showPalette();
    this.#draw();
  }

  // ------------------------------------------------------------------ the parts
  #buildTable() {
    const { label } = this.field;
    const rows = this.start.map((_, r) => r);
    const columns = this.start[0].map((_, c) => c);
    const head = (kind, number, cells) => el('th', {}, this.#lineButton(kind, number, cells));
    return el(
      'table',
      { class: 'grid paintable', 'data-arrows': '' },
      el('caption', { class: 'visually-hidden' }, `${label}: ${rows.length} rows, ${columns.length} columns`),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('td', { class: 'corner' }),
          columns.map((c) =>
            head(
              'column',
              c + 1,
              rows.map((r) => [r, c]),
            ),
          ),
        ),
      ),
      el(
        'tbody',
        {},
        this.cells.map((row, r) =>
          el(
            'tr',
            {},
            head(
              'row',
              r + 1,
              columns.map((c) => [r, c]),
            ),
            row.map((button) => el('td', {}, button)),
          ),
        ),
      ),
    );
  }

  /** The number of a row or column, which paints all of it, or takes the sign away where all of it has it. */
  #lineButton(kind, number, places) {
    const label = `Paint ${kind} ${number}`;
    const attributes = { type: 'button', tabindex: '-1', title: label, 'aria-label': label };
    const paint = () => {
      if (!this.sign) return this.#askForSign();
      const isFilled = places.every(([r, c]) => this.board[r][c] === this.sign);
      return this.#change(() => {
        for (const [r, c] of places) this.board[r][c] = isFilled ? this.field.empty : this.sign;
      });
    };
    return el('button', { ...attributes, onclick: paint }, String(number));
  }

  #layOut() {
    const touch = matchMedia('(pointer: coarse)').matches;
    const keys = touch ? '' : ' By keyboard: arrow keys, letters, Delete.';
    const hint = `Pick a letter, then ${touch ? 'tap' : 'click'} or drag over cells; a number paints its whole row or column.${keys}`;
    return el(
      'fieldset',
      { class: 'field paint', tabindex: '-1' },
      el('legend', {}, this.field.label),
      el('div', { class: 'palette' }, this.brushes, el('span', { class: 'tools' }, this.undo, this.reset)),
      this.table,
      el('p', { class: 'hint' }, hint),
      this.message,
    );
  }

  // ------------------------------------------------------------------ painting
  #askForSign() {
    this.message.textContent = 'Pick a letter first.';
    this.node.classList.add('unpicked');
    (this.brushes.querySelector('button') ?? this.otherSigns).focus();
  }

  #begin() {
    this.#history.push(this.board.map((row) => [...row]));
  }

  /** A stroke is over: one that changed nothing needs no Undo. */
  #end() {
    if (String(this.#history.at(-1)) === String(this.board)) this.#history.pop();
    this.#draw();
    this.node.dispatchEvent(new Event('input', { bubbles: true })); // the form keeps a draft
  }

  #change(paint) {
    this.#begin();
    paint();
    this.#end();
  }

  #undoStroke() {
    this.board = this.#history.pop();
    this.#draw();
    this.node.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #set(r, c, sign) {
    this.#change(() => (this.board[r][c] = sign));
    this.message.textContent = this.cells[r][c].getAttribute('aria-label');
  }

  #choose(sign) {
    this.sign = sign;
    if (sign !== this.field.empty && !this.offered.includes(sign)) {
      this.offered.unshift(sign);
      this.offered.length = Math.min(this.offered.length, MAX_BRUSHES);
    }
    this.node.classList.remove('unpicked');
    this.#showPalette();
  }

  write(text) {
    const draft = parseBoard(text);
    const { start } = this;
    if (draft.length !== start.length || draft.some((row, r) => row.length !== start[r].length)) return;
    this.board = draft;
    this.#draw();
  }

  // ------------------------------------------------------------------ drawing
  #showPalette() {
    const brush = (value, label, name) => {
      const isPicked = String(value === this.sign);
      const attributes = { type: 'button', class: 'button brush', 'aria-pressed': isPicked, 'aria-label': name };
      return el('button', { ...attributes, onclick: () => this.#choose(value) }, label);
    };
    const list = this.field.signs
      .filter((letter) => !this.offered.includes(letter))
      .map((letter) => el('option', { value: letter }, letter));
    const first = el('option', { value: '' }, this.offered.length ? 'Other…' : 'Letter…');
    this.otherSigns.replaceChildren(first, ...list);
    this.otherSigns.value = '';
    this.brushes.replaceChildren(
      ...this.offered.map((letter) => brush(letter, letter, `Paint ${letter}`)),
      this.otherSigns,
      brush(this.field.empty, 'Erase', 'Erase'),
    );
  }

  #draw() {
    this.cells.forEach((row, r) =>
      row.forEach((button, c) => {
        const now = this.board[r][c];
        const blank = now === this.field.empty;
        const isChanged = now !== this.start[r][c];
        button.textContent = blank ? '' : now;
        button.className = `cell ${blank ? 'blank' : 'filled'}${isChanged ? ' changed' : ''}`;
        button.setAttribute('aria-label', `row ${r + 1}, column ${c + 1}: ${blank ? 'empty' : now}`);
        button.tabIndex = r === this.#cursor[0] && c === this.#cursor[1] ? 0 : -1;
      }),
    );
    setClosed(this.undo, !this.#history.length);
    setClosed(this.reset, String(this.board) === String(this.start));
  }

  // ------------------------------------------------------------------ mouse, finger, keyboard
  #moveTo(r, c, focus = true) {
    this.#cursor = [r, c];
    this.#draw();
    if (focus) this.cells[r][c].focus({ preventScroll: true });
  }

  #cellUnder(event) {
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-cell]');
    return button instanceof HTMLElement && this.table.contains(button) ? placeOf(button) : null;
  }

  #listen() {
    const { table, otherSigns } = this;
    table.addEventListener('pointerdown', (event) => this.#beginStroke(event));
    table.addEventListener('pointermove', (event) => {
      const cell = this.#stroke !== null && this.#cellUnder(event);
      if (!cell) return;
      this.board[cell[0]][cell[1]] = this.#stroke;
      this.#moveTo(cell[0], cell[1], false);
    });
    for (const over of ['pointerup', 'pointercancel'])
      table.addEventListener(over, () => {
        if (this.#stroke === null) return;
        this.#stroke = null;
        this.#end();
      });
    table.addEventListener('focusin', ({ target }) => {
      const place = placeOf(target);
      if (place) this.#moveTo(place[0], place[1], false);
    });
    // By the keyboard or a screen reader a cell is pressed without a pointer.
    table.addEventListener('click', (event) => {
      const place = event.target instanceof Element ? placeOf(event.target.closest('[data-cell]')) : null;
      if (!place || event.detail) return;
      if (!this.sign) return void this.#askForSign();
      const [r, c] = place;
      this.#set(r, c, this.board[r][c] === this.sign ? this.field.empty : this.sign);
    });
    this.node.addEventListener('keydown', (event) => this.#onKey(event));
    otherSigns.addEventListener('change', () => otherSigns.value && this.#choose(otherSigns.value));
    otherSigns.addEventListener('input', (event) => event.stopPropagation()); // picking a letter changes no draft
  }

  #beginStroke(event) {
    const cell = event.button === 0 && this.#cellUnder(event);
    if (!cell || this.cells[0][0].disabled) return;
    event.preventDefault();
    if (!this.sign) return void this.#askForSign();
    const [r, c] = cell;
    // over a cell that has the sign already a drag takes it away
    this.#stroke = this.board[r][c] === this.sign ? this.field.empty : this.sign;
    this.#begin();
    this.board[r][c] = this.#stroke;
    this.#moveTo(r, c);
    this.table.setPointerCapture(event.pointerId);
  }

  #onKey(event) {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (event.target === this.otherSigns || hasModifier || this.cells[0][0].disabled) return;
    const onCell = Boolean(event.target.dataset?.cell);
    const typedSign = this.field.signs.find((letter) => letter.toLowerCase() === event.key.toLowerCase());
    const [row, column] = this.#cursor;
    if (STEPS[event.key]) {
      const [r, c] = onCell ? [row + STEPS[event.key][0], column + STEPS[event.key][1]] : [row, column];
      if (this.board[r]?.[c] !== undefined) this.#moveTo(r, c);
    } else if (typedSign) {
      this.#choose(typedSign);
      if (onCell) this.#set(row, column, typedSign);
    } else if (onCell && (event.key === 'Delete' || event.key === 'Backspace'))
      this.#set(row, column, this.field.empty);
    else return;
    event.preventDefault();
  }
}

/** The row and column of a cell's button; null for anything else. */
const placeOf = (node) => node?.dataset?.cell?.split(' ').map(Number) ?? null;

/** Disable a button so that the form, once it is no longer sending, leaves it so. */
function setClosed(button, closed) {
  button.toggleAttribute('data-closed', closed);
  button.disabled = closed;
}
