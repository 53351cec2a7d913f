// The field "paint": a board of cells, each empty or with a sign. A sign is picked and painted by mouse or finger, a row or
// column by its number; on the keyboard arrows go from cell to cell and letters are typed. What is sent is the board as
// text: signs with blanks between, a line a row. Knows boards, not games.
import { el } from '/web/core/dom.js';

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const FEW = 4; // so many signs have a button each, the others are in a list

/** `field` is {name, label, before, empty, signs, offered}: the board as it was, all signs, and those offered first. */
export function createField(field, { id }) {
  const touch = matchMedia('(pointer: coarse)').matches;
  const read = (text) =>
    text
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/ +/));
  const started = read(field.before);
  let board = started.map((row) => [...row]);
  const earlier = []; // boards before each stroke, for Undo
  let sign = field.offered[0] ?? null;
  let stroke = null; // the sign a drag puts down, null between drags
  let at = [0, 0]; // the cell that the keyboard is on

  const offered = [...field.offered.slice(0, FEW)];
  const brushes = el('span', { class: 'brushes', role: 'group', 'aria-label': 'What to paint with' });
  const others = el('select', { id: `${id}-other`, 'aria-label': 'Another letter' });
  const undo = el('button', { type: 'button', class: 'quiet' }, 'Undo');
  const reset = el('button', { type: 'button', class: 'quiet' }, 'As it was');
  const message = el('p', { class: 'visually-hidden', role: 'status' });
  const cells = started.map((row, r) => row.map((_, c) => el('button', { type: 'button', 'data-cell': `${r} ${c}` })));
  const line = (kind, number, reached) => {
    const button = el('button', { type: 'button', tabindex: '-1', title: `Paint ${kind} ${number}` }, String(number));
    button.setAttribute('aria-label', `Paint ${kind} ${number}`);
    button.addEventListener('click', () => {
      if (!sign) return pick();
      const all = reached();
      const filled = all.every(([r, c]) => board[r][c] === sign);
      begin();
      for (const [r, c] of all) put(r, c, filled ? field.empty : sign);
      return end();
    });
    return button;
  };
  const across = (r) => started[r].map((_, c) => [r, c]);
  const down = (c) => started.map((_, r) => [r, c]);
  const table = el(
    'table',
    { class: 'grid paintable', 'data-arrows': '' },
    el('caption', { class: 'visually-hidden' }, `${field.label}: ${started.length} rows, ${started[0].length} columns`),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('td', { class: 'corner' }),
        started[0].map((_, c) =>
          el(
            'th',
            {},
            line('column', c + 1, () => down(c)),
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
            line('row', r + 1, () => across(r)),
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

  function pick() {
    message.textContent = 'Pick a letter first.';
    node.classList.add('unpicked');
    (brushes.querySelector('button') ?? others).focus();
  }

  function begin() {
    earlier.push(board.map((row) => [...row]));
  }

  function put(r, c, wanted) {
    board[r][c] = wanted;
  }

  /** A stroke is over: one that changed nothing needs no Undo. */
  function end() {
    if (String(earlier.at(-1)) === String(board)) earlier.pop();
    draw();
    node.dispatchEvent(new Event('input', { bubbles: true })); // the form keeps a draft
  }

  function choose(wanted) {
    sign = wanted;
    if (wanted !== field.empty && !offered.includes(wanted)) {
      offered.unshift(wanted);
      offered.length = Math.min(offered.length, FEW);
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
    const list = field.signs.filter((one) => !offered.includes(one)).map((one) => el('option', { value: one }, one));
    others.replaceChildren(el('option', { value: '' }, offered.length ? 'Other…' : 'Letter…'), ...list);
    others.value = '';
    brushes.replaceChildren(
      ...offered.map((one) => brush(one, one, `Paint ${one}`)),
      others,
      brush(field.empty, 'Erase', 'Erase'),
    );
  }

  function draw() {
    cells.forEach((row, r) =>
      row.forEach((button, c) => {
        const now = board[r][c];
        const blank = now === field.empty;
        const changed = now !== started[r][c];
        button.textContent = blank ? '' : now;
        button.className = `cell ${blank ? 'blank' : 'filled'}${changed ? ' changed' : ''}`;
        button.setAttribute('aria-label', `row ${r + 1}, column ${c + 1}: ${blank ? 'empty' : now}`);
        button.tabIndex = r === at[0] && c === at[1] ? 0 : -1;
      }),
    );
    close(undo, !earlier.length);
    close(reset, String(board) === String(started));
  }

  /** Disable a button so that the form, once it is no longer sending, leaves it so. */
  function close(button, closed) {
    button.toggleAttribute('data-closed', closed);
    button.disabled = closed;
  }

  function here(r, c, focus = true) {
    at = [r, c];
    draw();
    if (focus) cells[r][c].focus({ preventScroll: true });
  }

  const under = (event) => {
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[data-cell]');
    return button && table.contains(button) ? button.dataset.cell.split(' ').map(Number) : null;
  };
  table.addEventListener('pointerdown', (event) => {
    const cell = event.button === 0 && under(event);
    if (!cell || cells[0][0].disabled) return;
    event.preventDefault();
    if (!sign) return void pick();
    const [r, c] = cell;
    stroke = board[r][c] === sign ? field.empty : sign; // over a cell that has the sign already a drag takes it away
    begin();
    put(r, c, stroke);
    here(r, c);
    table.setPointerCapture(event.pointerId);
  });
  table.addEventListener('pointermove', (event) => {
    const cell = stroke !== null && under(event);
    if (!cell) return;
    put(...cell, stroke);
    here(...cell, false);
  });
  for (const over of ['pointerup', 'pointercancel'])
    table.addEventListener(over, () => {
      if (stroke === null) return;
      stroke = null;
      end();
    });
  table.addEventListener(
    'focusin',
    ({ target }) => target.dataset.cell && here(...target.dataset.cell.split(' ').map(Number), false),
  );
  // By the keyboard or a screen reader a cell is pressed without a pointer.
  table.addEventListener('click', (event) => {
    const cell = event.target.closest('[data-cell]')?.dataset.cell.split(' ').map(Number);
    if (!cell || event.detail) return;
    if (!sign) return void pick();
    set(...cell, board[cell[0]][cell[1]] === sign ? field.empty : sign);
  });

  function set(r, c, wanted) {
    begin();
    put(r, c, wanted);
    end();
    message.textContent = cells[r][c].getAttribute('aria-label');
  }

  node.addEventListener('keydown', (event) => {
    if (event.target === others || event.ctrlKey || event.metaKey || event.altKey || cells[0][0].disabled) return;
    const onCell = Boolean(event.target.dataset?.cell);
    const typed = field.signs.find((one) => one.toLowerCase() === event.key.toLowerCase());
    if (STEPS[event.key]) {
      const [r, c] = onCell ? at.map((place, i) => place + STEPS[event.key][i]) : at;
      if (board[r]?.[c] !== undefined) here(r, c);
    } else if (typed) {
      choose(typed);
      if (onCell) set(...at, typed);
    } else if (onCell && (event.key === 'Delete' || event.key === 'Backspace')) set(...at, field.empty);
    else return;
    event.preventDefault();
  });
  others.addEventListener('change', () => others.value && choose(others.value));
  others.addEventListener('input', (event) => event.stopPropagation()); // picking a letter changes no draft
  undo.addEventListener('click', () => {
    board = earlier.pop();
    draw();
    node.dispatchEvent(new Event('input', { bubbles: true }));
  });
  reset.addEventListener('click', () => {
    begin();
    board = started.map((row) => [...row]);
    end();
  });

  palette();
  draw();
  return {
    name: field.name,
    node,
    multiline: true,
    read: () => board.map((row) => row.join(' ')).join('\n'),
    write(text) {
      const kept = read(text);
      if (kept.length !== started.length || kept.some((row, r) => row.length !== started[r].length)) return;
      board = kept;
      draw();
    },
    validate: () => null,
  };
}
