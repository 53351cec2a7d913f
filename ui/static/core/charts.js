// Line charts of percentages that grow turn by turn, and how numbers are written.
import { el, svg } from '/web/core/dom.js';

/** A number with at most one decimal, other values as they are, nothing as a dash. */
export const formatValue = (value) =>
  typeof value === 'number'
    ? String(Math.round(value * 10) / 10)
    : value === null || value === undefined
      ? '–'
      : String(value);

/** Percentages as they grew turn by turn: {label, values} each, drawn as lines with a legend. */
export function lineChart(curves) {
  const [width, height, left] = [420, 150, 34];
  const last = Math.max(...curves.map(({ values }) => values.length - 1));
  const x = (turn) => left + (turn / last) * (width - left - 10);
  const y = (value) => 10 + (1 - value / 100) * (height - 34);
  const title = `Turn by turn: ${curves.map(({ label, values }) => `${label} ${values.map(formatValue).join(', ')}`).join('; ')}`;
  const chart = svg('svg', { class: 'growth', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title });
  for (const value of [0, 50, 100]) {
    chart.append(svg('line', { class: 'rule', x1: left, x2: width - 10, y1: y(value), y2: y(value) }));
    chart.append(svg('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, String(value)));
  }
  curves.forEach(({ values }, i) => {
    const points = values.map((value, turn) => `${x(turn)},${y(value)}`).join(' ');
    chart.append(svg('polyline', { class: `curve curve-${i}`, points }));
  });
  chart.append(svg('text', { x: left, y: height - 4 }, 'turn 1'));
  chart.append(svg('text', { x: width - 10, y: height - 4, 'text-anchor': 'end' }, `turn ${last + 1}`));
  const legend = curves.map(({ label }, i) => el('li', { class: `curve-${i}` }, label));
  return el('figure', { class: 'curves' }, chart, el('ul', { class: 'legend' }, legend));
}
