// The heat map: players × experiments, each cell one row of the leaderboard with its number written out. Colours grow
// darker (on a dark page lighter) evenly, so that colour-blind readers can tell them apart.
import { el } from '/web/core/dom.js';
import { Titles } from '/web/results/leaderboard.js';
import {
  appendLazily,
  conditionLabels,
  DASH,
  describeSeats,
  episodesUrl,
  formatNumber,
  seatedPlayers,
} from '/web/results/numbers.js';

const MEASURES = { quality: 'Quality', played: '% played', score_all: 'Score, all' };
const LIGHT = [
  [251, 243, 220],
  [137, 189, 159],
  [29, 82, 60],
];
const DARK = [
  [44, 40, 35],
  [63, 122, 92],
  [214, 236, 222],
];

export function heatmap({ params, data, rows, go }) {
  const measure = params.get('measure') in MEASURES ? params.get('measure') : 'quality';
  const informed = params.has('informed') ? 1 : null;
  const titles = new Titles(data.there.games);
  const conditions = conditionLabels(rows);
  const columns = new Map();
  const players = new Map();
  for (const row of rows) {
    const column = JSON.stringify([row.game, row.variant, row.experiment, row.side, conditions.get(row)]);
    if (!columns.has(column)) columns.set(column, row);
    const key = playersKey(row.seats);
    if (!players.has(key)) players.set(key, { seats: row.seats, who: key, cells: new Map() });
    players.get(key).cells.set(column, row);
  }
  const ordered = [...columns].sort(
    ([, entry], [, other]) => titles.compare(entry, other) || titles.place(entry) - titles.place(other),
  );
  const labels = ordered.map(([, row]) =>
    [row.experiment ? `${row.variant}/${row.experiment}` : row.variant, row.side].filter(Boolean).join(', '),
  );
  const repeatedLabels = new Set(labels.filter((label, place) => labels.indexOf(label) !== place));
  const label = (row, place) =>
    [labels[place], repeatedLabels.has(labels[place]) && conditions.get(row)].filter(Boolean).join(', ');
  const groups = [];
  const groupStarts = new Set(); // where another variant begins
  ordered.forEach(([, row], place) => {
    const before = place ? ordered[place - 1][1] : null;
    if (before?.game !== row.game || before.variant !== row.variant) groupStarts.add(place);
    if (groups.at(-1)?.game === row.game) groups.at(-1).span += 1;
    else groups.push({ game: row.game, span: 1 });
  });
  const mean = (entry) => {
    const scores = [...entry.cells.values()].map((row) => row[measure]).filter((value) => value !== null);
    return scores.length ? scores.reduce((sum, value) => sum + value, 0) / scores.length : -1;
  };
  const lines = [...players.values()].sort(
    (entry, other) =>
      Number(hasSides(entry.seats)) - Number(hasSides(other.seats)) ||
      other.cells.size - entry.cells.size ||
      mean(other) - mean(entry),
  );
  const body = el('tbody');
  const end = appendLazily(
    body,
    lines.map(
      (line) => () =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, playerName(line, data.there.players)),
          ordered.map(([key], place) => cell(line.cells.get(key), measure, informed, groupStarts.has(place))),
        ),
    ),
  );
  const table = el(
    'table',
    { class: 'heatmap' },
    el('caption', { class: 'visually-hidden' }, `${MEASURES[measure]} of players by experiment`),
    el(
      'thead',
      {},
      el(
        'tr',
        { class: 'of-games' },
        el('td'),
        groups.map(({ game, span }) =>
          el('th', { colspan: span, scope: 'colgroup', title: titles.game(game) }, el('span', {}, titles.game(game))),
        ),
      ),
      el(
        'tr',
        { class: 'of-experiments' },
        el('td'),
        ordered.map(([, row], place) =>
          el(
            'th',
            {
              scope: 'col',
              class: groupStarts.has(place) ? 'starts' : null,
              title: [labels[place], titles.experiment(row), conditions.get(row)].filter(Boolean).join(': '),
            },
            el('span', {}, label(row, place)),
          ),
        ),
      ),
    ),
    body,
  );
  const choose = el(
    'select',
    {
      id: 'measure',
      onchange: () => {
        const next = new URLSearchParams(params);
        next.set('measure', choose.value);
        go(`/results?${next}`);
      },
    },
    Object.entries(MEASURES).map(([name, words]) => el('option', { value: name }, words)),
  );
  choose.value = measure;
  return [
    el(
      'section',
      { class: 'result-table', 'aria-labelledby': 'heat' },
      el(
        'div',
        { class: 'section-head' },
        el('h2', { id: 'heat' }, 'Players by experiment'),
        el('div', { class: 'field sorter' }, el('label', { for: 'measure' }, 'Shown'), choose),
      ),
      el(
        'div',
        { class: 'scale', 'aria-hidden': 'true' },
        el('span', {}, '0'),
        el(
          'span',
          { class: 'ramp' },
          Array.from({ length: 11 }, (_, i) => el('i', { style: cellColours(i * 10) })),
        ),
        el('span', {}, '100'),
      ),
      el('div', { class: 'sideways', tabindex: 0, role: 'region', 'aria-label': 'Heat map, scrolls sideways' }, table),
      end,
      el(
        'p',
        { class: 'hint' },
        'An empty cell was not played. Hover or focus a number for n and interval; it leads to its episodes. Players who met most experiments first.',
      ),
    ),
  ];
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
    { class: startsGroup ? 'starts' : null, style: cellColours(value) },
    el(
      'a',
      { href: episodesUrl({ row: row.of ?? row.id, which, informed }), title: words, 'aria-label': words },
      value.toFixed(0),
    ),
  );
}

/** Background and ink of a value from 0 to 100, for light and for dark pages. */
function cellColours(value) {
  const parts = Object.entries({ light: LIGHT, dark: DARK }).map(([name, ramp]) => {
    const position = (Math.min(Math.max(value, 0), 100) / 100) * (ramp.length - 1);
    const i = Math.min(Math.floor(position), ramp.length - 2);
    const rgb = ramp[i].map((from, channel) => Math.round(from + (ramp[i + 1][channel] - from) * (position - i)));
    return `--${name}:rgb(${rgb});--${name}-ink:${luminance(rgb) > 0.18 ? '#11100e' : '#ffffff'}`;
  });
  return parts.join(';');
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
