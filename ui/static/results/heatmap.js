// The heat map: players × experiments, each cell one row of the leaderboard with its number written out. Colours grow
// darker (on a dark page lighter) evenly, so that they can be told apart whatever colours a reader sees.
import { el } from '/web/core/dom.js';
import { Titles } from '/web/results/leaderboard.js';
import { DASH, differences, episodesAt, lazily, rounded, seated, seatedText } from '/web/results/numbers.js';

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
  const how = differences(rows);
  const columns = new Map();
  const players = new Map();
  for (const row of rows) {
    const column = JSON.stringify([row.game, row.variant, row.experiment, row.side, how.get(row)]);
    if (!columns.has(column)) columns.set(column, row);
    const who = together(row.seats);
    if (!players.has(who)) players.set(who, { seats: row.seats, who, cells: new Map() });
    players.get(who).cells.set(column, row);
  }
  const ordered = [...columns].sort(
    ([, one], [, two]) => titles.before(one, two) || titles.place(one) - titles.place(two),
  );
  const labels = ordered.map(([, row]) =>
    [row.experiment ? `${row.variant}/${row.experiment}` : row.variant, row.side].filter(Boolean).join(', '),
  );
  const alike = new Set(labels.filter((label, place) => labels.indexOf(label) !== place));
  const label = (row, place) => [labels[place], alike.has(labels[place]) && how.get(row)].filter(Boolean).join(', ');
  const groups = [];
  const starts = new Set(); // where another variant begins
  ordered.forEach(([, row], place) => {
    const before = place ? ordered[place - 1][1] : null;
    if (before?.game !== row.game || before.variant !== row.variant) starts.add(place);
    if (groups.at(-1)?.game === row.game) groups.at(-1).span += 1;
    else groups.push({ game: row.game, span: 1 });
  });
  const mean = (one) => {
    const found = [...one.cells.values()].map((row) => row[measure]).filter((value) => value !== null);
    return found.length ? found.reduce((sum, value) => sum + value, 0) / found.length : -1;
  };
  const lines = [...players.values()].sort(
    (one, two) => ofSides(one.seats) - ofSides(two.seats) || two.cells.size - one.cells.size || mean(two) - mean(one),
  );
  const body = el('tbody');
  const end = lazily(
    body,
    lines.map(
      (line) => () =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, name(line, data.there.players)),
          ordered.map(([key], place) => cell(line.cells.get(key), measure, informed, starts.has(place))),
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
              class: starts.has(place) ? 'starts' : null,
              title: [labels[place], titles.experiment(row), how.get(row)].filter(Boolean).join(': '),
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
          Array.from({ length: 11 }, (_, i) => el('i', { style: colours(i * 10) })),
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

const ofSides = (seats) => Object.keys(seats).some((seat) => seat.includes(':'));

/** Who played, whatever the seats are called in a game; which side somebody played is always told. */
function together(seats) {
  const players = Object.values(seats);
  if (new Set(players).size === 1) return players[0];
  return ofSides(seats) ? seatedText(seats) : players.join(' + ');
}

function name({ seats, who }, kinds) {
  return ofSides(seats) || who in kinds ? seated(seats, kinds) : el('span', { class: 'seated' }, who);
}

function cell(row, measure, informed, starts) {
  if (!row) return el('td', { class: starts ? 'starts' : null });
  const value = row[measure];
  const which = measure === 'quality' ? 'played' : 'counted';
  if (value === null) return el('td', { class: `none${starts ? ' starts' : ''}`, title: `n = ${row.n}` }, DASH);
  const words = `${rounded(value)} [${row[`${measure}_low`].toFixed(0)}, ${row[`${measure}_high`].toFixed(0)}], n = ${row.n}`;
  return el(
    'td',
    { class: starts ? 'starts' : null, style: colours(value) },
    el(
      'a',
      { href: episodesAt({ row: row.of ?? row.id, which, informed }), title: words, 'aria-label': words },
      value.toFixed(0),
    ),
  );
}

/** Background and ink of a value from 0 to 100, for light and for dark pages. */
function colours(value) {
  const parts = [
    ['light', LIGHT],
    ['dark', DARK],
  ].map(([name, ramp]) => {
    const at = (Math.min(Math.max(value, 0), 100) / 100) * (ramp.length - 1);
    const i = Math.min(Math.floor(at), ramp.length - 2);
    const rgb = ramp[i].map((from, channel) => Math.round(from + (ramp[i + 1][channel] - from) * (at - i)));
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
