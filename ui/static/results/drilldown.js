// The episodes behind a number: which number it is, its parts with their counts, and each episode with a link to its page.
import { el } from '/web/core/dom.js';
import { DASH, rounded, seated, seatedText } from '/web/results/numbers.js';

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
const PAIRED = {
  pairs: 'pairs',
  better: 'pairs in which the first was better',
  equal: 'pairs with equal scores',
  worse: 'pairs in which the first was worse',
};
const ORDERS = { new: 'newest first', low: 'lowest score first', high: 'highest score first' };
const ENDINGS = { success: 'success', lose: 'lost', aborted: 'aborted', abandoned: 'abandoned', decided: 'decided' };

export async function behind({ params, ask, go }) {
  const pairs = params.has('of');
  const path = `/api/results/${pairs ? 'pairs' : 'episodes'}?${params}`;
  const found = await ask(path, { keep: false });
  if (!found) return null;
  const list = el('ol', { class: 'episodes' });
  const add = (more) => list.append(...(more.pairs ? more.pairs.map(pair) : more.episodes.map(episode)));
  add(found);
  const words = pairs ? aboutPairs(params) : about(found, params);
  const back = el('a', { class: 'back', href: '/results', 'data-back': '' }, '← Results');
  return [
    el(
      'section',
      { class: 'behind', 'aria-labelledby': 'behind' },
      back,
      el('h1', { id: 'behind' }, headline(found, pairs, params)),
      words,
      found.parts && tabs(found, params),
      order(found, params, go),
      found.total ? list : none(),
      pager(found, path, add),
    ),
  ];
}

function headline(found, pairs, params) {
  const n = found.total.toLocaleString('en');
  const of =
    found.which === 'repeated-instances'
      ? 'on instances played more than once'
      : (PARTS[found.which] ?? `left out: ${found.which}`);
  if (pairs && PAIRED[found.which])
    return `${n} ${found.total === 1 ? 'pair' : 'pairs'}${PAIRED[found.which].slice(5)}`;
  if (found.which === 'won') return `${n} won${params.get('side') ? ` as ${params.get('side')}` : ''}`;
  return `${n} ${found.total === 1 ? 'episode' : 'episodes'}, ${of}`;
}

function about(found, params) {
  if (found.conditions)
    return found.conditions.map((one) =>
      el(
        'p',
        { class: 'about' },
        el('code', {}, `${one.game}/${one.variant}/${one.experiment}`),
        ' · ',
        seatedText(one.seats),
        [
          ...Object.entries(one.settings).map(([name, value]) => ` · ${name} ${value}`),
          one.reprompt && ` · reminders ${one.reprompt}`,
          ` · rules ${one.game_version} · prompts ${one.prompts}`,
        ]
          .filter(Boolean)
          .join(''),
        found.missing ? ` · ${found.missing} planned and not begun` : null,
      ),
    );
  if (params.has('clemscore'))
    return el(
      'p',
      { class: 'about' },
      `clemscore of ${found.clemscore}, ${found.modality === 'picture' ? 'pictures' : 'text'}${found.task ? `: what it takes from ${found.task}` : ''}`,
    );
  return el(
    'p',
    { class: 'about' },
    [
      found.player && `${found.player}${found.side ? ` as ${found.side}` : ', games with others'}`,
      'ratings of a game of sides',
    ]
      .filter(Boolean)
      .join(' · '),
  );
}

function aboutPairs(params) {
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

function address(params, changes) {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) next.set(name, value);
  return `/results?${next}`;
}

function tabs(found, params) {
  const names = Object.entries(found.parts);
  if (names.length < 2) return null;
  return el(
    'nav',
    { class: 'views parts', 'aria-label': 'Parts of this number' },
    names.map(([name, n]) =>
      el(
        'a',
        { href: address(params, { which: name }), 'aria-current': name === found.which ? 'page' : null },
        `${n} ${PARTS[name] ?? name}`,
      ),
    ),
  );
}

function order(found, params, go) {
  if (!found.episodes || found.total < 2) return null;
  const select = el(
    'select',
    { id: 'order', onchange: () => go(address(params, { order: select.value }), true) },
    Object.entries(ORDERS).map(([name, words]) => el('option', { value: name }, words)),
  );
  select.value = params.get('order') in ORDERS ? params.get('order') : 'new';
  return el('div', { class: 'field sorter' }, el('label', { for: 'order' }, 'Order'), select);
}

const none = () =>
  el(
    'p',
    { class: 'none' },
    'There is none that you may see. It may have been removed, or the filters count it elsewhere.',
  );

const when = (ms) => new Date(ms).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

function outcome(one) {
  const won = one.sides && Object.entries(one.sides).find(([, score]) => score)?.[0];
  const words = won ? `${won} won` : (ENDINGS[one.ending] ?? one.ending ?? (one.aside === 'faults' ? 'fault' : 'open'));
  return el('span', { class: `badge ${one.ending ?? ''}` }, words);
}

function link(one) {
  const name = one.instance ?? one.episode;
  return el(
    'a',
    { class: 'instance', href: `/e/${one.episode}` },
    name.startsWith(`${one.game}/`) ? name : `${one.game}/${one.variant}/${one.experiment} · ${name}`,
  );
}

function episode(one) {
  return el(
    'li',
    {},
    link(one),
    el('span', { class: 'meta' }, seatedText(one.seats)),
    outcome(one),
    el('span', { class: 'score' }, one.main === null ? DASH : rounded(one.main)),
    el('time', { class: 'meta', datetime: new Date(one.created).toISOString() }, when(one.created)),
    one.cause && el('span', { class: 'cause' }, one.cause),
  );
}

function pair([mine, theirs]) {
  const side = (episodes) =>
    el(
      'div',
      { class: 'half' },
      episodes.map((one) =>
        el(
          'div',
          { class: 'row' },
          link(one),
          outcome(one),
          el('span', { class: 'score' }, one.main === null ? DASH : rounded(one.main)),
          el('span', { class: 'meta' }, seatedText(one.seats)),
        ),
      ),
    );
  return el('li', { class: 'pair' }, side(mine), side(theirs));
}

function pager(found, path, add) {
  let at = found.start + (found.pairs ?? found.episodes).length;
  if (at >= found.total) return null;
  const rest = () => `Show ${Math.min(100, found.total - at)} more of ${(found.total - at).toLocaleString('en')}`;
  const button = el('button', { type: 'button', class: 'button' }, rest());
  button.addEventListener('click', async () => {
    button.disabled = true;
    const response = await fetch(`${path}&start=${at}`);
    if (response.ok) {
      const more = await response.json();
      add(more);
      at += (more.pairs ?? more.episodes).length;
    }
    button.disabled = false;
    button.textContent = rest();
    if (at >= found.total) button.remove();
  });
  return button;
}
