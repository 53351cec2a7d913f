// The search of the Results page: a box for words, and the texts that have them, each with the way to its episode.
import { displayText, el } from '/web/core/dom.js';
import { describeSeats, episodeLink, timeNode } from '/web/results/numbers.js';
import { pager } from '/web/results/tables.js';

const MAX_WORDS = 200; // as the server has it
const MAX_LISTED = 1000;
const SCOPE = ['game', 'variant', 'experiment', 'player', 'kind'];
const RULES =
  'Finished games that you may see are searched. While you play a game, others of the same game are left out.';

/** The box. `update` shows what an address asks for. */
export function searchForm(go) {
  const words = el('input', {
    type: 'search',
    id: 'search-words',
    name: 'words',
    maxlength: MAX_WORDS,
    placeholder: 'words, or "words in quotes"',
    autocomplete: 'off',
  });
  const prompts = el('input', { type: 'checkbox', id: 'search-prompts' });
  const tick = el(
    'label',
    { class: 'tick', for: 'search-prompts' },
    prompts,
    'Also what the game master told the players',
  );
  const form = el(
    'form',
    { class: 'search', role: 'search', 'aria-label': 'Search what players wrote' },
    el(
      'div',
      { class: 'field' },
      el('label', { for: 'search-words' }, 'Search what players wrote'),
      el('div', { class: 'search-box' }, words, el('button', { class: 'button' }, 'Search')),
    ),
    tick,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const params = new URLSearchParams(
      [...new URLSearchParams(location.search)].filter(([name]) => SCOPE.includes(name)),
    );
    if (!words.value.trim()) return go(params.size ? `/results?${params}` : '/results');
    params.set('words', words.value.trim());
    if (prompts.checked) params.set('prompts', '1');
    go(`/results?${params}`);
  });
  prompts.addEventListener('change', () => form.requestSubmit());
  const update = (params) => {
    words.value = params.get('words') ?? '';
    prompts.checked = params.has('prompts');
    tick.hidden = !params.has('words');
  };
  return { form, update };
}

/** The texts that an address asks for. `report` is told how much of the log the index has while it is being built. */
export async function search({ params, ask, report }) {
  const path = `/api/results/search?${params}`;
  let result = await ask(path, { keep: false });
  while (result && result.read < 1) {
    report(`The log is being read for the first search: ${Math.floor(100 * result.read)} %`);
    result = await ask(path, { keep: false });
  }
  if (!result) return null;
  const list = el('ol', { class: 'hits' });
  const add = ({ hits }) => {
    list.append(...byEpisode(hits).map(episodeItem));
    return hits.length;
  };
  const next = pager(path, add(result), Math.min(result.texts, MAX_LISTED), add);
  return [
    el(
      'section',
      { class: 'behind', 'aria-labelledby': 'search-title' },
      el('a', { class: 'back', href: '/results', 'data-back': '' }, '← Results'),
      el('h2', { id: 'search-title' }, headline(result)),
      scope(params),
      result.hits.length ? list : emptyNotice(params),
      el('p', { class: 'hint' }, RULES),
      next,
    ),
  ];
}

const counted = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

function headline({ texts, episodes, counted: isCounted }) {
  if (!texts) return 'Nothing found';
  return `${isCounted ? '' : 'At least '}${counted(texts, 'text')} in ${counted(episodes, 'episode')}`;
}

/** The part of the log that is searched, where that is not all of it, and the way to all of it. */
function scope(params) {
  const part = ['game', 'variant', 'experiment'].map((name) => params.get(name)).filter(Boolean);
  const limits = [part.join('/'), ...params.getAll('player'), ...params.getAll('kind')].filter(Boolean);
  if (!limits.length) return null;
  const everywhere = new URLSearchParams([...params].filter(([name]) => !SCOPE.includes(name)));
  return el(
    'p',
    { class: 'about' },
    `Only in: ${limits.join(' · ')} `,
    el('a', { href: `/results?${everywhere}` }, 'Search everywhere'),
  );
}

function emptyNotice(params) {
  const hasSeveral = /\s/.test(params.get('words') ?? '');
  return el(
    'p',
    { class: 'none' },
    `No text has ${hasSeveral ? 'all these words' : 'this word'}. `,
    hasSeveral ? 'Try fewer words. ' : '',
    'Word endings matter: “walk” does not match “walked”.',
  );
}

/** Hits in a row that belong to the same episode. */
function byEpisode(hits) {
  const groups = [];
  for (const hit of hits) {
    const last = groups.at(-1);
    if (last?.[0].episode === hit.episode) last.push(hit);
    else groups.push([hit]);
  }
  return groups;
}

function episodeItem(hits) {
  const [hit] = hits;
  return el(
    'li',
    {},
    episodeLink(hit),
    el('span', { class: 'meta' }, describeSeats(hit.seats)),
    timeNode(hit.time),
    el('ul', {}, hits.map(hitItem)),
  );
}

function hitItem({ kind, seat, player, turn, snippet }) {
  const who = kind === 'prompt' ? `Game master to ${seat}` : `${seat} (${player})`;
  return el(
    'li',
    {},
    el('span', { class: 'meta' }, [who, turn !== null && `turn ${turn}`].filter(Boolean).join(' · ')),
    el(
      'p',
      { class: 'snippet', dir: 'auto' },
      snippet.map(({ text, match }) => (match ? el('mark', {}, displayText(text)) : displayText(text))),
    ),
  );
}
