// Compares two players on the same instances: two lists to choose them, paired differences, and what is excluded.
import { el } from '/web/core/dom.js';
import {
  DASH,
  episodesUrl,
  formatNumber,
  joined,
  measuredPoints,
  numberLink,
  Titles,
  withParams,
} from '/web/results/numbers.js';
import { body, cell, dropdown, hint, rowHead, section, table, row as tableRow } from '/web/results/tables.js';

const MEASURES = { both: 'Quality and score, all', quality: 'Quality', score_all: 'Score, all' };
const HEADS = ['Where', 'Score', 'Pairs', 'First', 'Second', 'First − second', 'p', 'Better / equal / worse'];

export async function comparison({ params, data, ask, go }) {
  const [first, second] = [params.get('first') ?? '', params.get('second') ?? ''];
  const names = [['', 'Choose a player'], ...playerNames(data.there.players).map((name) => [name, name])];
  const choose = (name, label, value) =>
    dropdown(`compare-${name}`, label, names, value, (player) =>
      go(withParams(params, { view: 'compare', [name]: player })),
    );
  const view = (...content) => {
    const lead =
      'A pair is one instance that both played under equal settings, from the same seats and in the same company. Of people first exposures only.';
    const lists = [choose('first', 'First player', first), choose('second', 'Second player', second)];
    const pickers = el('div', { class: 'pickers two' }, lists);
    return [section('two', 'Two players on the same instances', hint(lead), pickers, ...content)];
  };
  if (!first || !second) {
    const words =
      'Choose two players to see how far they differ. The filter of games above holds here, too; those of players do not.';
    return view(el('p', { class: 'none' }, words));
  }
  if (first === second) return view(el('p', { class: 'problem' }, 'Name two different players.'));
  const query = new URLSearchParams({ first, second });
  for (const name of ['game', 'variant', 'experiment']) if (params.get(name)) query.set(name, params.get(name));
  let result;
  try {
    result = await ask(`/api/results/compare?${query}`);
  } catch (error) {
    return view(el('p', { class: 'problem', role: 'alert' }, error.message));
  }
  return result && view(...drawComparison(result, data, query));
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
  const lines = [...pairedRows]
    .sort((row, other) => Number(Boolean(row.game)) - Number(Boolean(other.game))) // all together first
    .flatMap((row) => {
      const isSame = JSON.stringify(row.quality) === JSON.stringify(row.score_all);
      return (isSame ? ['both'] : ['quality', 'score_all']).map((name) => comparisonRow(row, name, titles, linkTo));
    });
  const perPlayer = (makeWords) =>
    el(
      'dl',
      { class: 'who' },
      ['first', 'second'].flatMap((part) => [
        el('dt', {}, part === 'first' ? 'First' : 'Second'),
        el('dd', {}, makeWords(part)),
      ]),
    );
  return [
    perPlayer((part) => result[part].seated.join(', ')),
    pairedRows.length
      ? table('compared', 'Paired differences', HEADS, body(...lines))
      : el('p', { class: 'none' }, 'No instance was played by both under equal conditions.'),
    hint(
      'p: two-sided, exact (sign flips), each row for itself: among many rows some are small by chance. [low, high]: 95 %, bootstrap over pairs. With people: no p, and an interval that allows for differences between people and between instances; it needs 8 of each.',
    ),
    el('h3', {}, 'Left out'),
    perPlayer((part) => exclusions(part, result, linkTo)),
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

function exclusions(part, result, linkTo) {
  const reasons = Object.entries(result.left_out[part]).filter(([, n]) => n);
  if (!reasons.length) return 'nothing';
  return joined(
    reasons.map(([reason, n]) =>
      numberLink(`${n} ${EXCLUSION_WORDS[reason] ?? reason}`, linkTo(null, reason, null, part)),
    ),
  );
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
  const isEmpty = !numbers.n;
  const count = (n, which) => numberLink(String(n), n ? linkTo(row, which, measure) : null);
  const pairs = linkTo(row, 'pairs', measure);
  const where = row.game
    ? [titles.game(row.game), el('small', {}, ` ${row.variant}/${row.experiment}`)]
    : [el('b', {}, 'All together')];
  const signs = ['better', 'equal', 'worse'].map((which) => count(numbers[which], which));
  const values = isEmpty
    ? HEADS.slice(3).map(() => DASH)
    : [
        numberLink(formatNumber(numbers.first), pairs),
        numberLink(formatNumber(numbers.second), pairs),
        measuredPoints(numbers.difference, numbers.low, numbers.high, 100, pairs, 1),
        numbers.p === null ? DASH : numbers.p < 0.001 ? '< 0.001' : numbers.p.toFixed(3),
        joined(signs, ' / '),
      ];
  return tableRow(
    row.game ? null : 'all',
    rowHead('where', ...where),
    cell('Score', null, MEASURES[name]),
    cell('Pairs', null, count(numbers.n, 'pairs'), peopleNote(numbers)),
    ...values.map((value, i) => cell(HEADS[i + 3], null, value)),
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
