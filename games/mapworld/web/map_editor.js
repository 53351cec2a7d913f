// The field "map": the player draws the rooms visited so far and the doors between them. A room is added where the walker
// is, joined by direction, moved, renamed, removed; by mouse, touch and keyboard. What is sent is a JSON object
// {nodes: [names], edges: {direction: [[from, to], …]}}; it is shown on demand.
import { el, svg } from '/web/core/dom.js';

const WAYS = { north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0] };
const OPPOSITE = { north: 'south', east: 'west', south: 'north', west: 'east' };
const SIGNS = { north: '↑', east: '→', south: '↓', west: '←' };
const KEYS = { ArrowUp: 'north', ArrowRight: 'east', ArrowDown: 'south', ArrowLeft: 'west' };
const CELL = [120, 78];
const BOX = [108, 50];
const EMPTY = { nodes: [], edges: { north: [], south: [], east: [], west: [] } };
/** A map as one text that is equal for equal maps. */
const canonicalText = ({ nodes, edges }) => JSON.stringify([nodes, Object.keys(WAYS).map((way) => edges[way] ?? [])]);
const ROOM_SENTENCE =
  /(?:this is|this looks like|looks like|i am in|i'm in|we are in|it is|it's|here is|i see|now in|back in|in)\s+(?:an?|the)?\s*([\p{L}' -]+?)(?=\s+(?:with|that|which|where|and|full|of)\b|[.,;:!?]|$)/iu;

/** What a sentence calls the room: "This is a small kitchen with a stove." → "small kitchen". */
export function roomNameIn(sentence) {
  const match = ROOM_SENTENCE.exec(sentence ?? '');
  const words = (match?.[1] ?? '').trim().split(/\s+/).slice(-3).join(' ');
  return words.slice(0, 40);
}

/** Places for the rooms of a stated map: each next to the one it is joined to, the rest in a row below. */
export function placeRooms({ nodes, edges }) {
  const at = new Map();
  const isTaken = (x, y) => [...at.values()].some(([a, b]) => a === x && b === y);
  const doors = Object.entries(edges).flatMap(([way, pairs]) =>
    pairs.flatMap(([a, b]) => [
      [a, b, way],
      [b, a, OPPOSITE[way]],
    ]),
  );
  for (const name of nodes) {
    if (at.has(name)) continue;
    let [x, y] = [0, at.size ? Math.min(...[...at.values()].map((place) => place[1])) - 1 : 0];
    while (isTaken(x, y)) x += 1;
    at.set(name, [x, y]);
    const queue = [name];
    while (queue.length) {
      const from = queue.shift();
      for (const [a, b, way] of doors) {
        if (a !== from || at.has(b)) continue;
        let [bx, by] = [at.get(a)[0] + WAYS[way][0], at.get(a)[1] + WAYS[way][1]];
        while (isTaken(bx, by)) [bx, by] = [bx + WAYS[way][0], by + WAYS[way][1]];
        at.set(b, [bx, by]);
        queue.push(b);
      }
    }
  }
  return at;
}

/** A drawn map as the text that is sent. `doors` are [room, room, direction]. */
export function composeMap(rooms, doors) {
  const edges = { north: [], south: [], east: [], west: [] };
  for (const [from, to, way] of doors) edges[way].push([from.name, to.name]);
  return JSON.stringify({ nodes: rooms.map((room) => room.name), edges });
}

/**
 * `field` is {name, label, here, came, before}; `controls` are the form's fields by name (one may hold a sentence).
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
export function createField(field, { id, controls }) {
  const storageKey = `ludens.map.${new URLSearchParams(location.search).get('seat')}`;
  /** @typedef {{name: string, x: number, y: number}} Room */
  /** @type {Room[]} */
  let rooms = [];
  /** @type {[Room, Room, string][]} */
  let doors = [];
  /** @type {Room | null} */
  let at = null; // the room the walker is in, where it is on the map
  /** @type {Room | null} */
  let chosen = null;
  /** @type {{room: Room, moved: boolean} | null} */
  let drag = null;

  const board = svg('svg', { class: 'mapboard', 'aria-label': 'Your map', role: 'group', 'data-arrows': '' });
  const message = el('p', { class: 'hint', role: 'status' });
  const name = el('input', { type: 'text', id: `${id}-name`, autocomplete: 'off', maxlength: 60 });
  const add = el('button', { type: 'button', class: 'button add' }, 'Add the room you are in');
  const hereButton = el('button', { type: 'button', class: 'button quiet here' }, 'I am in this room');
  const remove = el('button', { type: 'button', class: 'button quiet remove' }, 'Remove this room');
  const rename = el('button', { type: 'button', class: 'button quiet rename' }, 'Rename this room');
  const join = Object.keys(WAYS).map((way) => {
    const button = el('button', {
      type: 'button',
      class: 'button quiet',
      'data-join': way,
    });
    button.addEventListener('click', () => toggle(way));
    return button;
  });
  const tools = el('div', { class: 'maptools', hidden: true });
  const composed = el('code', {});
  const sentDetails = el('details', { class: 'composed' }, el('summary', {}, 'What will be sent'), composed);
  tools.append(el('span', { class: 'chosen' }), el('span', { class: 'joins' }, join), hereButton, rename, remove);
  const node = el(
    'fieldset',
    { class: 'field mapedit', tabindex: '-1' },
    el('legend', {}, field.label),
    el(
      'div',
      { class: 'row' },
      el('label', { class: 'visually-hidden', for: `${id}-name` }, 'Name of the room'),
      name,
      add,
    ),
    message,
    el('div', { class: 'mapscroll' }, board),
    tools,
    sentDetails,
  );

  const isFree = (x, y) => !rooms.some((room) => room.x === x && room.y === y);
  const roomAt = (x, y) => rooms.find((room) => room.x === x && room.y === y);
  const door = (a, b) => doors.find(([from, to]) => (from === a && to === b) || (from === b && to === a));
  const neighbourOf = (room, way) => roomAt(room.x + WAYS[way][0], room.y + WAYS[way][1]);

  /** A name that no other room has: "bedroom 2" for the second bedroom. */
  function uniqueName(newName, self = /** @type {Room | null} */ (null)) {
    const used = new Set(rooms.filter((room) => room !== self).map((room) => room.name.toLowerCase()));
    let candidate = newName;
    for (let number = 2; used.has(candidate.toLowerCase()); number += 1) candidate = `${newName} ${number}`;
    return candidate;
  }

  function place(room, x, y) {
    room.x = x;
    room.y = y;
    // A door leads to the neighbour on its side: those to rooms that are no neighbours now are gone.
    doors = doors.filter(([a, b, way]) => b.x - a.x === WAYS[way][0] && b.y - a.y === WAYS[way][1]);
  }

  function addHere() {
    const newName = name.value.trim() || (isOnMap() ? '' : suggestName());
    if (!newName) {
      message.textContent = 'Give the room a name first.';
      return name.focus();
    }
    const room = { name: uniqueName(newName), x: 0, y: 0 };
    if (!rooms.length) rooms.push(room);
    else {
      const from = arrivedBy ? previousRoom : null;
      let [x, y] = from
        ? [from.x + WAYS[arrivedBy][0], from.y + WAYS[arrivedBy][1]]
        : [0, Math.min(...rooms.map((r) => r.y)) - 1];
      while (!isFree(x, y)) x += 1;
      Object.assign(room, { x, y });
      rooms.push(room);
      if (from && x === from.x + WAYS[arrivedBy][0] && y === from.y + WAYS[arrivedBy][1])
        doors.push([from, room, arrivedBy]);
    }
    at = chosen = room;
    name.value = '';
    commit(`${room.name} is on your map.`);
  }

  function toggle(way) {
    const room = chosen;
    const other = room && neighbourOf(room, way);
    if (!other) return;
    const existing = door(room, other);
    doors = existing ? doors.filter((candidate) => candidate !== existing) : [...doors, [room, other, way]];
    commit(`${room.name} and ${other.name} are ${existing ? 'no longer joined' : 'joined'}.`);
  }

  function move(room, way) {
    const [x, y] = [room.x + WAYS[way][0], room.y + WAYS[way][1]];
    if (!isFree(x, y)) return (message.textContent = 'There is already a room there.');
    place(room, x, y);
    return commit(`${room.name} moved ${way}.`);
  }

  add.addEventListener('click', addHere);
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault(); // Enter in a form would press its first button and walk north
    if (!event.ctrlKey && !event.metaKey) addHere();
  });
  name.addEventListener('input', (event) => event.stopPropagation());
  hereButton.addEventListener('click', () => {
    if (!chosen) return;
    at = chosen;
    commit(`You are in ${at.name}.`);
  });
  remove.addEventListener('click', () => {
    const removed = chosen;
    if (!removed) return;
    rooms = rooms.filter((room) => room !== removed);
    doors = doors.filter(([a, b]) => a !== removed && b !== removed);
    if (at === removed) at = null;
    chosen = null;
    commit(`${removed.name} is removed.`);
  });
  rename.addEventListener('click', () => {
    if (!chosen) return;
    const newName = name.value.trim();
    if (!newName) {
      name.value = chosen.name;
      message.textContent = 'Write the new name above, then press “Rename this room”.';
      return name.select();
    }
    chosen.name = uniqueName(newName, chosen);
    name.value = '';
    return commit(`It is called ${chosen.name} now.`);
  });

  // Keyboard: Tab goes from room to room, arrows choose the neighbour, Shift and arrow moves, Delete removes.
  board.addEventListener('keydown', (event) => {
    const way = KEYS[event.key];
    if (!chosen || (!way && event.key !== 'Delete')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Delete') return remove.click();
    if (event.shiftKey) return move(chosen, way);
    const other = neighbourOf(chosen, way);
    if (other) choose(other, true);
  });

  function choose(room, focus = false) {
    chosen = room;
    draw();
    if (focus) board.querySelector('.chosen')?.focus({ preventScroll: true });
  }

  let frame = { left: 0, top: 0 };
  const toCell = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
    return [Math.round(point.x / CELL[0] - 0.5) + frame.left, frame.top - Math.round(point.y / CELL[1] - 0.5)];
  };
  board.addEventListener('pointerdown', (event) => {
    const room = rooms[event.target.closest?.('[data-room]')?.dataset.room];
    if (!room) return;
    event.preventDefault();
    drag = { room, moved: false };
    board.setPointerCapture(event.pointerId);
  });
  board.addEventListener('pointermove', (event) => {
    if (!drag) return;
    const [x, y] = toCell(event);
    if ((x === drag.room.x && y === drag.room.y) || !isFree(x, y)) return;
    drag.moved = true;
    drag.room.x = x;
    drag.room.y = y;
    draw(frame);
  });
  const drop = () => {
    if (!drag) return;
    const { room, moved } = drag;
    drag = null;
    place(room, room.x, room.y);
    chosen = room;
    commit(moved ? `${room.name} is moved.` : '');
    board.querySelector('.chosen')?.focus({ preventScroll: true });
  };
  board.addEventListener('pointerup', drop);
  board.addEventListener('pointercancel', drop);

  function draw(lastFrame = /** @type {any} */ (null)) {
    const xs = rooms.map(({ x }) => x);
    const ys = rooms.map(({ y }) => y);
    const bounds = rooms.length
      ? [Math.min(...xs) - 1, Math.max(...xs) + 1, Math.min(...ys) - 1, Math.max(...ys) + 1]
      : [0, 2, 0, 1];
    frame = lastFrame ?? {
      left: bounds[0],
      top: bounds[3],
      columns: bounds[1] - bounds[0] + 1,
      rows: bounds[3] - bounds[2] + 1,
    };
    const [width, height] = [frame.columns * CELL[0], frame.rows * CELL[1]];
    const middle = ({ x, y }) => [(x - frame.left + 0.5) * CELL[0], (frame.top - y + 0.5) * CELL[1]];
    const [cutX, cutY] = [0.45 * CELL[0], 0.45 * CELL[1]]; // half a cell around the rooms is enough to drag them there
    board.setAttribute('viewBox', `${cutX} ${cutY} ${width - 2 * cutX} ${height - 2 * cutY}`);
    board.style.setProperty('--wide', `${width}px`);
    const lines = doors.map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [middle(a), middle(b)];
      return svg('line', { x1, y1, x2, y2, class: 'door' });
    });
    const boxes = rooms.map((room, index) => {
      const [x, y] = middle(room);
      const short = room.name.length > 13 ? `${room.name.slice(0, 12)}…` : room.name;
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
        svg('text', { x, y: y + 5, 'text-anchor': 'middle' }, short),
      );
      group.addEventListener('focus', () => chosen !== room && !drag && choose(room, true));
      return group;
    });
    board.replaceChildren(...lines, ...boxes);
    board.toggleAttribute('hidden', !rooms.length);
    add.disabled = at !== null; // the room one is in is on the map already
    add.toggleAttribute('data-closed', add.disabled);
    tools.hidden = !chosen;
    if (chosen) {
      tools.querySelector('.chosen').textContent = `${chosen.name}:`;
      hereButton.hidden = chosen === at;
      for (const button of join) {
        const way = button.dataset.join;
        const other = neighbourOf(chosen, way);
        const joined = Boolean(other && door(chosen, other));
        button.hidden = !other;
        button.textContent = `${SIGNS[way]} ${joined ? 'Remove the door to' : 'Add a door to'} ${other?.name ?? ''}`;
      }
    }
    composed.textContent = read();
  }

  const read = () => composeMap(rooms, doors);

  function write(text) {
    /** @type {any} */
    let sketch = EMPTY;
    try {
      sketch = JSON.parse(text) ?? EMPTY;
    } catch {
      // a draft of another kind: begin with an empty map
    }
    const saved = loadPlaces();
    const isSame = saved?.sketch === canonicalText(sketch); // what this browser drew last: its places, and where one is
    const positions = isSame ? new Map(saved.places) : placeRooms(sketch);
    rooms = sketch.nodes.map((label) => ({ name: label, x: positions.get(label)[0], y: positions.get(label)[1] }));
    /** @type {Map<string, any>} */
    const named = new Map(rooms.map((room) => [room.name, room]));
    doors = Object.entries(sketch.edges).flatMap(([way, pairs]) =>
      /** @type {any[]} */ (pairs).map(([a, b]) => [named.get(a), named.get(b), way]),
    );
    at = isSame ? (named.get(saved.at) ?? null) : null;
    chosen = null;
    draw();
  }

  function loadPlaces() {
    try {
      return JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    } catch {
      return null;
    }
  }

  function commit(words) {
    message.textContent = words;
    draw();
    const saved = {
      sketch: canonicalText(JSON.parse(read())),
      places: rooms.map((room) => [room.name, [room.x, room.y]]),
      at: at?.name ?? null,
    };
    localStorage.setItem(storageKey, JSON.stringify(saved));
    node.dispatchEvent(new Event('input', { bubbles: true })); // the form keeps a draft
  }

  // Where the walker is now: the room it was in, and the way it went since.
  const arrivedBy = field.came ?? null;
  /** @type {Room | null} */
  let previousRoom = null;
  write(JSON.stringify(field.before ?? EMPTY));
  previousRoom = at;
  if (arrivedBy && previousRoom) {
    const neighbour = neighbourOf(previousRoom, arrivedBy);
    if (neighbour) {
      at = neighbour;
      if (!door(previousRoom, neighbour)) doors.push([previousRoom, neighbour, arrivedBy]);
      commit(`You are back in ${neighbour.name}.`);
    } else at = null;
  } else if (arrivedBy === null && !rooms.length) at = null;
  const suggestName = () =>
    field.here ||
    roomNameIn(
      Object.values(controls)
        .find((control) => control.multiline)
        ?.read(),
    );
  const isOnMap = () => at !== null;
  name.placeholder = 'Name of this room';
  name.addEventListener('focus', () => {
    if (!name.value && !isOnMap()) name.value = suggestName();
  });
  if (field.here && !isOnMap()) name.value = field.here;
  if (!message.textContent)
    message.textContent = isOnMap() ? '' : 'Add the room you are in, then choose a direction. Drag rooms to move them.';
  draw();

  return {
    name: field.name,
    node,
    read,
    write(text) {
      write(text);
      previousRoom = at;
    },
    validate: () => null,
  };
}
