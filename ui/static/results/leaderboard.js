// The leaderboard: one table over games, variants and experiments, above it clemscores, ratings, and what papers report.
// Published rows are marked and in no average.
import { el } from '/web/core/dom.js';
import { clemscores } from '/web/results/clemscores.js';
import {
  DASH,
  describeSeats,
  episodesUrl,
  formatNumber,
  measuredMean,
  numberLink,
  seatedPlayers,
  Titles,
  withParams,
} from '/web/results/numbers.js';
import { explanations, otherNumbers, Sources } from '/web/results/published.js';
import { ratings } from '/web/results/ratings.js';
import { appendLazily, body, cell, dropdown, groupRow, section, table, row as tableRow } from '/web/results/tables.js';

const NUMBERS = ['played', 'quality', 'score_all'];
const COLUMNS = {
  experiment: 'Experiment',
  players: 'Players',
  n: 'n',
  played: '% played',
  quality: 'Quality',
  score_all: 'Score, all',
};
const EXPLANATIONS = {
  n: 'Episodes with an outcome that count; below, those left out and why',
  played: 'Share of episodes that no player broke off by breaking the rules of form',
  quality: 'Mean main score of the episodes played to the end, 0 to 100',
  score_all: 'The same with aborted episodes as 0',
};
const DESCENDING = new Set(['n', ...NUMBERS]); // the best first

export async function leaderboard({ params, data, rows, ask, go, downloads }) {
  const own = await ask('/api/me/ratings');
  if (!own) return null;
  const titles = new Titles(data.there.games);
  const informed = params.has('informed') ? 1 : null;
  const kinds = data.there.players;
  const sources = new Sources(data.published);
  const isByVariant = params.get('per') === 'variant';
  const inColumns = data.published.filter(
    (row) => row.game && !(isByVariant && row.experiment) && NUMBERS.some((name) => name in row.numbers),
  );
  const overGames = data.published.filter((row) => !params.has('game') && !row.game && 'clemscore' in row.numbers);
  const furtherRows = data.published.filter(
    (row) => !inColumns.includes(row) && !overGames.includes(row) && !(isByVariant && row.experiment),
  );
  const meanings = Object.entries(EXPLANATIONS).map(([name, words]) => [COLUMNS[name], words]);
  const further = furtherRows.length ? otherNumbers(furtherRows, titles, sources) : null;
  const context = { params, informed, kinds, titles, sources };
  const nodes = [el('div', { class: 'folds' }, explanations(meanings), sources.node(), further)];
  if (data.clemscores.length || overGames.length) nodes.push(clemscores(data.clemscores, overGames, context));
  nodes.push(...ratings({ data, own: own.ratings, titles, informed, isOneGame: params.has('game') }));
  if (rows.length || inColumns.length)
    // the one long table comes last: what stands below it would move away as it is drawn
    nodes.push(experimentSection(rows, inColumns, { ...context, aside: data.aside, go, downloads }));
  return nodes;
}

function experimentSection(rows, published, context) {
  const { params, go, downloads } = context;
  const sort = params.get('sort') ?? '';
  const element = table(
    'leaderboard',
    'Results by game, variant and experiment',
    Object.entries(COLUMNS).map(([name, words]) => columnHead(name, words, sort, params)),
  );
  const allRows = [...rows, ...published.map((row) => ({ ...row, ...numbersOf(row), theirs: true }))];
  const end = appendLazily(element, rowMakers(allRows, sort, context));
  const set = (name) => (value) => go(withParams(params, { [name]: value }));
  const orders = Object.entries(COLUMNS).slice(1);
  const sorter = el(
    'div',
    { class: 'sorters' },
    dropdown(
      'sort',
      'Sort by',
      [['', 'experiment'], ...orders.map(([name, words]) => [DESCENDING.has(name) ? `-${name}` : name, words])],
      sort,
      set('sort'),
    ),
    dropdown(
      'per',
      'Group by',
      [
        ['', 'experiment'],
        ['variant', 'variant'],
      ],
      params.get('per'),
      set('per'),
    ),
  );
  const title = params.get('per') === 'variant' ? 'By variant' : 'By experiment';
  const node = section('per-experiment', title, downloads, element, end);
  node.querySelector('.section-head').append(sorter);
  return node;
}

/** Functions that make the rows, each variant in a body of its own under its name. */
function rowMakers(rows, sort, context) {
  const { titles } = context;
  const groups = new Map();
  for (const row of rows) {
    const key = `${row.game}/${row.variant ?? ''}`;
    if (!groups.has(key)) groups.set(key, { game: row.game, variant: row.variant, rows: [] });
    groups.get(key).rows.push(row);
  }
  return [...groups.values()]
    .sort((entry, other) => titles.compare(entry, other))
    .flatMap((group) => {
      const place = body(heading(group, titles));
      let previous = /** @type {any} */ (null);
      const makers = sorted(group.rows, sort, titles).map((row) => {
        const repeats = previous?.experiment === row.experiment;
        previous = row;
        return () => {
          const lines = row.theirs ? [publishedLine(row, repeats, context)] : ourLines(row, repeats, context);
          place.append(...lines);
          return [];
        };
      });
      return [() => place, ...makers];
    });
}

function columnHead(name, words, sort, params) {
  const first = DESCENDING.has(name) ? `-${name}` : name;
  const isSorted = sort.replace(/^-/, '') === name;
  const next = !isSorted || !sort ? first : sort === first ? (first.startsWith('-') ? name : `-${name}`) : '';
  const state = !isSorted ? null : sort.startsWith('-') ? 'descending' : 'ascending';
  return el(
    'th',
    { role: 'columnheader', scope: 'col', class: `column-${name}`, 'aria-sort': state, title: EXPLANATIONS[name] },
    el(
      'a',
      { href: withParams(params, { sort: name === 'experiment' ? null : next }) },
      words,
      state && el('span', { class: 'arrow', 'aria-hidden': 'true' }, state === 'descending' ? ' ▾' : ' ▴'),
    ),
  );
}

function sorted(rows, sort, titles) {
  const column = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const key = (row) => (column === 'players' ? (row.theirs ? row.model : describeSeats(row.seats)) : row[column]);
  const isMissing = (row) => column !== 'players' && (row[column] ?? null) === null;
  const byColumn = (entry, other) => {
    const [a, b] = [key(entry), key(other)];
    return Number(isMissing(entry)) - Number(isMissing(other)) || sign * (a > b ? 1 : a < b ? -1 : 0);
  };
  const byExperiment = (entry, other) =>
    titles.place(entry) - titles.place(other) ||
    String(entry.experiment).localeCompare(String(other.experiment)) ||
    String(entry.side ?? '').localeCompare(String(other.side ?? '')) ||
    Number(Boolean(entry.theirs)) - Number(Boolean(other.theirs)) ||
    (other.quality ?? -1) - (entry.quality ?? -1);
  return [...rows].sort(sort ? byColumn : byExperiment);
}

const heading = ({ game, variant }, titles) =>
  groupRow(
    6,
    el('span', { class: 'of-game' }, titles.game(game)),
    variant ? ` ${titles.variant(game, variant)} ` : ' Several variants together ',
    el('code', {}, variant ? `${game}/${variant}` : game),
  );

const cellOf = (name, ...children) => cell(COLUMNS[name], name, ...children);

function experimentCell(row, repeats, titles) {
  const of = row.experiments;
  const words =
    row.experiment ?? (of ? `${of.length} ${of.length === 1 ? 'experiment' : 'experiments'}` : 'all experiments');
  return el(
    'th',
    {
      role: 'rowheader',
      scope: 'row',
      class: 'column-experiment',
      title: of ? of.join(', ') : row.experiment && titles.experiment(row),
    },
    el('span', { class: repeats ? 'repeats' : null }, words),
  );
}

function ourLines(row, repeats, { titles, informed, kinds, aside }) {
  const at = (which) => episodesUrl({ row: row.of ?? row.id, which, informed });
  const exclusions = aside
    .filter((name) => row[name])
    .map((name) => el('a', { class: 'left-out', href: at(name) }, `${row[name]} ${name.replace('_', ' ')}`));
  if (row.missing) {
    const title = 'Planned by `ludens run` and not begun; the same command plays them';
    exclusions.push(el('span', { class: 'left-out', title }, `${row.missing} missing`));
  }
  const note = (words) => words && el('span', { class: 'how' }, words);
  const byForm = { class: 'by-form', title: 'A form on the page keeps people to the format' };
  const line = tableRow(
    row.people ? 'people' : null,
    experimentCell(row, repeats, titles),
    cellOf(
      'players',
      seatedPlayers(row.seats, kinds),
      row.side && el('span', { class: 'as-side' }, ` as ${row.side}`),
      note(row.how),
      note(row.usage_words?.sent && `sent ${row.usage_words.sent}`),
    ),
    cellOf(
      'n',
      numberLink(String(row.n), row.n ? at('counted') : null, `${row.n} episodes counted`),
      row.participants ? note(row.participants === 1 ? '1 person' : `${row.participants} people`) : null,
      exclusions.length ? el('span', { class: 'outs' }, exclusions) : null,
      note(row.usage_words?.finish),
    ),
    cellOf('played', measuredMean(row, 'played', at('counted'), row.people ? el('span', byForm, ' by form') : null)),
    cellOf('quality', measuredMean(row, 'quality', at('played'))),
    cellOf('score_all', measuredMean(row, 'score_all', at('counted'))),
  );
  if (!row.own) return [line];
  const numbers = Object.entries(row.own).map(([name, value]) => {
    const link = numberLink(formatNumber(value), value === null ? null : at('summed'));
    return el('span', { class: 'own-number' }, `${name} `, link);
  });
  return [line, tableRow('own', el('td', { role: 'cell', colspan: 6 }, numbers))];
}

const numbersOf = ({ numbers }) => Object.fromEntries(NUMBERS.map((name) => [name, numbers[name] ?? null]));

const publishedLine = (row, repeats, { titles, sources }) =>
  tableRow(
    'published',
    experimentCell(row, repeats, titles),
    cellOf(
      'players',
      `† ${row.model} `,
      el('span', { class: 'badge' }, 'published'),
      el('span', { class: 'how' }, `${row.condition}, `, sources.link(row)),
    ),
    cellOf('n', DASH),
    ...NUMBERS.map((name) => cellOf(name, el('span', { class: 'measured' }, formatNumber(row[name])))),
  );
