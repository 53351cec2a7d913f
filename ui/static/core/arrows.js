// An arrows panel as a drawing: people on a ring, an arrow from each to the one they vote for or speak of. Below it a list of
// the same for those who do not see it. Knows arrows, not games.
import { el, svg } from '/web/core/dom.js';

const WIDTH = 480;
const NODE = 33;
const SELF = 13; // radius of the loop of somebody who speaks of themselves

/** {nodes: [{id, label, note, state, group}], edges: [{from, to, kind}], legend: [{kind | group, text}]}. */
export function drawArrows({ nodes, edges, legend = [] }, title) {
  const height = nodes.length > 6 ? 470 : 420;
  const [cx, cy] = [WIDTH / 2, height / 2];
  const [rx, ry] = [WIDTH / 2 - 62, height / 2 - 78];
  const positions = new Map(
    nodes.map(({ id }, i) => {
      const turn = (2 * Math.PI * i) / nodes.length - Math.PI / 2;
      return [id, [cx + rx * Math.cos(turn), cy + ry * Math.sin(turn)]];
    }),
  );
  const names = new Map(nodes.map(({ id, label }) => [id, label]));
  const sentences = edges.map(({ from, to, kind }) => `${names.get(from)} → ${names.get(to)}${EDGE_WORDS[kind] ?? ''}`);
  const picture = svg(
    'svg',
    { class: 'arrows', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': [title, ...sentences].join('. ') },
    ...edges.map((edge) => arrow(edge, positions, edges, cy)),
    ...nodes.map((node) => person(node, positions.get(node.id), cy)),
  );
  const legendItems = legend.map(({ kind, group, text }) =>
    el('li', { class: kind ? `kind ${kind}` : `group ${group}` }, text),
  );
  return el('div', { class: 'arrowsbox' }, picture, legendItems.length > 0 && el('ul', { class: 'key' }, legendItems));
}

const EDGE_WORDS = { true: ', true', lie: ', a lie', unclear: ', unclear', faint: ', before the tie' };

/** A circle with a name; what is noted stands on the ring's outside, where no arrow goes. */
function person({ label, note = '', state, group }, [x, y], middle) {
  const noteLines = note.length > 16 && note.includes(' ') ? splitInTwo(note) : [note];
  const firstLine = y < middle ? y - NODE - 10 - 16 * (noteLines.length - 1) : y + NODE + 19;
  return svg(
    'g',
    { class: ['person', state, group && `group ${group}`].filter(Boolean).join(' ') },
    svg('circle', { cx: x, cy: y, r: NODE }),
    svg('text', { class: 'name', x, y: y + 5, 'text-anchor': 'middle' }, label),
    ...noteLines.map((line, i) =>
      svg('text', { class: 'note', x, y: firstLine + 16 * i, 'text-anchor': 'middle' }, line),
    ),
  );
}

function splitInTwo(text) {
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index);
  const cut = blanks.reduce((best, i) => (Math.abs(i - text.length / 2) < Math.abs(best - text.length / 2) ? i : best));
  return [text.slice(0, cut), text.slice(cut + 1)];
}

/** A bent line, so that two who point at each other do not cover one another; further ones of a pair bend more. */
function arrow({ from, to, kind }, positions, edges, middle) {
  const [[x1, y1], [x2, y2]] = [positions.get(from), positions.get(to)];
  const parallel = edges.filter((edge) => edge.from === from && edge.to === to);
  const number = parallel.findIndex((edge) => edge.kind === kind);
  if (from === to) {
    const [x, y] = [x1 + NODE * 0.75, y1 - NODE * 0.75];
    const path = `M${x - 4} ${y - 9} a${SELF} ${SELF} 0 1 1 9 13`;
    const [sx, sy] = [x1 < WIDTH / 2 - 1 ? -1 : 1, y1 < middle ? -1 : 1]; // on the outside, and not over the note
    const transform = `matrix(${sx} 0 0 ${sy} ${x1 - sx * x1} ${y1 - sy * y1})`;
    return svg('g', { class: `arrow ${kind}`, transform }, svg('path', { d: path }), arrowHead(x + 5, y + 4, 2.6));
  }
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy);
  const bend = 26 + 16 * Math.max(0, number);
  const [mx, my] = [(x1 + x2) / 2 - (dy / length) * bend, (y1 + y2) / 2 + (dx / length) * bend];
  const start = pointTowards([x1, y1], [mx, my], NODE + 2);
  const end = pointTowards([x2, y2], [mx, my], NODE + 7);
  const turn = Math.atan2(end[1] - my, end[0] - mx);
  return svg(
    'g',
    { class: `arrow ${kind}` },
    svg('path', { d: `M${start.join(' ')} Q${mx} ${my} ${end.join(' ')}` }),
    arrowHead(...end, turn),
  );
}

const pointTowards = ([x, y], [tx, ty], distance) => {
  const length = Math.hypot(tx - x, ty - y) || 1;
  return [x + ((tx - x) / length) * distance, y + ((ty - y) / length) * distance];
};

const arrowHead = (x, y, turn) =>
  svg('path', {
    class: 'head',
    d: 'M5 0 -7 -6 -4 0 -7 6z',
    transform: `translate(${x} ${y}) rotate(${(turn * 180) / Math.PI})`,
  });

/** What was said, one by one: [{who, text, note, state, verdict}]. */
export function statementList(rows) {
  return el(
    'ol',
    { class: 'sayings' },
    rows.map(({ who, text, note, state = '', verdict }) =>
      el(
        'li',
        { class: state },
        el('p', { class: 'who' }, el('b', {}, who), verdict && el('span', { class: 'verdict' }, verdict)),
        el('p', { class: 'said', dir: 'auto' }, text),
        note && el('p', { class: 'hint', dir: 'auto' }, note),
      ),
    ),
  );
}
