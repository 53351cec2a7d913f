// The leaderboard: one table over games, variants and experiments, below it clemscores, games of sides, and what papers
// report. Published rows are marked and in no average.
import { el } from '/web/core/dom.js';
import {
  appendLazily,
  conditionLabels,
  DASH,
  describeSeats,
  episodesUrl,
  formatNumber,
  formatSigned,
  intervalBar,
  measuredNumber,
  numberLink,
  playerMark,
  seatedPlayers,
} from '/web/results/numbers.js';

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
const VISIBLE_ROWS = 20; // so many rows over all games are shown of each modality before the rest is folded
const DESCENDING = new Set(['n', ...NUMBERS]); // the best first

export function leaderboard({ params, data, rows, go, downloads }) {
  const informed = params.has('informed') ? 1 : null;
  const kinds = data.there.players;
  const sources = new Sources(data.published);
  const isByVariant = params.get('per') === 'variant';
  const inColumns = data.published.filter(
    (row) => row.game && !(isByVariant && row.experiment) && NUMBERS.some((name) => name in row.numbers),
  );
  const everything = !params.has('game');
  const overGames = data.published.filter((row) => everything && !row.game && 'clemscore' in row.numbers);
  const furtherRows = data.published.filter(
    (row) => !inColumns.includes(row) && !overGames.includes(row) && !(isByVariant && row.experiment),
  );
  const folds = el(
    'div',
    { class: 'folds' },
    explanations(),
    sources.node(),
    furtherRows.length ? otherNumbers(furtherRows, data, sources) : null,
  );
  const nodes = [folds]; // the one long table comes last: what stands below it would move away as it is drawn
  if (data.clemscores.length || overGames.length)
    nodes.push(clemscores(data.clemscores, overGames, { informed, params, kinds, sources }));
  for (const table of data.ratings) nodes.push(ratings(table, data, { informed, kinds }));
  if (rows.length || inColumns.length)
    nodes.push(perExperiment({ rows, published: inColumns, params, data, informed, kinds, sources, go, downloads }));
  return nodes;
}

// ---------------------------------------------------------------------- per experiment
function perExperiment({ rows, published, params, data, informed, kinds, sources, go, downloads }) {
  const titles = new Titles(data.there.games);
  const labels = conditionLabels(rows);
  const sort = params.get('sort') ?? '';
  const column = sort.replace(/^-/, '');
  const groups = new Map();
  const addRow = (row) => {
    const key = `${row.game}/${row.variant ?? ''}`;
    if (!groups.has(key)) groups.set(key, { game: row.game, variant: row.variant, rows: [] });
    groups.get(key).rows.push(row);
  };
  rows.forEach(addRow);
  published.forEach((row) => addRow({ ...row, ...numbersOf(row), theirs: true }));
  const ordered = [...groups.values()].sort((entry, other) => titles.compare(entry, other));
  const table = el(
    'table',
    { class: 'leaderboard', role: 'table' },
    el('caption', { class: 'visually-hidden' }, 'Results by game, variant and experiment'),
    el(
      'thead',
      { role: 'rowgroup' },
      el(
        'tr',
        { role: 'row' },
        Object.entries(COLUMNS).map(([name, words]) => columnHead(name, words, column === name ? sort : '', params)),
      ),
    ),
  );
  const makers = [];
  for (const group of ordered) {
    /** @type {HTMLElement} */
    let body; // one body a variant, made with its heading
    makers.push(() => {
      body = el('tbody', { role: 'rowgroup' }, heading(group, titles));
      return body;
    });
    let lastExperiment = null;
    for (const row of sorted(group.rows, sort, titles)) {
      const repeats = lastExperiment !== null && lastExperiment === row.experiment;
      lastExperiment = row.experiment;
      makers.push(() => {
        body.append(
          ...(row.theirs
            ? [publishedLine(row, repeats, titles, sources)]
            : ourLines(row, repeats, { titles, how: labels, informed, kinds, aside: data.aside })),
        );
        return [];
      });
    }
  }
  const end = appendLazily(table, makers);
  const sorter = el(
    'div',
    { class: 'field sorter' },
    el('label', { for: 'sort' }, 'Sort by'),
    select(
      'sort',
      sort,
      [
        ['', 'experiment'],
        ...Object.entries(COLUMNS)
          .slice(1)
          .map(([name, words]) => [DESCENDING.has(name) ? `-${name}` : name, words]),
      ],
      (value) => go(withParam(params, 'sort', value)),
    ),
    el('label', { for: 'per' }, 'Group by'),
    select(
      'per',
      params.get('per') ?? '',
      [
        ['', 'experiment'],
        ['variant', 'variant'],
      ],
      (value) => go(withParam(params, 'per', value)),
    ),
  );
  return el(
    'section',
    { class: 'result-table', 'aria-labelledby': 'per-experiment' },
    el(
      'div',
      { class: 'section-head' },
      el('h2', { id: 'per-experiment' }, params.get('per') === 'variant' ? 'By variant' : 'By experiment'),
      sorter,
    ),
    downloads,
    table,
    end,
  );
}

function select(id, value, options, onchange) {
  const element = el(
    'select',
    { id, onchange: () => onchange(element.value) },
    options.map(([name, words]) => el('option', { value: name }, words)),
  );
  element.value = value;
  return element;
}

function withParam(params, name, value) {
  const next = new URLSearchParams(params);
  next.delete(name);
  if (value) next.set(name, value);
  return next.size ? `/results?${next}` : '/results';
}

function columnHead(name, words, sort, params) {
  const first = DESCENDING.has(name) ? `-${name}` : name;
  const next = sort === first ? (first.startsWith('-') ? name : `-${name}`) : sort ? '' : first;
  const state = !sort ? null : sort.startsWith('-') ? 'descending' : 'ascending';
  return el(
    'th',
    { role: 'columnheader', scope: 'col', class: `column-${name}`, 'aria-sort': state, title: EXPLANATIONS[name] },
    el(
      'a',
      { href: withParam(params, 'sort', name === 'experiment' ? '' : next) },
      words,
      state && el('span', { class: 'arrow', 'aria-hidden': 'true' }, state === 'descending' ? ' ▾' : ' ▴'),
    ),
  );
}

function sorted(rows, sort, titles) {
  const column = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const key = (row) => (column === 'players' ? (row.theirs ? row.model : describeSeats(row.seats)) : row[column]);
  const missing = (row) => row[column] === null || row[column] === undefined;
  return rows
    .map((row, at) => [row, at])
    .sort(([entry, i], [other, j]) => {
      if (!sort) {
        const place =
          titles.place(entry) - titles.place(other) ||
          String(entry.experiment).localeCompare(String(other.experiment)) ||
          String(entry.side ?? '').localeCompare(String(other.side ?? ''));
        return (
          place ||
          Number(Boolean(entry.theirs)) - Number(Boolean(other.theirs)) ||
          (other.quality ?? -1) - (entry.quality ?? -1) ||
          i - j
        );
      }
      if (column !== 'players' && missing(entry) !== missing(other))
        return Number(missing(entry)) - Number(missing(other));
      const [a, b] = [key(entry), key(other)];
      return sign * (a > b ? 1 : a < b ? -1 : 0) || i - j;
    })
    .map(([row]) => row);
}

function heading({ game, variant }, titles) {
  const name = variant ? `${game}/${variant}` : game;
  return el(
    'tr',
    { role: 'row', class: 'group' },
    el(
      'th',
      { role: 'rowheader', scope: 'rowgroup', colspan: 6 },
      el('span', { class: 'of-game' }, titles.game(game)),
      variant ? ` ${titles.variant(game, variant)} ` : ' Several variants together ',
      el('code', {}, name),
    ),
  );
}

const cell = (name, ...children) =>
  el('td', { role: 'cell', class: `column-${name}`, 'data-label': COLUMNS[name] }, ...children);

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

const countPeople = (n) => (n === 1 ? '1 person' : `${n} people`);

function ourLines(row, repeats, { titles, how: labels, informed, kinds, aside }) {
  const at = (which) => episodesUrl({ row: row.of ?? row.id, which, informed });
  const exclusions = aside
    .filter((name) => row[name])
    .map((name) => el('a', { class: 'left-out', href: at(name) }, `${row[name]} ${name.replace('_', ' ')}`));
  if (row.missing)
    exclusions.push(
      el(
        'span',
        { class: 'left-out', title: 'Planned by `ludens run` and not begun; the same command plays them' },
        `${row.missing} missing`,
      ),
    );
  const conditions = labels.get(row);
  const lines = [
    el(
      'tr',
      { role: 'row', class: row.people ? 'people' : null },
      experimentCell(row, repeats, titles),
      cell(
        'players',
        seatedPlayers(row.seats, kinds),
        row.side && el('span', { class: 'as-side' }, ` as ${row.side}`),
        conditions && el('span', { class: 'how' }, conditions),
      ),
      cell(
        'n',
        numberLink(String(row.n), row.n ? at('counted') : null, `${row.n} episodes counted`),
        row.participants ? el('span', { class: 'how' }, countPeople(row.participants)) : null,
        exclusions.length ? el('span', { class: 'outs' }, exclusions) : null,
      ),
      cell(
        'played',
        measuredNumber(row, 'played', at('counted'), {
          note:
            row.people && row.played !== null
              ? el('span', { class: 'by-form', title: 'A form on the page keeps people to the format' }, ' by form')
              : null,
        }),
      ),
      cell('quality', measuredNumber(row, 'quality', at('played'))),
      cell('score_all', measuredNumber(row, 'score_all', at('counted'))),
    ),
  ];
  if (row.own)
    lines.push(
      el(
        'tr',
        { role: 'row', class: 'own' },
        el(
          'td',
          { role: 'cell', colspan: 6 },
          Object.entries(row.own).map(([name, value]) =>
            el(
              'span',
              { class: 'own-number' },
              `${name} `,
              numberLink(formatNumber(value), value === null ? null : at('summed')),
            ),
          ),
        ),
      ),
    );
  return lines;
}

const numbersOf = ({ numbers }) => Object.fromEntries(NUMBERS.map((name) => [name, numbers[name] ?? null]));

function publishedLine(row, repeats, titles, sources) {
  return el(
    'tr',
    { role: 'row', class: 'published' },
    experimentCell(row, repeats, titles),
    cell(
      'players',
      `† ${row.model}`,
      ' ',
      el('span', { class: 'badge' }, 'published'),
      el('span', { class: 'how' }, `${row.condition}, `, sources.link(row)),
    ),
    cell('n', DASH),
    ...NUMBERS.map((name) => cell(name, el('span', { class: 'measured' }, formatNumber(row[name])))),
  );
}

// ---------------------------------------------------------------------- over games
function clemscores(ownRows, theirs, { informed, params, kinds, sources }) {
  const widest = Object.fromEntries(
    [...new Set(ownRows.map((entry) => entry.modality))].map((modality) => [
      modality,
      widestGames(ownRows.filter((entry) => entry.modality === modality)),
    ]),
  );
  const isComparable = (line) => line.theirs || gamesOf(line) === widest[line.modality];
  const order = (entry, other) =>
    entry.modality < other.modality ? 1 : entry.modality > other.modality ? -1 : other.score - entry.score;
  const lines = [
    ...ownRows.map((entry) => ({ ...entry, score: entry.clemscore })),
    ...theirs.map((row) => ({ theirs: row, modality: 'picture', score: row.numbers.clemscore })),
  ].sort(order);
  const line = (entry) =>
    entry.theirs ? publishedClemscore(entry.theirs, sources) : ourClemscore(entry, { informed, params, kinds });
  const otherGames = lines.filter((entry) => !isComparable(entry));
  /** @type {[any[], any[]]} */
  const [best, more] = [[], []];
  for (const entry of lines.filter(isComparable))
    (best.filter(({ modality }) => modality === entry.modality).length < VISIBLE_ROWS ? best : more).push(entry);
  return el(
    'section',
    { class: 'result-table', 'aria-labelledby': 'over-games' },
    el(
      'div',
      { class: 'section-head' },
      el('h2', { id: 'over-games' }, params.has('game') ? 'clemscore of what is filtered' : 'Over all games'),
    ),
    el(
      'p',
      { class: 'hint' },
      'clemscore: mean % played over games, times mean quality over games, divided by 100. Only rows over the same games can be compared.',
    ),
    ...clemTable(best, line, 'clemscores'),
    more.length
      ? foldedSection(`${more.length} more ${more.length === 1 ? 'row' : 'rows'} over the same games`, () =>
          clemTable(more, line, 'further clemscores'),
        )
      : null,
    otherGames.length
      ? foldedSection(`${otherGames.length} ${otherGames.length === 1 ? 'row' : 'rows'} over other games`, () =>
          clemTable(otherGames, line, 'clemscores over other games'),
        )
      : null,
  );
}

const gamesOf = (entry) => Object.keys(entry.games).join(', ');

/** The games that rows are compared over: the widest set, of several as wide the one that most rows have. */
function widestGames(rows) {
  const gameSets = new Map();
  for (const entry of rows)
    gameSets.set(gamesOf(entry), {
      wide: Object.keys(entry.games).length,
      times: (gameSets.get(gamesOf(entry))?.times ?? 0) + 1,
    });
  return [...gameSets].sort(([, entry], [, other]) => other.wide - entry.wide || other.times - entry.times)[0][0];
}

/** A fold whose content is drawn when it is first opened. */
function foldedSection(words, make) {
  const fold = el('details', {}, el('summary', {}, words));
  fold.addEventListener('toggle', () => fold.childElementCount < 2 && fold.append(...make()), { once: true });
  return fold;
}

function clemTable(lines, line, caption) {
  const table = el(
    'table',
    { class: 'clemscores', role: 'table' },
    el('caption', { class: 'visually-hidden' }, caption),
    el(
      'thead',
      { role: 'rowgroup' },
      el(
        'tr',
        { role: 'row' },
        ['Players', 'clemscore', '% played', 'Quality', 'Over games'].map((words) =>
          el('th', { role: 'columnheader', scope: 'col' }, words),
        ),
      ),
    ),
  );
  const makers = ['text', 'picture'].flatMap((modality) => {
    const modalityLines = lines.filter((entry) => entry.modality === modality);
    const title = el(
      'th',
      { role: 'rowheader', colspan: 5, scope: 'rowgroup' },
      el('span', { class: 'of-game' }, modality === 'picture' ? 'Pictures' : 'Text'),
    );
    const body = el('tbody', { role: 'rowgroup' }, el('tr', { role: 'row', class: 'group' }, title));
    return modalityLines.map((entry, at) => () => {
      body.append(line(entry));
      return at ? [] : body;
    });
  });
  return [table, appendLazily(table, makers)];
}

function ourClemscore(entry, { informed, params, kinds }) {
  const part = Object.fromEntries(['game', 'variant', 'experiment'].map((name) => [name, params.get(name)]));
  const at = (which, task = /** @type {string | null} */ (null)) =>
    episodesUrl({
      clemscore: entry.players,
      modality: entry.modality,
      reprompt: entry.reprompt,
      task,
      which,
      informed,
      ...part,
    });
  const games = Object.entries(entry.games);
  const notes = [
    entry.reprompt && `${entry.reprompt} reminders allowed`,
    entry.unplayed.length && `none played of ${entry.unplayed.join(', ')}: 0 in % played, not in quality`,
    entry.mixed_settings.length && `different settings together in ${entry.mixed_settings.join(', ')}`,
  ].filter(Boolean);
  const label = (name, ...children) =>
    el(
      'td',
      { role: 'cell', class: `column-${name}`, 'data-label': { clemscore: 'clemscore', ...COLUMNS }[name] },
      ...children,
    );
  return el(
    'tr',
    { role: 'row' },
    el(
      'th',
      { role: 'rowheader', scope: 'row', class: 'column-players' },
      entry.players in kinds ? playerMark(entry.players, kinds) : el('span', { class: 'seated' }, entry.players),
    ),
    label('clemscore', numberLink(formatNumber(entry.clemscore), at('counted'))),
    label('played', numberLink(formatNumber(entry.played), at('counted'))),
    label('quality', entry.quality === null ? DASH : numberLink(formatNumber(entry.quality), at('played'))),
    el(
      'td',
      { role: 'cell', class: 'column-games' },
      games.flatMap(([game, n], i) => [
        i ? ', ' : '',
        `${game} `,
        numberLink(`${n}`, at('counted', game), `${n} episodes of ${game}`),
      ]),
      notes.map((note) => el('span', { class: 'how' }, note)),
    ),
  );
}

function publishedClemscore(row, sources) {
  const value = (name) => formatNumber(row.numbers[name] ?? null);
  return el(
    'tr',
    { role: 'row', class: 'published' },
    el(
      'th',
      { role: 'rowheader', scope: 'row', class: 'column-players' },
      `† ${row.model} `,
      el('span', { class: 'badge' }, 'published'),
    ),
    ...['clemscore', 'played', 'quality'].map((name) =>
      el(
        'td',
        { role: 'cell', class: `column-${name}`, 'data-label': { clemscore: 'clemscore', ...COLUMNS }[name] },
        value(name),
      ),
    ),
    el('td', { role: 'cell', class: 'column-games' }, `${row.condition}, `, sources.link(row)),
  );
}

// ---------------------------------------------------------------------- games of sides
function ratings(table, data, { informed, kinds }) {
  const titles = new Titles(data.there.games);
  const at = (which, more = {}) => episodesUrl({ rating: table.id, which, informed, ...more });
  const sides = table.sides.map(({ side }) => side);
  const bounds = [...table.players, ...table.sides].flatMap(({ low, high }) => [low ?? 0, high ?? 0]);
  const reach = Math.max(100, ...bounds.map(Math.abs));
  const name = `${table.game}/${table.variant}`;
  const settings = Object.entries(table.settings).map(([key, value]) => `${key} ${value}`);
  const left = Object.entries(table.left_out);
  const points = (row, which, href) =>
    row[which] === null
      ? DASH
      : [
          el(
            'span',
            { class: 'said-number' },
            numberLink(formatSigned(row[which], 0), href),
            el('span', { class: 'bounds' }, ` [${formatSigned(row.low, 0)}, ${formatSigned(row.high, 0)}]`),
          ),
          intervalBar(row.low, row[which], row.high, -reach, reach, 0),
        ];
  const cellOf = (words, ...children) => el('td', { role: 'cell', 'data-label': words }, ...children);
  const body = el('tbody', { role: 'rowgroup' });
  const lines = table.players.map(
    (row) => () =>
      el(
        'tr',
        { role: 'row' },
        el('th', { role: 'rowheader', scope: 'row', class: 'column-players' }, playerMark(row.player, kinds)),
        el(
          'td',
          { role: 'cell', 'data-label': 'Rating' },
          el('span', { class: 'measured' }, points(row, 'rating', at('decided', { player: row.player }))),
        ),
        cellOf('n', numberLink(String(row.n), row.n ? at('decided', { player: row.player }) : null)),
        cellOf('Won', numberLink(String(row.wins), row.wins ? at('won', { player: row.player }) : null)),
        ...sides.map((side) => {
          const won = row.won[side];
          if (!won) return cellOf(`As ${side}`, DASH);
          const sideFilters = { player: row.player, side };
          return cellOf(
            `As ${side}`,
            el(
              'span',
              { class: 'measured' },
              el(
                'span',
                { class: 'said-number' },
                numberLink(String(won.wins), won.wins ? at('won', sideFilters) : null, `${won.wins} won`),
                ' of ',
                numberLink(String(won.n), at('decided', sideFilters), `${won.n} games as ${side}`),
                el(
                  'span',
                  { class: 'bounds' },
                  `, ${won.rate.toFixed(0)} % [${won.rate_low.toFixed(0)}, ${won.rate_high.toFixed(0)}]`,
                ),
              ),
              intervalBar(won.rate_low, won.rate, won.rate_high),
            ),
          );
        }),
      ),
  );
  return el(
    'section',
    { class: 'result-table', 'aria-label': `Ratings, ${name}` },
    el(
      'div',
      { class: 'section-head' },
      el('h2', {}, `Ratings: ${titles.game(table.game)}, ${titles.variant(table.game, table.variant)}`),
    ),
    el(
      'p',
      { class: 'hint' },
      numberLink(`${table.n} episodes`, table.n ? at('decided') : null),
      ` decided${settings.length ? ` (${settings.join(', ')})` : ''}. 400 points are odds of ten to one, 0 is the average player; the strength of the sides is taken out. `,
      left.length
        ? [
            'Left out: ',
            left.map(([reason, n], i) => [i ? ', ' : '', numberLink(`${n} ${reason}`, at(reason))]),
            '.',
          ].flat(2)
        : null,
    ),
    !table.connected &&
      el(
        'p',
        { class: 'problem' },
        'Some players never met, not even through others: their ratings cannot be compared.',
      ),
    el(
      'table',
      { class: 'ratings', role: 'table' },
      el('caption', { class: 'visually-hidden' }, `Ratings, ${name}`),
      el(
        'thead',
        { role: 'rowgroup' },
        el(
          'tr',
          { role: 'row' },
          ['Player', 'Rating', 'n', 'Won', ...sides.map((side) => `As ${side}`)].map((words) =>
            el('th', { role: 'columnheader', scope: 'col' }, words),
          ),
        ),
      ),
      body,
    ),
    appendLazily(body, lines),
    table.sides.length
      ? el(
          'p',
          { class: 'hint' },
          'Sides, in points: ',
          table.sides.flatMap((side, i) => [
            `${i ? ', ' : ''}${side.side} `,
            numberLink(formatSigned(side.strength, 0), at('won', { side: side.side })),
            ` [${formatSigned(side.low, 0)}, ${formatSigned(side.high, 0)}]`,
          ]),
          '.',
        )
      : null,
  );
}

// ---------------------------------------------------------------------- what else was published, what numbers mean
function otherNumbers(rows, data, sources) {
  const titles = new Titles(data.there.games);
  return foldedSection(`† ${rows.length} further published rows, with numbers of other kinds`, () => {
    const list = el('tbody', { role: 'rowgroup' });
    const end = appendLazily(
      list,
      rows.map((row) => furtherLine(row, titles, sources)),
    );
    const heads = ['Model', 'Of', 'Condition', 'Numbers', 'Source'].map((words) =>
      el('th', { role: 'columnheader', scope: 'col' }, words),
    );
    const table = el(
      'table',
      { class: 'further', role: 'table' },
      el('caption', { class: 'visually-hidden' }, 'Published rows with other numbers'),
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, heads)),
      list,
    );
    return [table, end];
  });
}

const furtherLine = (row, titles, sources) => () =>
  el(
    'tr',
    { role: 'row', class: 'published' },
    el('th', { role: 'rowheader', scope: 'row' }, `† ${row.model}`),
    el(
      'td',
      { role: 'cell' },
      row.game
        ? [
            titles.game(row.game),
            row.variant && `, ${titles.variant(row.game, row.variant)}`,
            row.experiment && `, ${row.experiment}`,
          ]
            .filter(Boolean)
            .join('')
        : 'pictures',
    ),
    el('td', { role: 'cell' }, row.condition),
    el(
      'td',
      { role: 'cell' },
      Object.entries(row.numbers)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ),
    el('td', { role: 'cell' }, sources.link(row)),
  );

function explanations() {
  return el(
    'details',
    { class: 'meaning' },
    el('summary', {}, 'What the numbers mean'),
    el(
      'dl',
      {},
      Object.entries(EXPLANATIONS).flatMap(([name, words]) => [el('dt', {}, COLUMNS[name]), el('dd', {}, words)]),
      el('dt', {}, 'As spy, …'),
      el('dd', {}, 'In games of sides a row is of one side, and quality is how often that side won, in %.'),
      el('dt', {}, '[low, high], and the bar'),
      el(
        'dd',
        {},
        '95 % interval: Wilson for shares, bootstrap over instances for scores (Wilson, too, where all instances have the same mean). Few episodes make it wide. With people: over people and instances, from 8 people and 8 instances on.',
      ),
      el('dt', {}, 'Left out'),
      el(
        'dd',
        {},
        'faults: a player could not answer, `ludens run` goes on there. open: still played. unscored: its game fails at scoring it. abandoned: left before its end. mixed: more than one player sat at a seat. both seats: one browser played two seats and saw both sides. practice. informed: a person chose the experiment or the instance. missing: planned, not begun.',
      ),
      el('dt', {}, 'by form'),
      el('dd', {}, 'People fill in a form, which keeps them to the format: their % played is no measure of it.'),
      el('dt', {}, '†'),
      el(
        'dd',
        {},
        'Published: other instances, other prompts and models of their time. Beside ours for orientation, in no average.',
      ),
    ),
  );
}

/** The citations of published rows, listed once; rows name their table and lead there. */
class Sources {
  #tables = new Map();

  constructor(rows) {
    for (const { source, says } of rows)
      if (!this.#tables.has(source)) this.#tables.set(source, { id: `source-${this.#tables.size + 1}`, says });
  }

  link({ source, says }) {
    return el('a', { href: `#${this.#tables.get(source).id}`, title: `${source}: ${says}` }, source.split(', ').at(-1));
  }

  node() {
    if (!this.#tables.size) return null;
    const list = [...this.#tables].map(([source, { id, says }]) => el('li', { id }, `${source}: ${says}.`));
    return el(
      'details',
      { class: 'sources' },
      el('summary', {}, `† Published in ${list.length} tables`),
      el('ol', {}, list),
    );
  }
}

/** What games, variants and experiments are called, and in which order they stand. */
export class Titles {
  #games;

  constructor(games) {
    this.#games = new Map(
      games.map((game, at) => [
        game.name,
        { ...game, at, variants: new Map(game.variants.map((entry, place) => [entry.name, { ...entry, place }])) },
      ]),
    );
  }

  game(name) {
    return this.#games.get(name)?.title ?? name;
  }

  variant(game, name) {
    return this.#games.get(game)?.variants.get(name)?.title ?? name;
  }

  experiment(row) {
    return this.#games.get(row.game)?.variants.get(row.variant)?.experiments[row.experiment] ?? null;
  }

  /** The position of a row's experiment in its variant. Rows over all experiments come last. */
  place(row) {
    const names = Object.keys(this.#games.get(row.game)?.variants.get(row.variant)?.experiments ?? {});
    const at = names.indexOf(row.experiment);
    return at < 0 ? names.length : at;
  }

  compare(entry, other) {
    const at = ({ game, variant }) => [
      this.#games.get(game)?.at ?? 99,
      this.#games.get(game)?.variants.get(variant)?.place ?? 99,
    ];
    const [[a, b], [c, d]] = [at(entry), at(other)];
    return a - c || b - d;
  }
}
