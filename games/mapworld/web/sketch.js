// A map that a player draws: rooms at places, doors between neighbours, where the walker is, which room is chosen. Pure:
// `map_editor.js` draws it and lets it be changed.

export const WAYS = { north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0] };
const OPPOSITE = { north: 'south', east: 'west', south: 'north', west: 'east' };
const EMPTY = { nodes: [], edges: { north: [], south: [], east: [], west: [] } };

/** @typedef {{name: string, x: number, y: number}} Room */

/** A map as one text that is equal for equal maps. */
const canonicalText = ({ nodes, edges }) => JSON.stringify([nodes, Object.keys(WAYS).map((way) => edges[way] ?? [])]);

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

export class Sketch {
  /** @type {Room[]} */
  rooms = [];
  /** @type {[Room, Room, string][]} */
  doors = [];
  /** @type {Room | null} */
  at = null; // the room the walker is in, where it is on the map
  /** @type {Room | null} */
  chosen = null;

  roomAt(x, y) {
    return this.rooms.find((room) => room.x === x && room.y === y);
  }

  neighbour(room, way) {
    return this.roomAt(room.x + WAYS[way][0], room.y + WAYS[way][1]);
  }

  door(a, b) {
    return this.doors.find(([from, to]) => (from === a && to === b) || (from === b && to === a));
  }

  /** A name that no other room has: "bedroom 2" for the second bedroom. */
  uniqueName(name, self = /** @type {Room | null} */ (null)) {
    const used = new Set(this.rooms.filter((room) => room !== self).map((room) => room.name.toLowerCase()));
    let candidate = name;
    for (let number = 2; used.has(candidate.toLowerCase()); number += 1) candidate = `${name} ${number}`;
    return candidate;
  }

  /** Add the room the walker is in, which it came to `from` another one by a `way` (both null at the start). */
  add(name, from, way) {
    const room = { name: this.uniqueName(name), x: 0, y: 0 };
    if (this.rooms.length) {
      const next = from && way ? [from.x + WAYS[way][0], from.y + WAYS[way][1]] : null;
      let [x, y] = next ?? [0, Math.min(...this.rooms.map((other) => other.y)) - 1];
      while (this.roomAt(x, y)) x += 1;
      Object.assign(room, { x, y });
      if (next && x === next[0] && y === next[1]) this.doors.push([from, room, way]);
    }
    this.rooms.push(room);
    this.at = this.chosen = room;
    return room;
  }

  /** Move a room. A door leads to the neighbour on its side: those to rooms that are no neighbours now are gone. */
  place(room, x, y) {
    Object.assign(room, { x, y });
    this.doors = this.doors.filter(([a, b, way]) => b.x - a.x === WAYS[way][0] && b.y - a.y === WAYS[way][1]);
  }

  /** Add or remove the door between a room and its neighbour; return whether there is one now. */
  toggleDoor(room, other, way) {
    const existing = this.door(room, other);
    this.doors = existing ? this.doors.filter((door) => door !== existing) : [...this.doors, [room, other, way]];
    return !existing;
  }

  remove(removed) {
    this.rooms = this.rooms.filter((room) => room !== removed);
    this.doors = this.doors.filter(([a, b]) => a !== removed && b !== removed);
    if (this.at === removed) this.at = null;
    this.chosen = null;
  }

  /** The walker has gone a way: it is in the neighbour there, through a door, or in a room that is not on the map. */
  go(way) {
    const from = this.at;
    this.at = (from && this.neighbour(from, way)) ?? null;
    if (from && this.at && !this.door(from, this.at)) this.doors.push([from, this.at, way]);
    return this.at;
  }

  /** The text that is sent. */
  text() {
    return composeMap(this.rooms, this.doors);
  }

  /** What a browser keeps besides: places, and where the walker is. */
  places() {
    return {
      sketch: canonicalText(JSON.parse(this.text())),
      places: this.rooms.map((room) => [room.name, [room.x, room.y]]),
      at: this.at?.name ?? null,
    };
  }

  /** Take over a text that was sent or kept as a draft, and what the browser kept besides if it is of the same map. */
  read(text, saved) {
    /** @type {any} */
    let stated = EMPTY;
    try {
      stated = JSON.parse(text) ?? EMPTY;
    } catch {
      // a draft of another kind: begin with an empty map
    }
    const isSame = saved?.sketch === canonicalText(stated);
    const positions = isSame ? new Map(saved.places) : placeRooms(stated);
    this.rooms = stated.nodes.map((name) => ({ name, x: positions.get(name)[0], y: positions.get(name)[1] }));
    /** @type {Map<string, any>} */
    const named = new Map(this.rooms.map((room) => [room.name, room]));
    this.doors = Object.entries(stated.edges).flatMap(([way, pairs]) =>
      /** @type {any[]} */ (pairs).map(([a, b]) => [named.get(a), named.get(b), way]),
    );
    this.at = isSame ? (named.get(saved.at) ?? null) : null;
    this.chosen = null;
  }
}
