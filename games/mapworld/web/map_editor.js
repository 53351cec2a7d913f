// The field "map": the player draws the rooms visited so far and the doors between them. A room is added where the walker
// is, joined by direction, moved, renamed, removed; by mouse, touch and keyboard. What is sent is a JSON object
// {nodes: [names], edges: {direction: [[from, to], …]}}; it is shown on demand.
import { el, svg } from '/web/core/dom.js';
import { boxLabel } from '/web/games/mapworld/graph.js';
import { Sketch, WAYS } from '/web/games/mapworld/sketch.js';

export { composeMap, placeRooms } from '/web/games/mapworld/sketch.js';

const SIGNS = { north: '↑', east: '→', south: '↓', west: '←' };
const KEYS = { ArrowUp: 'north', ArrowRight: 'east', ArrowDown: 'south', ArrowLeft: 'west' };
const CELL = [120, 78];
const BOX = [108, 50];
const MARGIN = 0.45; // of a cell; half a cell around the rooms is enough to drag them there
const ROOM_SENTENCE =
  /(?:this is|this looks like|looks like|i am in|i'm in|we are in|it is|it's|here is|i see|now in|back in|in)\s+(?:an?|the)?\s*([\p{L}' -]+?)(?=\s+(?:with|that|which|where|and|full|of)\b|[.,;:!?]|$)/iu;

/** What a sentence calls the room: "This is a small kitchen with a stove." → "small kitchen". */
export function roomNameIn(sentence) {
  const match = ROOM_SENTENCE.exec(sentence ?? '');
  const words = (match?.[1] ?? '').trim().split(/\s+/).slice(-3).join(' ');
  return words.slice(0, 40);
}

/**
 * `field` is {name, label, here, came, before}; `controls` are the form's fields by name (one may hold a sentence).
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, context) {
  const editor = new MapEditor(field, context);
  return {
    name: field.name,
    node: editor.node,
    read: () => editor.sketch.text(),
    write: (text) => editor.write(text),
    validate: () => null,
  };
}

/** Where this browser keeps the places of rooms for the seat of the page. */
const storageKey = () => `ludens.map.${new URLSearchParams(location.search).get('seat')}`;

class MapEditor {
  sketch = new Sketch();
  tools = el('div', { class: 'maptools', hidden: true });
  /** @type {{room: import('/web/games/mapworld/sketch.js').Room, moved: boolean} | null} */
  #drag = null;
  #frame = { left: 0, top: 0, columns: 3, rows: 2 };

  constructor(field, { id, controls }) {
    this.field = field;
    this.controls = controls;
    this.#buildParts(id);
    this.node = this.#layOut(id);
    this.#listenToBoard();
    this.#begin();
  }

  // ------------------------------------------------------------------ the parts
  #buildParts(id) {
    const button = (label, kind, onclick) => el('button', { type: 'button', class: `button ${kind}`, onclick }, label);
    this.board = svg('svg', { class: 'mapboard', 'aria-label': 'Your map', role: 'group', 'data-arrows': '' });
    this.message = el('p', { class: 'hint', role: 'status' });
    this.name = el('input', { type: 'text', id: `${id}-name`, autocomplete: 'off', maxlength: 60 });
    this.name.placeholder = 'Name of this room';
    this.addButton = button('Add the room you are in', 'add', () => this.#addHere());
    this.hereButton = button('I am in this room', 'quiet here', () => this.#moveWalker());
    this.removeButton = button('Remove this room', 'quiet remove', () => this.#removeChosen());
    this.renameButton = button('Rename this room', 'quiet rename', () => this.#renameChosen());
    this.doorButtons = Object.keys(WAYS).map((way) => {
      const node = button('', 'quiet', () => this.#toggleDoor(way));
      node.dataset.join = way;
      return node;
    });
    this.chosenName = el('span', { class: 'chosen' });
    this.composed = el('code', {});
    this.name.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault(); // Enter in a form would press its first button and walk north
      if (!event.ctrlKey && !event.metaKey) this.#addHere();
    });
    this.name.addEventListener('input', (event) => event.stopPropagation());
    this.name.addEventListener('focus', () => {
      if (!this.name.value && !this.sketch.at) this.name.value = this.#suggestName();
    });
  }

  #layOut(id) {
    const label = el('label', { class: 'visually-hidden', for: `${id}-name` }, 'Name of the room');
    const doors = el('span', { class: 'joins' }, this.doorButtons);
    const buttons = [this.chosenName, doors, this.hereButton, this.renameButton, this.removeButton];
    this.tools.append(...buttons);
    return el(
      'fieldset',
      { class: 'field mapedit', tabindex: '-1' },
      el('legend', {}, this.field.label),
      el('div', { class: 'row' }, label, this.name, this.addButton),
      this.message,
      el('div', { class: 'mapscroll' }, this.board),
      this.tools,
      el('details', { class: 'composed' }, el('summary', {}, 'What will be sent'), this.composed),
    );
  }

  /** Go on from the map that was sent last: where the walker is now follows from the way it went since. */
  #begin() {
    const came = this.field.came ?? null;
    this.write(JSON.stringify(this.field.before ?? null));
    if (came && this.previousRoom) {
      const room = this.sketch.go(came);
      if (room) this.#commit(`You are back in ${room.name}.`);
    }
    if (this.field.here && !this.sketch.at) this.name.value = this.field.here;
    if (!this.message.textContent && !this.sketch.at)
      this.message.textContent = 'Add the room you are in, then choose a direction. Drag rooms to move them.';
    this.#draw();
  }

  write(text) {
    this.sketch.read(text, this.#loadPlaces());
    this.previousRoom = this.sketch.at;
    this.#draw();
  }

  #loadPlaces() {
    try {
      return JSON.parse(localStorage.getItem(storageKey()) ?? 'null');
    } catch {
      return null;
    }
  }

  // ------------------------------------------------------------------ what its buttons do
  #suggestName() {
    const sentence = Object.values(this.controls).find((control) => control.multiline);
    return this.field.here || roomNameIn(sentence?.read());
  }

  #addHere() {
    const { sketch, name } = this;
    const newName = name.value.trim() || (sketch.at ? '' : this.#suggestName());
    if (!newName) {
      this.message.textContent = 'Give the room a name first.';
      return name.focus();
    }
    const way = this.field.came ?? null;
    const room = sketch.add(newName, way ? this.previousRoom : null, way);
    name.value = '';
    return this.#commit(`${room.name} is on your map.`);
  }

  #toggleDoor(way) {
    const room = this.sketch.chosen;
    const other = room && this.sketch.neighbour(room, way);
    if (!other) return;
    const isJoined = this.sketch.toggleDoor(room, other, way);
    this.#commit(`${room.name} and ${other.name} are ${isJoined ? 'joined' : 'no longer joined'}.`);
  }

  #moveWalker() {
    if (!this.sketch.chosen) return;
    this.sketch.at = this.sketch.chosen;
    this.#commit(`You are in ${this.sketch.at.name}.`);
  }

  #removeChosen() {
    const removed = this.sketch.chosen;
    if (!removed) return;
    this.sketch.remove(removed);
    this.#commit(`${removed.name} is removed.`);
  }

  #renameChosen() {
    const { sketch, name } = this;
    if (!sketch.chosen) return;
    if (!name.value.trim()) {
      name.value = sketch.chosen.name;
      this.message.textContent = 'Write the new name above, then press “Rename this room”.';
      return name.select();
    }
    sketch.chosen.name = sketch.uniqueName(name.value.trim(), sketch.chosen);
    name.value = '';
    return this.#commit(`It is called ${sketch.chosen.name} now.`);
  }

  #move(room, way) {
    const [x, y] = [room.x + WAYS[way][0], room.y + WAYS[way][1]];
    if (this.sketch.roomAt(x, y)) return (this.message.textContent = 'There is already a room there.');
    this.sketch.place(room, x, y);
    return this.#commit(`${room.name} moved ${way}.`);
  }

  #choose(room, focus = false) {
    this.sketch.chosen = room;
    this.#draw();
    if (focus) this.#focusChosen();
  }

  #focusChosen() {
    const node = /** @type {SVGElement | null} */ (this.board.querySelector('.chosen'));
    node?.focus({ preventScroll: true });
  }

  #commit(words) {
    this.message.textContent = words;
    this.#draw();
    localStorage.setItem(storageKey(), JSON.stringify(this.sketch.places()));
    this.node.dispatchEvent(new Event('input', { bubbles: true })); // the form keeps a draft
  }

  // ------------------------------------------------------------------ the board
  /** Keyboard: Tab goes from room to room, arrows choose the neighbour, Shift and arrow moves, Delete removes. */
  #onKey(event) {
    const way = KEYS[event.key];
    const { chosen } = this.sketch;
    if (!chosen || (!way && event.key !== 'Delete')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Delete') return this.#removeChosen();
    if (event.shiftKey) return this.#move(chosen, way);
    const other = this.sketch.neighbour(chosen, way);
    if (other) this.#choose(other, true);
  }

  #cellAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.getScreenCTM()?.inverse());
    const { left, top } = this.#frame;
    return [Math.round(point.x / CELL[0] - 0.5) + left, top - Math.round(point.y / CELL[1] - 0.5)];
  }

  #listenToBoard() {
    const { board, sketch } = this;
    board.addEventListener('keydown', (event) => this.#onKey(event));
    board.addEventListener('pointerdown', (event) => {
      const node = event.target instanceof Element ? event.target.closest('[data-room]') : null;
      const room = node && sketch.rooms[Number(node.getAttribute('data-room'))];
      if (!room) return;
      event.preventDefault();
      this.#drag = { room, moved: false };
      board.setPointerCapture(event.pointerId);
    });
    board.addEventListener('pointermove', (event) => {
      if (!this.#drag) return;
      const [x, y] = this.#cellAt(event);
      if (sketch.roomAt(x, y)) return;
      this.#drag.moved = true;
      Object.assign(this.#drag.room, { x, y });
      this.#draw(true);
    });
    for (const kind of ['pointerup', 'pointercancel']) board.addEventListener(kind, () => this.#drop());
  }

  #drop() {
    if (!this.#drag) return;
    const { room, moved } = this.#drag;
    this.#drag = null;
    this.sketch.place(room, room.x, room.y);
    this.sketch.chosen = room;
    this.#commit(moved ? `${room.name} is moved.` : '');
    this.#focusChosen();
  }

  // ------------------------------------------------------------------ drawing
  /** Draw the map, and the buttons for what is chosen. While a room is dragged the frame stays. */
  #draw(keepFrame = false) {
    const { board, sketch, addButton } = this;
    if (!keepFrame) this.#frame = frameAround(sketch.rooms);
    const { columns, rows } = this.#frame;
    const [cutX, cutY] = [MARGIN * CELL[0], MARGIN * CELL[1]];
    board.setAttribute('viewBox', `${cutX} ${cutY} ${columns * CELL[0] - 2 * cutX} ${rows * CELL[1] - 2 * cutY}`);
    const lines = sketch.doors.map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [this.#middle(a), this.#middle(b)];
      return svg('line', { x1, y1, x2, y2, class: 'door' });
    });
    board.replaceChildren(...lines, ...sketch.rooms.map((room, index) => this.#roomBox(room, index)));
    board.toggleAttribute('hidden', !sketch.rooms.length);
    addButton.disabled = sketch.at !== null; // the room one is in is on the map already
    addButton.toggleAttribute('data-closed', addButton.disabled);
    this.#showTools();
    this.composed.textContent = sketch.text();
  }

  #middle({ x, y }) {
    return [(x - this.#frame.left + 0.5) * CELL[0], (this.#frame.top - y + 0.5) * CELL[1]];
  }

  #roomBox(room, index) {
    const { at, chosen } = this.sketch;
    const [x, y] = this.#middle(room);
    const group = svg(
      'g',
      {
        class: `room${room === at ? ' here' : ' visited'}${room === chosen ? ' chosen' : ''}`,
        tabindex: '0',
        role: 'button',
        'data-room': index,
        'aria-label': `${room.name}${room === at ? ', you are here' : ''}`,
        'aria-pressed': String(room === chosen),
      },
      svg('title', {}, room.name),
      svg('rect', { x: x - BOX[0] / 2, y: y - BOX[1] / 2, width: BOX[0], height: BOX[1], rx: 8 }),
      boxLabel(room.name, [x, y], BOX[0]),
    );
    group.addEventListener('focus', () => this.sketch.chosen !== room && !this.#drag && this.#choose(room, true));
    return group;
  }

  #showTools() {
    const { chosen, at } = this.sketch;
    this.tools.hidden = !chosen;
    if (!chosen) return;
    this.chosenName.textContent = `${chosen.name}:`;
    this.hereButton.hidden = chosen === at;
    for (const button of this.doorButtons ?? []) {
      const way = String(button.dataset.join);
      const other = this.sketch.neighbour(chosen, way);
      button.hidden = !other;
      if (!other) continue;
      const action = this.sketch.door(chosen, other) ? 'Remove the door to' : 'Add a door to';
      button.textContent = `${SIGNS[way]} ${action} ${other.name}`;
    }
  }
}

/** The cells around the rooms, with one more on each side. */
function frameAround(rooms) {
  if (!rooms.length) return { left: 0, top: 1, columns: 3, rows: 2 };
  const [xs, ys] = [rooms.map(({ x }) => x), rooms.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - 1, Math.max(...ys) + 1];
  return { left, top, columns: Math.max(...xs) + 2 - left, rows: top - Math.min(...ys) + 2 };
}
