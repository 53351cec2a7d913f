// Compares two players on the same instances: two lists to choose them, paired differences, and what is excluded.
import { el } from '/web/core/dom.js';
import { Titles } from '/web/results/leaderboard.js';
import { DASH, episodesUrl, formatNumber, formatSigned, intervalBar, numberLink } from '/web/results/numbers.js';

const MEASURES = { both: 'Quality and score, all', quality: 'Quality', score_all: 'Score, all' };

export async function comparison({ params, data, ask, go }) {
  const [first, second] = [params.get('first') ?? '', params.get('second') ?? ''];
  const names = playerNames(data.there.players);
  const choose = (name, label, value) => {
    const id = `compare-${name}`;
    const select = el(
      'select',
      { id, onchange: () => go(withParam(params, name, select.value)) },
      el('option', { value: '' }, 'Choose a player'),
      names.map((entry) => el('option', { value: entry }, entry)),
    );
    select.value = value;
    return el('div', { class: 'field' }, el('label', { for: id }, label), select);
  };
  const form = el(
    'div',
    { class: 'pickers two' },
    choose('first', 'First player', first),
    choose('second', 'Second player', second),
  );
  const head = [
    el('h2', { id: 'two' }, 'Two players on the same instances'),
    el(
      'p',
      { class: 'hint' },
      'A pair is one instance that both played under equal settings, from the same seats and in the same company. Of people first exposures only.',
    ),
    form,
  ];
  const section = (...more) => [
    el('section', { class: 'result-table comparison', 'aria-labelledby': 'two' }, head, more),
  ];
  if (!first || !second)
    return section(
      el(
        'p',
        { class: 'none' },
        'Choose two players to see how far they differ. The filter of games above holds here, too; those of players do not.',
      ),
    );
  if (first === second) return section(el('p', { class: 'problem' }, 'Name two different players.'));
  const query = new URLSearchParams({ first, second });
  for (const name of ['game', 'variant', 'experiment']) if (params.get(name)) query.set(name, params.get(name));
  let result;
  try {
    result = await ask(`/api/results/compare?${query}`);
  } catch (error) {
    return section(el('p', { class: 'problem', role: 'alert' }, error.message));
  }
  return result && section(...drawComparison(result, data, query));
}

function withParam(params, name, value) {
  const next = new URLSearchParams(params);
  if (value) next.set(name, value);
  else next.delete(name);
  return `/results?${next}`;
}

/** Who may be compared: each address, and each model with whatever parameters where it has several. */
function playerNames(available) {
  const addresses = Object.keys(available);
  const models = new Map();
  for (const entry of addresses) {
    const [name] = entry.split('?');
    models.set(name, (models.get(name) ?? 0) + 1);
  }
  const withParameters = [...models].filter(([name, n]) => n > 1 && !addresses.includes(name)).map(([name]) => name);
  return [...withParameters, ...addresses].sort();
}

function drawComparison(result, data, query) {
  const titles = new Titles(data.there.games);
  const linkTo = (row, which, measure = null, of = null) => {
    const place = row?.game ? `${row.game}/${row.variant}/${row.experiment}` : null;
    return episodesUrl({ of: of ?? 'first', ...Object.fromEntries(query), place, which, measure });
  };
  const pairedRows = result.rows.filter((row) => row.score_all.n);
  const lines = pairedRows.flatMap((row) => {
    const isSame = JSON.stringify(row.quality) === JSON.stringify(row.score_all);
    return (isSame ? ['both'] : ['quality', 'score_all']).map((name) => comparisonRow(row, name, titles, linkTo));
  });
  const table = el(
    'table',
    { class: 'compared', role: 'table' },
    el('caption', { class: 'visually-hidden' }, 'Paired differences'),
    el(
      'thead',
      { role: 'rowgroup' },
      el(
        'tr',
        { role: 'row' },
        ['Where', 'Score', 'Pairs', 'First', 'Second', 'First − second', 'p', 'Better / equal / worse'].map((words) =>
          el('th', { role: 'columnheader', scope: 'col' }, words),
        ),
      ),
    ),
    el('tbody', { role: 'rowgroup' }, [
      ...lines.filter((entry) => entry.dataset.all),
      ...lines.filter((entry) => !entry.dataset.all),
    ]),
  );
  return [
    el(
      'dl',
      { class: 'who' },
      ['first', 'second'].flatMap((part) => [
        el('dt', {}, part === 'first' ? 'First' : 'Second'),
        el('dd', {}, result[part].seated.join(', ')),
      ]),
    ),
    pairedRows.length ? table : el('p', { class: 'none' }, 'No instance was played by both under equal conditions.'),
    el(
      'p',
      { class: 'hint' },
      'p: two-sided, exact (sign flips), each row for itself: among many rows some are small by chance. [low, high]: 95 %, bootstrap over pairs. With people: no p, and an interval that allows for differences between people and between instances; it needs 8 of each.',
    ),
    el('h3', {}, 'Left out'),
    el(
      'dl',
      { class: 'who' },
      ['first', 'second'].flatMap((part) => exclusionRow(part, result, linkTo)),
    ),
    ...agreementSection(result, titles, linkTo),
  ];
}

const EXCLUSION_WORDS = {
  both_seats: 'with both seats played in one browser',
  sides: 'of games of sides',
  watched: 'watched live by somebody',
  repeated: 'not a first exposure',
  conditions: 'whose instance the other met under other settings, reminders, prompts, seats or company only',
  unpaired: 'whose instance the other did not meet',
};

function exclusionRow(part, result, linkTo) {
  const reasons = Object.entries(result.left_out[part]).filter(([, n]) => n);
  return [
    el('dt', {}, part === 'first' ? 'First' : 'Second'),
    el(
      'dd',
      {},
      reasons.length
        ? reasons.flatMap(([reason, n], i) => [
            i ? ', ' : '',
            numberLink(`${n} ${EXCLUSION_WORDS[reason] ?? reason}`, linkTo(null, reason, null, part)),
          ])
        : 'nothing',
    ),
  ];
}

/** Who stands behind the pairs: "9 people, 87 games"; nothing between programs. */
function peopleNote({ people, games }) {
  if (people === undefined) return null;
  const who = people === 1 ? '1 person' : people ? `${people} people` : 'unknown people';
  return el('span', { class: 'how' }, `${who}, ${games === 1 ? '1 game' : `${games} games`}`);
}

function comparisonRow(row, name, titles, linkTo) {
  const measure = name === 'both' ? 'quality' : name;
  const numbers = row[measure];
  const cell = (words, ...children) => el('td', { role: 'cell', 'data-label': words }, ...children);
  const count = (n, which) => numberLink(String(n), n ? linkTo(row, which, measure) : null);
  const where = row.game
    ? [titles.game(row.game), el('small', {}, ` ${row.variant}/${row.experiment}`)]
    : [el('b', {}, 'All together')];
  const headCells = [
    el('th', { role: 'rowheader', scope: 'row', class: 'where' }, where),
    cell('Score', MEASURES[name]),
  ];
  const isEmpty = !numbers.n;
  const hasInterval = !isEmpty && numbers.low !== null;
  return el(
    'tr',
    { role: 'row', 'data-all': row.game ? null : '1', class: row.game ? null : 'all' },
    headCells,
    cell('Pairs', count(numbers.n, 'pairs'), peopleNote(numbers)),
    cell('First', isEmpty ? DASH : numberLink(formatNumber(numbers.first), linkTo(row, 'pairs', measure))),
    cell('Second', isEmpty ? DASH : numberLink(formatNumber(numbers.second), linkTo(row, 'pairs', measure))),
    cell(
      'First − second',
      isEmpty
        ? DASH
        : el(
            'span',
            { class: 'measured' },
            el(
              'span',
              { class: 'said-number' },
              numberLink(formatSigned(numbers.difference), linkTo(row, 'pairs', measure)),
              hasInterval &&
                el('span', { class: 'bounds' }, ` [${formatSigned(numbers.low, 0)}, ${formatSigned(numbers.high, 0)}]`),
            ),
            hasInterval && intervalBar(numbers.low, numbers.difference, numbers.high, -100, 100, 0),
          ),
    ),
    cell('p', isEmpty || numbers.p === null ? DASH : numbers.p < 0.001 ? '< 0.001' : numbers.p.toFixed(3)),
    cell(
      'Better / equal / worse',
      isEmpty
        ? DASH
        : ['better', 'equal', 'worse'].flatMap((which, i) => [i ? ' / ' : '', count(numbers[which], which)]),
    ),
  );
}

function agreementSection(result, titles, linkTo) {
  const agreements = result.rows
    .flatMap((row) => ['first', 'second'].map((part) => ({ row, part, own: row.agreement[part] })))
    .filter(({ own }) => own.instances);
  if (!agreements.length) return [];
  return [
    el('h3', {}, 'Agreement with themselves on instances played more than once'),
    el(
      'ul',
      { class: 'agreements' },
      agreements.map(({ row, part, own }) =>
        el(
          'li',
          {},
          `${result[part].player}, ${row.game ? `${titles.game(row.game)} ${row.variant}/${row.experiment}` : 'all together'}: `,
          numberLink(
            `${own.episodes} episodes on ${own.instances} ${own.instances === 1 ? 'instance' : 'instances'}`,
            linkTo(row, 'repeated-instances', null, part),
          ),
          `, ${(100 * own.same).toFixed(0)} % of pairs with the same score, ${formatNumber(own.apart)} points apart, Krippendorff’s alpha ${own.alpha === null ? DASH : own.alpha.toFixed(2)}`,
        ),
      ),
    ),
  ];
}
