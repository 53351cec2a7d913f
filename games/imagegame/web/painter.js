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
  const touch = matchMedia('(pointer: coarse)').matches;
  const startBoard = parseBoard(field.before);
  let board = startBoard.map((row) => [...row]);
  const history = []; // boards before each stroke, for Undo
  let sign = field.offered[0] ?? null;
  let stroke = null; // the sign a drag puts down, null between drags
  let cursor = [0, 0]; // the cell that the keyboard is on

  const offered = [...field.offered.slice(0, MAX_BRUSHES)];
  const brushes = el('span', { class: 'brushes', role: 'group', 'aria-label': 'What to paint with' });
  const otherSigns = el('select', { id: `${id}-other`, 'aria-label': 'Another letter' });
  const undo = el('button', { type: 'button', class: 'quiet' }, 'Undo');
  const reset = el('button', { type: 'button', class: 'quiet' }, 'As it was');
  const message = el('p', { class: 'visually-hidden', role: 'status' });
  const cells = startBoard.map((row, r) =>
    row.map((_, c) => el('button', { type: 'button', 'data-cell': `${r} ${c}` })),
  );
  const lineButton = (kind, number, getCells) => {
    const button = el('button', { type: 'button', tabindex: '-1', title: `Paint ${kind} ${number}` }, String(number));
    button.setAttribute('aria-label', `Paint ${kind} ${number}`);
    button.addEventListener('click', () => {
      if (!sign) return askForSign();
      const lineCells = getCells();
      const isFilled = lineCells.every(([r, c]) => board[r][c] === sign);
      begin();
      for (const [r, c] of lineCells) put(r, c, isFilled ? field.empty : sign);
      return end();
    });
    return button;
  };
  const rowCells = (r) => startBoard[r].map((_, c) => [r, c]);
  const columnCells = (c) => startBoard.map((_, r) => [r, c]);
  const table = el(
    'table',
    { class: 'grid paintable', 'data-arrows': '' },
    el(
      'caption',
      { class: 'visually-hidden' },
      `${field.label}: ${startBoard.length} rows, ${startBoard[0].length} columns`,
    ),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('td', { class: 'corner' }),
        startBoard[0].map((_, c) =>
          el(
            'th',
            {},
            lineButton('column', c + 1, () => columnCells(c)),
          ),
        ),
      ),
    ),
    el(
      'tbody',
      {},
      cells.map((row, r) =>
        el(
          'tr',
          {},
          el(
            'th',
            {},
            lineButton('row', r + 1, () => rowCells(r)),
          ),
          row.map((button) => el('td', {}, button)),
        ),
      ),
    ),
  );
  const hint = el(
    'p',
    { class: 'hint' },
    `Pick a letter, then ${touch ? 'tap' : 'click'} or drag over cells; a number paints its whole row or column.${
      touch ? '' : ' By keyboard: arrow keys, letters, Delete.'
    }`,
  );
  const node = el(
    'fieldset',
    { class: 'field paint', tabindex: '-1' },
    el('legend', {}, field.label),
    el('div', { class: 'palette' }, brushes, el('span', { class: 'tools' }, undo, reset)),
    table,
    hint,
    message,
  );

  function askForSign() {
    message.textContent = 'Pick a letter first.';
    node.classList.add('unpicked');
    (brushes.querySelector('button') ?? otherSigns).focus();
  }

  function begin() {
    history.push(board.map((row) => [...row]));
  }

  function put(r, c, newSign) {
    board[r][c] = newSign;
  }

  /** A stroke is over: one that changed nothing needs no Undo. */
  function end() {
    if (String(history.at(-1)) === String(board)) history.pop();
    draw();
    node.dispatchEvent(new Event('input', { bubbles: true })); // the form keeps a draft
  }

  function choose(newSign) {
    sign = newSign;
    if (newSign !== field.empty && !offered.includes(newSign)) {
      offered.unshift(newSign);
      offered.length = Math.min(offered.length, MAX_BRUSHES);
    }
    node.classList.remove('unpicked');
    palette();
  }

  function palette() {
    const brush = (value, label, name) => {
      const button = el(
        'button',
        { type: 'button', class: 'button brush', 'aria-pressed': String(value === sign) },
        label,
      );
      button.setAttribute('aria-label', name);
      button.addEventListener('click', () => choose(value));
      return button;
    };
    const list = field.signs
      .filter((letter) => !offered.includes(letter))
      .map((letter) => el('option', { value: letter }, letter));
    otherSigns.replaceChildren(el('option', { value: '' }, offered.length ? 'Other…' : 'Letter…'), ...list);
    otherSigns.value = '';
    brushes.replaceChildren(
      ...offered.map((letter) => brush(letter, letter, `Paint ${letter}`)),
      otherSigns,
      brush(field.empty, 'Erase', 'Erase'),
    );
  }

  function draw() {
    cells.forEach((row, r) =>
      row.forEach((button, c) => {
        const now = board[r][c];
        const blank = now === field.empty;
        const isChanged = now !== startBoard[r][c];
        button.textContent = blank ? '' : now;
        button.className = `cell ${blank ? 'blank' : 'filled'}${isChanged ? ' changed' : ''}`;
        button.setAttribute('aria-label', `row ${r + 1}, column ${c + 1}: ${blank ? 'empty' : now}`);
        button.tabIndex = r === cursor[0] && c === cursor[1] ? 0 : -1;
      }),
    );
    setClosed(undo, !history.length);
    setClosed(reset, String(board) === String(startBoard));
  }

  /** Disable a button so that the form, once it is no longer sending, leaves it so. */
  function setClosed(button, closed) {
    button.toggleAttribute('data-closed', closed);
    button.disabled = closed;
  }

  function moveTo(r, c, focus = true) {
    cursor = [r, c];
    draw();
    if (focus) cells[r][c].focus({ preventScroll: true });
  }

  const cellUnder = (event) => {
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-cell]');
    return button instanceof HTMLElement && table.contains(button) && button.dataset.cell
      ? button.dataset.cell.split(' ').map(Number)
      : null;
  };
  table.addEventListener('pointerdown', (event) => {
    const cell = event.button === 0 && cellUnder(event);
    if (!cell || cells[0][0].disabled) return;
    event.preventDefault();
    if (!sign) return void askForSign();
    const [r, c] = cell;
    stroke = board[r][c] === sign ? field.empty : sign; // over a cell that has the sign already a drag takes it away
    begin();
    put(r, c, stroke);
    moveTo(r, c);
    table.setPointerCapture(event.pointerId);
  });
  table.addEventListener('pointermove', (event) => {
    const cell = stroke !== null && cellUnder(event);
    if (!cell) return;
    put(...cell, stroke);
    moveTo(...cell, false);
  });
  for (const over of ['pointerup', 'pointercancel'])
    table.addEventListener(over, () => {
      if (stroke === null) return;
      stroke = null;
      end();
    });
  table.addEventListener(
    'focusin',
    ({ target }) => target.dataset.cell && moveTo(...target.dataset.cell.split(' ').map(Number), false),
  );
  // By the keyboard or a screen reader a cell is pressed without a pointer.
  table.addEventListener('click', (event) => {
    const cell = event.target.closest('[data-cell]')?.dataset.cell.split(' ').map(Number);
    if (!cell || event.detail) return;
    if (!sign) return void askForSign();
    set(...cell, board[cell[0]][cell[1]] === sign ? field.empty : sign);
  });

  function set(r, c, newSign) {
    begin();
    put(r, c, newSign);
    end();
    message.textContent = cells[r][c].getAttribute('aria-label');
  }

  node.addEventListener('keydown', (event) => {
    if (event.target === otherSigns || event.ctrlKey || event.metaKey || event.altKey || cells[0][0].disabled) return;
    const onCell = Boolean(event.target.dataset?.cell);
    const typedSign = field.signs.find((letter) => letter.toLowerCase() === event.key.toLowerCase());
    if (STEPS[event.key]) {
      const [r, c] = onCell ? cursor.map((place, i) => place + STEPS[event.key][i]) : cursor;
      if (board[r]?.[c] !== undefined) moveTo(r, c);
    } else if (typedSign) {
      choose(typedSign);
      if (onCell) set(...cursor, typedSign);
    } else if (onCell && (event.key === 'Delete' || event.key === 'Backspace')) set(...cursor, field.empty);
    else return;
    event.preventDefault();
  });
  otherSigns.addEventListener('change', () => otherSigns.value && choose(otherSigns.value));
  otherSigns.addEventListener('input', (event) => event.stopPropagation()); // picking a letter changes no draft
  undo.addEventListener('click', () => {
    board = history.pop();
    draw();
    node.dispatchEvent(new Event('input', { bubbles: true }));
  });
  reset.addEventListener('click', () => {
    begin();
    board = startBoard.map((row) => [...row]);
    end();
  });

  palette();
  draw();
  return {
    name: field.name,
    node,
    multiline: true,
    read: () => formatBoard(board),
    write(text) {
      const draft = parseBoard(text);
      if (draft.length !== startBoard.length || draft.some((row, r) => row.length !== startBoard[r].length)) return;
      board = draft;
      draw();
    },
    validate: () => null,
  };
}
