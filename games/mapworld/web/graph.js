// A graph panel as a drawing: rooms as boxes at their places, doors as lines, a walk as numbered steps. x goes right, y
// up. Knows graphs, not games.
import { el, svg } from '/web/core/dom.js';

const CELL = [150, 100]; // wide enough for the numbers of steps between two boxes
const BOX = [116, 56];
const LINE = 11; // letters that fit a box
const LONGEST_LINE = 16; // letters, set closer
const STATES = { here: 'here', visited: 'visited', seen: 'seen, not visited', hidden: 'never seen' };

/** Places of the boxes' middles in the drawing, and its size. */
function layout(nodes) {
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const [left, top] = [Math.min(...xs), Math.max(...ys)];
  const at = new Map(nodes.map(({ id, x, y }) => [id, [(x - left + 0.5) * CELL[0], (top - y + 0.5) * CELL[1]]]));
  return { at, width: (Math.max(...xs) - left + 1) * CELL[0], height: (top - Math.min(...ys) + 1) * CELL[1] };
}

/** The lines of a label, at most two: it is divided at the blank that is nearest to its middle. */
function lines(label) {
  const middle = label.length / 2;
  const blanks = [...label.matchAll(/ /g)].map(({ index }) => index);
  if (label.length <= LINE || !blanks.length) return [label];
  const cut = blanks.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best));
  return [label.slice(0, cut), label.slice(cut + 1)];
}

/** A label in the middle of a box: long lines are set closer, and cut where that does not suffice. */
export function boxLabel(label, [x, y], width) {
  const words = lines(label).map((line, i, all) => {
    const closer = line.length > LINE ? { textLength: width - 8, lengthAdjust: 'spacingAndGlyphs' } : {};
    const short = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
    return svg('tspan', { x, y: y + 6 + (i - (all.length - 1) / 2) * 20, ...closer }, short);
  });
  return svg('text', { 'text-anchor': 'middle' }, ...words);
}

function box({ label, state }, [x, y], first) {
  const [width, height] = BOX;
  const group = svg(
    'g',
    { class: `room ${state}` },
    svg('rect', { x: x - width / 2, y: y - height / 2, width, height, rx: 9 }),
    boxLabel(label, [x, y], width),
  );
  if (first) group.append(svg('text', { class: 'first', x: x - width / 2 + 4, y: y - height / 2 - 4 }, 'start'));
  return group;
}

/** The numbers of the steps along each door, to the right of the walker. */
function steps(path, at) {
  const ways = new Map();
  for (let i = 1; i < path.length; i += 1) {
    const key = `${path[i - 1]}>${path[i]}`;
    if (path[i - 1] !== path[i]) ways.set(key, [...(ways.get(key) ?? []), i]);
  }
  return [...ways].map(([key, numbers]) => {
    const [from, to] = key.split('>').map((id) => at.get(Number(id)));
    const [dx, dy] = [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
    const words = numbers.join(' ');
    const half = 5 + 4.6 * words.length;
    const [x, y] = [(from[0] + to[0]) / 2 - dy * (half + 3), (from[1] + to[1]) / 2 + dx * 12];
    const turn = { '1,0': 0, '0,1': 90, '-1,0': 180, '0,-1': 270 }[`${dx},${dy}`] ?? 0;
    return svg(
      'g',
      { class: 'step' },
      svg('path', {
        d: 'M-5 -4 5 0-5 4z',
        transform: `translate(${x + (dx ? dx * (half + 5) : 0)} ${y + (dx ? 0 : dy * 15)}) rotate(${turn})`,
      }),
      svg('rect', { x: x - half, y: y - 9, width: 2 * half, height: 18, rx: 9 }),
      svg('text', { x, y: y + 4.5, 'text-anchor': 'middle' }, words),
    );
  });
}

/** Draw {nodes: [{id, x, y, label, state}], edges: [[id, id, known]], path: [id], start}. */
export function drawExhibit({ nodes, edges, path = [], start = null }, title) {
  const { at, width, height } = layout(nodes);
  const doors = edges.map(([a, b, isKnown]) => {
    const [[x1, y1], [x2, y2]] = [at.get(a), at.get(b)];
    return svg('line', { x1, y1, x2, y2, class: isKnown ? 'door' : 'door hidden' });
  });
  const names = new Map(nodes.map(({ id, label }) => [id, label]));
  const rooms = nodes.map(({ label, state }) => `${label} (${STATES[state] ?? state})`).join(', ');
  const entered = path.filter((id, move) => id !== path[move - 1]); // not where a door was closed
  const walked = path.length > 1 ? ` Walk: ${entered.map((id) => names.get(id)).join(', ')}.` : '';
  const drawing = svg(
    'svg',
    {
      class: 'graph',
      viewBox: `0 -14 ${width} ${height + 20}`,
      style: `--least: ${Math.round(0.65 * width)}px`,
      role: 'img',
      'aria-label': `${title}: ${rooms}.${walked}`,
    },
    ...doors,
    ...nodes.map((node) => box(node, at.get(node.id), node.id === start)),
    ...steps(path, at),
  );
  return el('div', { class: 'graphbox' }, drawing, legend(nodes, path));
}

/** What the boxes and numbers mean, for what stands in this drawing; nothing for a map of one kind of rooms. */
function legend(nodes, path) {
  const states = Object.keys(STATES).filter((state) => nodes.some((node) => node.state === state));
  const rooms = states.map((state) => el('li', { class: `room-key ${state}` }, LEGEND[state]));
  const walk = path.length > 1 ? [el('li', { class: 'step-key' }, 'the number of a move')] : [];
  return states.length + walk.length > 1 ? el('ul', { class: 'key graph-key' }, rooms, walk) : '';
}

const LEGEND = {
  here: 'where the walk is or ended',
  visited: 'visited',
  seen: 'seen through a door, not visited',
  hidden: 'never seen',
};
