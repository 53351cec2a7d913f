// The heat map: players × experiments, each cell one row of the leaderboard with its number written out. Colours grow
// darker (on a dark page lighter) evenly, so that colour-blind readers can tell them apart (results.css).
import { el } from '/web/core/dom.js';
import {
  DASH,
  describeSeats,
  episodesUrl,
  formatNumber,
  seatedPlayers,
  Titles,
  withParams,
} from '/web/results/numbers.js';
import { appendLazily, dropdown, hint, section } from '/web/results/tables.js';

const MEASURES = { quality: 'Quality', played: '% played', score_all: 'Score, all' };
export function heatmap({ params, data, rows, go }) {
  const measure = params.get('measure') in MEASURES ? params.get('measure') : 'quality';
  const informed = params.has('informed') ? 1 : null;
  const titles = new Titles(data.there.games);
  const { columns, players } = arrange(rows, titles);
  const mean = (entry) => {
    const scores = [...entry.cells.values()].map((row) => row[measure]).filter((value) => value !== null);
    return scores.length ? scores.reduce((sum, value) => sum + value, 0) / scores.length : -1;
  };
  const lines = players.sort(
    (entry, other) =>
      Number(hasSides(entry.seats)) - Number(hasSides(other.seats)) ||
      other.cells.size - entry.cells.size ||
      mean(other) - mean(entry),
  );
  const place = el('tbody');
  const end = appendLazily(
    place,
    lines.map((line) => () => {
      const cells = columns.map(({ key, starts }) => cell(line.cells.get(key), measure, informed, starts));
      return el('tr', {}, el('th', { scope: 'row' }, playerName(line, data.there.players)), cells);
    }),
  );
  const element = el(
    'table',
    { class: 'heatmap' },
    el('caption', { class: 'visually-hidden' }, `${MEASURES[measure]} of players by experiment`),
    columnHeads(columns, titles),
    place,
  );
  const choose = dropdown('measure', 'Shown', Object.entries(MEASURES), measure, (value) =>
    go(withParams(params, { measure: value })),
  );
  const node = section(
    'heat',
    'Players by experiment',
    scale(),
    el('div', { class: 'sideways', tabindex: 0, role: 'region', 'aria-label': 'Heat map, scrolls sideways' }, element),
    end,
    hint(
      'An empty cell was not played. Hover or focus a number for n and interval; it leads to its episodes. Players who met most experiments first.',
    ),
  );
  node.querySelector('.section-head').append(choose);
  return [node];
}

/** Rows as columns (key, row, label, whether another variant starts there) and players with their cells by key. */
function arrange(rows, titles) {
  const columns = new Map();
  const players = new Map();
  for (const row of rows) {
    const key = JSON.stringify([row.game, row.variant, row.experiment, row.side, row.how]);
    const words = [row.experiment ? `${row.variant}/${row.experiment}` : row.variant, row.side];
    if (!columns.has(key)) columns.set(key, { key, row, label: words.filter(Boolean).join(', '), starts: false });
    const who = playersKey(row.seats);
    if (!players.has(who)) players.set(who, { seats: row.seats, who, cells: new Map() });
    players.get(who).cells.set(key, row);
  }
  const ordered = [...columns.values()].sort(
    ({ row }, { row: other }) => titles.compare(row, other) || titles.place(row) - titles.place(other),
  );
  const labels = ordered.map(({ label }) => label);
  const repeated = new Set(labels.filter((label, place) => labels.indexOf(label) !== place));
  ordered.forEach((column, place) => {
    const before = ordered[place - 1]?.row;
    column.starts = before?.game !== column.row.game || before.variant !== column.row.variant;
    column.title = [column.label, titles.experiment(column.row), column.row.how].filter(Boolean).join(': ');
    if (repeated.has(column.label)) column.label = [column.label, column.row.how].filter(Boolean).join(', ');
  });
  return { columns: ordered, players: [...players.values()] };
}

function columnHeads(columns, titles) {
  const spans = new Map();
  for (const { row } of columns) spans.set(row.game, (spans.get(row.game) ?? 0) + 1);
  const games = [...spans].map(([game, span]) => {
    const title = titles.game(game);
    return el('th', { colspan: span, scope: 'colgroup', title }, el('span', {}, title));
  });
  const experiments = columns.map(({ label, title, starts }) =>
    el('th', { scope: 'col', class: starts ? 'starts' : null, title }, el('span', {}, label)),
  );
  return el(
    'thead',
    {},
    el('tr', { class: 'of-games' }, el('td'), games),
    el('tr', { class: 'of-experiments' }, el('td'), experiments),
  );
}

function scale() {
  const steps = Array.from({ length: 11 }, (_, i) => el('i', { style: `--value:${i * 10}` }));
  const ramp = el('span', { class: 'ramp' }, steps);
  return el('div', { class: 'scale', 'aria-hidden': 'true' }, el('span', {}, '0'), ramp, el('span', {}, '100'));
}

const hasSides = (seats) => Object.keys(seats).some((seat) => seat.includes(':'));

/** Who played, whatever the seats are called. In a game of sides it includes the sides. */
function playersKey(seats) {
  const players = Object.values(seats);
  if (new Set(players).size === 1) return players[0];
  return hasSides(seats) ? describeSeats(seats) : players.join(' + ');
}

function playerName({ seats, who: key }, kinds) {
  return hasSides(seats) || key in kinds ? seatedPlayers(seats, kinds) : el('span', { class: 'seated' }, key);
}

function cell(row, measure, informed, startsGroup) {
  if (!row) return el('td', { class: startsGroup ? 'starts' : null });
  const value = row[measure];
  const which = measure === 'quality' ? 'played' : 'counted';
  if (value === null) return el('td', { class: `none${startsGroup ? ' starts' : ''}`, title: `n = ${row.n}` }, DASH);
  const [low, high] = [row[`${measure}_low`], row[`${measure}_high`]];
  const bounds = low === null ? '' : ` [${low.toFixed(0)}, ${high.toFixed(0)}]`;
  const words = `${formatNumber(value)}${bounds}, n = ${row.n}`;
  return el(
    'td',
    { class: startsGroup ? 'starts' : null, style: `--value:${value}` },
    el(
      'a',
      { href: episodesUrl({ row: row.of ?? row.id, which, informed }), title: words, 'aria-label': words },
      value.toFixed(0),
    ),
  );
}
