// The episodes that a number counts: which number it is, its parts with their counts, a link to each episode's page.
import { el } from '/web/core/dom.js';
import { describeSeats, episodeLink, formatNumber, timeNode, withParams } from '/web/results/numbers.js';
import { dropdown, pager } from '/web/results/tables.js';

const PARTS = {
  counted: 'counted',
  played: 'played to the end',
  aborted: 'aborted',
  summed: 'in the game’s own numbers',
  faults: 'left out: fault',
  open: 'left out: still open',
  unscored: 'left out: cannot be scored',
  abandoned: 'left out: abandoned',
  mixed: 'left out: mixed',
  both_seats: 'left out: one browser played both seats',
  practice: 'left out: practice',
  informed: 'left out: informed',
  shared: 'left out: a side shared by several players',
  sides: 'left out: of a game of sides',
  watched: 'left out: watched live by somebody',
  repeated: 'left out: not a first exposure',
  conditions: 'left out: the other met the instance under other conditions only',
  unpaired: 'left out: the other did not meet the instance',
  decided: 'decided',
  won: 'won',
};
const PAIR_PARTS = {
  pairs: 'pairs',
  better: 'pairs in which the first was better',
  equal: 'pairs with equal scores',
  worse: 'pairs in which the first was worse',
};
const ORDERS = { new: 'newest first', low: 'lowest score first', high: 'highest score first' };
const ENDINGS = { success: 'success', lose: 'lost', aborted: 'aborted', abandoned: 'abandoned', decided: 'decided' };

export async function drilldown({ params, ask, go }) {
  const pairs = params.has('of');
  const path = `/api/results/${pairs ? 'pairs' : 'episodes'}?${params}`;
  const result = await ask(path, { keep: false });
  if (!result) return null;
  const list = el('ol', { class: 'episodes' });
  const add = (more) => {
    const rows = more.pairs ? more.pairs.map(pairRow) : more.episodes.map(episodeRow);
    list.append(...rows);
    return rows.length;
  };
  const words = pairs ? pairText(params) : conditionText(result, params);
  const backLink = el('a', { class: 'back', href: '/results', 'data-back': '' }, '← Results');
  return [
    el(
      'section',
      { class: 'behind', 'aria-labelledby': 'behind' },
      backLink,
      el('h1', { id: 'behind' }, headlineText(result, pairs, params)),
      words,
      result.parts && partTabs(result, params),
      orderSelect(result, params, go),
      result.total ? list : emptyNotice(),
      pager(path, result.start + add(result), result.total, add),
    ),
  ];
}

function headlineText(result, pairs, params) {
  const n = result.total.toLocaleString('en');
  const of =
    result.which === 'repeated-instances'
      ? 'on instances played more than once'
      : (PARTS[result.which] ?? `left out: ${result.which}`);
  if (pairs && PAIR_PARTS[result.which])
    return `${n} ${result.total === 1 ? 'pair' : 'pairs'}${PAIR_PARTS[result.which].slice(5)}`;
  if (result.which === 'won') return `${n} won${params.get('side') ? ` as ${params.get('side')}` : ''}`;
  return `${n} ${result.total === 1 ? 'episode' : 'episodes'}, ${of}`;
}

function conditionText(result, params) {
  if (result.conditions)
    return result.conditions.map((entry) =>
      el(
        'p',
        { class: 'about' },
        el('code', {}, `${entry.game}/${entry.variant}/${entry.experiment}`),
        ' · ',
        describeSeats(entry.seats),
        [
          ...Object.entries(entry.settings).map(([name, value]) => ` · ${name} ${value}`),
          entry.reprompt && ` · reminders ${entry.reprompt}`,
          ` · rules ${entry.game_version} · prompts ${entry.prompts}`,
        ]
          .filter(Boolean)
          .join(''),
        result.missing ? ` · ${result.missing} planned and not begun` : null,
      ),
    );
  if (params.has('clemscore'))
    return el(
      'p',
      { class: 'about' },
      `clemscore of ${result.clemscore}, ${result.modality === 'picture' ? 'pictures' : 'text'}${result.task ? `: what it takes from ${result.task}` : ''}`,
    );
  return el(
    'p',
    { class: 'about' },
    [
      result.player &&
        `${result.player}${result.side || result.role ? ` as ${result.side ?? result.role}` : ''}${result.study ? `, study ${result.study}` : ''}`,
      'ratings of one game under equal conditions',
    ]
      .filter(Boolean)
      .join(' · '),
  );
}

function pairText(params) {
  const where =
    params.get('place') ??
    [params.get('game'), params.get('variant'), params.get('experiment')].filter(Boolean).join('/');
  return el(
    'p',
    { class: 'about' },
    `${params.get('first')} and ${params.get('second')} on the same instances`,
    where && [' · ', el('code', {}, where)],
  );
}

function partTabs(result, params) {
  const names = Object.entries(result.parts);
  if (names.length < 2) return null;
  return el(
    'nav',
    { class: 'views parts', 'aria-label': 'Parts of this number' },
    names.map(([name, n]) =>
      el(
        'a',
        { href: withParams(params, { which: name }), 'aria-current': name === result.which ? 'page' : null },
        `${n} ${PARTS[name] ?? name}`,
      ),
    ),
  );
}

function orderSelect(result, params, go) {
  if (!result.episodes || result.total < 2) return null;
  const order = params.get('order') in ORDERS ? params.get('order') : 'new';
  return dropdown('order', 'Order', Object.entries(ORDERS), order, (value) =>
    go(withParams(params, { order: value }), true),
  );
}

const emptyNotice = () =>
  el(
    'p',
    { class: 'none' },
    'Nothing to show. Episodes may have been removed, or they are private, or the filters no longer match them.',
  );

function outcomeBadge(entry) {
  const winningSide = entry.sides && Object.entries(entry.sides).find(([, score]) => score)?.[0];
  const words = winningSide
    ? `${winningSide} won`
    : (ENDINGS[entry.ending] ?? entry.ending ?? (entry.aside === 'faults' ? 'fault' : 'open'));
  return el('span', { class: `badge ${entry.ending ?? ''}` }, words);
}

function episodeRow(entry) {
  return el(
    'li',
    {},
    episodeLink(entry),
    el('span', { class: 'meta' }, describeSeats(entry.seats)),
    outcomeBadge(entry),
    el('span', { class: 'score' }, formatNumber(entry.main)),
    timeNode(entry.created),
    entry.cause && el('span', { class: 'cause' }, entry.cause),
  );
}

function pairRow([firstEpisodes, secondEpisodes]) {
  const side = (episodes) =>
    el(
      'div',
      { class: 'half' },
      episodes.map((entry) =>
        el(
          'div',
          { class: 'row' },
          episodeLink(entry),
          outcomeBadge(entry),
          el('span', { class: 'score' }, formatNumber(entry.main)),
          el('span', { class: 'meta' }, describeSeats(entry.seats)),
        ),
      ),
    );
  return el('li', { class: 'pair' }, side(firstEpisodes), side(secondEpisodes));
}
