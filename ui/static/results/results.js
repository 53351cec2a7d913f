// The Results page: filters kept in the address, and below them one of four views, or the episodes behind a number, or
// the texts that have some words.
// The address alone says what is shown; a link to it shows the same again.
import { api, el } from '/web/core/dom.js';
import { privacyDetails } from '/web/core/privacy.js';
import { comparison } from '/web/results/comparison.js';
import { drilldown } from '/web/results/drilldown.js';
import { heatmap } from '/web/results/heatmap.js';
import { leaderboard } from '/web/results/leaderboard.js';
import { expandRows } from '/web/results/numbers.js';
import { plots } from '/web/results/plots.js';
import { search, searchForm } from '/web/results/search.js';

const VIEWS = { '': 'Leaderboard', heatmap: 'Heat map', compare: 'Two players', plots: 'Plots' };
const EPISODE_PARAMS = ['row', 'clemscore', 'rating', 'of']; // an address with one of these asks for episodes
const FILTERS = ['game', 'variant', 'experiment', 'player', 'kind', 'informed', 'published'];
const SERVER_PARAMS = [...FILTERS, 'per']; // what the server is asked with
const KINDS = { people: 'People', models: 'Models', programs: 'Programs' };
const CACHE_SIZE = 12; // answers that going back finds again at once
const CACHE_TIME = 60_000; // milliseconds for which they are not asked for again: a run may be adding to them

export function mount(root) {
  const lead = el('p', { class: 'hint lead-line' }, LEAD_TEXT);
  const filters = el('form', { class: 'filters', 'aria-label': 'Filters' });
  const views = el('nav', { class: 'views', 'aria-label': 'Views' });
  const container = el('div', { class: 'shown' });
  const liveRegion = el('p', { class: 'visually-hidden', role: 'status' });
  const head = el('div', { class: 'results-head' }, el('h1', {}, 'Results'), lead);
  const box = searchForm((href) => go(href));
  root.replaceChildren(head, box.form, filters, views, liveRegion, container, privacyDetails());
  const answers = new Map();
  let requestNumber = 0;
  /** @type {string | null} */
  let currentSearch = null; // what the address asked for
  let sortOrder = new URLSearchParams(location.search).get('sort');
  history.scrollRestoration = 'manual';

  /** Ask the server; what was asked a moment ago is answered at once. Null when something newer was asked. */
  async function ask(path, { keep = true } = {}) {
    const request = requestNumber;
    const cached = answers.get(path);
    const fresh = cached && Date.now() - cached.at < CACHE_TIME;
    const answer = fresh ? cached.answer : api(path);
    if (keep && !fresh) {
      if (answers.size >= CACHE_SIZE) answers.delete(answers.keys().next().value);
      answers.set(path, { answer, at: Date.now() });
      answer.catch(() => answers.delete(path));
    }
    const result = await answer;
    return request === requestNumber ? result : null;
  }

  /** Go to an address of this page without loading it anew. */
  function go(href, replace = false) {
    history.replaceState({ ...history.state, y: scrollY }, '');
    history[replace ? 'replaceState' : 'pushState']({ inside: true }, '', href);
    const now = new URLSearchParams(location.search);
    const isSameView = container.dataset.view === viewOf(now);
    const isResorted = isSameView && now.get('sort') !== sortOrder;
    sortOrder = now.get('sort');
    show().then(() => {
      const title = isResorted && document.getElementById('per-experiment');
      if (!isSameView) scrollTo(0, 0);
      else if (title && title.getBoundingClientRect().top < 0) title.scrollIntoView();
    });
  }

  async function show(y = null) {
    requestNumber += 1;
    currentSearch = location.search;
    const params = new URLSearchParams(location.search);
    const view = viewOf(params);
    const episodes = view === 'episodes';
    head.hidden = box.form.hidden = episodes;
    filters.hidden = views.hidden = episodes || view === 'search';
    lead.hidden = view === 'search';
    box.update(params);
    container.setAttribute('aria-busy', 'true');
    const report = (words) => {
      clearTimeout(slowTimer);
      liveRegion.textContent = words;
      container.replaceChildren(el('p', { class: 'none' }, words));
    };
    const slowTimer = setTimeout(() => {
      const words = view === 'search' ? 'Searching …' : 'Counting …';
      liveRegion.textContent = words;
      if (!container.childElementCount) container.replaceChildren(el('p', { class: 'none' }, words));
    }, 600);
    try {
      const nodes = await (episodes
        ? drilldown({ params, ask, go })
        : view === 'search'
          ? search({ params, ask, report })
          : table(params, view));
      if (!nodes) return;
      container.replaceChildren(...nodes);
      container.dataset.view = view;
      liveRegion.textContent = '';
      container.removeAttribute('aria-busy');
      if (y !== null) restoreScroll(y);
    } catch (error) {
      container.replaceChildren(problemNotice(error, () => show()));
      container.removeAttribute('aria-busy');
    } finally {
      clearTimeout(slowTimer);
    }
  }

  async function table(params, view) {
    const query = serverQuery(params);
    const data = await ask(`/api/results${query}`);
    if (!data) return null;
    const rows = (data.rows ??= expandRows(data));
    drawFilters(filters, params, data.there, go);
    drawViews(views, view, params);
    const context = { params, data, rows, ask, go, query, downloads: downloads(serverQuery(params, FILTERS), params) };
    const any = rows.length || data.published.length || data.ratings.length;
    filters.hidden = views.hidden = !data.there.games.length && !query;
    if (!any && view !== 'compare') return [emptyNotice(params, data), hiddenNotice(data.hidden)].filter(Boolean);
    const nodes = await { '': leaderboard, heatmap, compare: comparison, plots }[view](context);
    return nodes && [hiddenNotice(data.hidden), ...nodes].filter(Boolean);
  }

  root.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="/results"]');
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.dataset.back !== undefined && history.state?.inside) return history.back();
    go(link.getAttribute('href'));
  });
  filters.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('popstate', (event) => location.search !== currentSearch && show(event.state?.y ?? 0)); // not for an anchor
  addEventListener('pagehide', () => history.replaceState({ ...history.state, y: scrollY }, ''));
  show(history.state?.y ?? null);
}

const LEAD_TEXT =
  'What came out, whoever played: people and models in one table, with 95 % intervals. Every number leads to the episodes that it counts.';

/** Go back to where the reader was, as far as the page is drawn; long tables grow towards it. */
function restoreScroll(y, tries = 90) {
  scrollTo(0, y);
  if (scrollY + 2 < y && tries) requestAnimationFrame(() => restoreScroll(y, tries - 1));
}

const viewOf = (params) => {
  if (EPISODE_PARAMS.some((name) => params.has(name))) return 'episodes';
  if (params.get('words')) return 'search';
  const view = params.get('view') ?? '';
  return view in VIEWS ? view : '';
};

/** The part of an address that the server is asked with, as "?…" or "". */
export function serverQuery(params, names = SERVER_PARAMS) {
  const query = new URLSearchParams([...params].filter(([name]) => names.includes(name)));
  return query.size ? `?${query}` : '';
}

/** The address of this page with some parameters changed; null takes one away, a list gives several. */
export function withParams(params, changes) {
  const newParams = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    newParams.delete(name);
    for (const item of Array.isArray(value) ? value : value ? [value] : []) newParams.append(name, item);
  }
  return newParams.size ? `/results?${newParams}` : '/results';
}

function drawFilters(form, params, available, go) {
  const focused = document.activeElement?.id;
  const set = (changes) => go(withParams(new URLSearchParams(location.search), changes));
  const game = available.games.find(({ name }) => name === params.get('game'));
  const players = params.getAll('player');
  const kinds = params.getAll('kind');
  const dropdown = (name, label, options, onchange, disabled = false) => {
    const id = `filter-${name}`;
    const select = el('select', { id, disabled, onchange: () => onchange(select.value) }, options);
    select.value = params.get(name) ?? '';
    return el('div', { class: 'field' }, el('label', { for: id }, label), select);
  };
  const checkbox = (id, label, checked, onchange, title = /** @type {string | null} */ (null)) => {
    const box = el('input', { type: 'checkbox', id, checked, onchange: () => onchange(box.checked) });
    return el('label', { class: 'tick', for: id, title }, box, label);
  };
  const option = (value, words) => el('option', { value }, words);
  const more = Object.keys(available.players).filter((player) => !players.includes(player));
  const choosePlayer = dropdown(
    'add-player',
    'Player',
    [option('', players.length ? 'Add another …' : 'All players'), ...more.map((player) => option(player, player))],
    (player) => player && set({ player: [...players, player] }),
  );
  const toggleKind = (kind, isOn) => set({ kind: isOn ? [...kinds, kind] : kinds.filter((item) => item !== kind) });
  const chips = players.map((player) =>
    el(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-label': `Without ${player}`,
        onclick: () => set({ player: players.filter((item) => item !== player) }),
      },
      player,
      el('span', { 'aria-hidden': 'true' }, ' ×'),
    ),
  );
  if (params.get('experiment'))
    chips.push(
      el(
        'button',
        { type: 'button', class: 'chip', onclick: () => set({ experiment: null }) },
        `experiment ${params.get('experiment')}`,
        el('span', { 'aria-hidden': 'true' }, ' ×'),
      ),
    );
  const active = FILTERS.some((name) => params.has(name));
  form.replaceChildren(
    el(
      'div',
      { class: 'pickers' },
      dropdown(
        'game',
        'Game',
        [option('', 'All games'), ...available.games.map(({ name, title }) => option(name, title))],
        (name) => set({ game: name, variant: null, experiment: null }),
      ),
      dropdown(
        'variant',
        'Variant',
        [option('', 'All variants'), ...(game?.variants ?? []).map(({ name, title }) => option(name, title))],
        (name) => set({ variant: name, experiment: null }),
        !game,
      ),
      choosePlayer,
    ),
    el(
      'div',
      { class: 'ticks' },
      el(
        'fieldset',
        { class: 'kinds' },
        el('legend', {}, 'With'),
        Object.entries(KINDS).map(([kind, words]) =>
          checkbox(
            `filter-${kind}`,
            words,
            kinds.includes(kind),
            (isOn) => toggleKind(kind, isOn),
            `Only episodes with ${words.toLowerCase()} in them`,
          ),
        ),
      ),
      checkbox(
        'filter-published',
        'Published results †',
        params.has('published'),
        (isOn) => set({ published: isOn ? '1' : null }),
        'What papers report, marked, in no average',
      ),
      checkbox(
        'filter-informed',
        'Count informed people',
        params.has('informed'),
        (isOn) => set({ informed: isOn ? '1' : null }),
        'Otherwise people who chose their experiment or instance are left out',
      ),
      active &&
        el(
          'a',
          { class: 'reset', href: withParams(params, Object.fromEntries(FILTERS.map((name) => [name, null]))) },
          'Show everything',
        ),
    ),
    chips.length ? el('div', { class: 'chips' }, chips) : '',
  );
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function drawViews(nav, view, params) {
  nav.replaceChildren(
    ...Object.entries(VIEWS).map(([name, words]) =>
      el('a', { href: withParams(params, { view: name }), 'aria-current': name === view ? 'page' : null }, words),
    ),
  );
}

function hiddenNotice({ private: unpublished, playing }) {
  const count = (number, kind) => number && `${number} ${kind} ${number === 1 ? 'game' : 'games'}`;
  const parts = [count(unpublished, 'unpublished'), count(playing, 'unfinished')].filter(Boolean);
  return parts.length
    ? el(
        'p',
        { class: 'hint not-shown', role: 'note' },
        el('b', {}, 'Not counted here: '),
        `${parts.join(', ')}. Unpublished games are counted for the people who played them and for the owner of this server.`,
      )
    : null;
}

function downloads(query, params) {
  const words = ['ludens results'];
  const part = ['game', 'variant', 'experiment']
    .map((name) => params.get(name))
    .filter(Boolean)
    .join('/');
  if (part) words.push(part);
  for (const player of params.getAll('player')) words.push(`--player "${player}"`);
  if (params.getAll('kind').includes('people')) words.push('--people');
  if (params.getAll('kind').includes('models')) words.push('--models');
  if (params.has('published')) words.push('--published');
  if (params.has('informed')) words.push('--informed');
  return el(
    'p',
    { class: 'downloads hint' },
    'Rows by experiment: ',
    el('a', { href: `/api/results/table.csv${query}`, download: '' }, 'CSV'),
    ' · ',
    el('a', { href: `/api/results/table.json${query}`, download: '' }, 'JSON'),
    params.getAll('kind').includes('programs') ? null : [' · in a terminal: ', el('code', {}, words.join(' '))],
  );
}

function emptyNotice(params, { there: available, hidden }) {
  if (available.games.length || FILTERS.some((name) => params.has(name)))
    return el(
      'div',
      { class: 'notice' },
      el('h2', {}, 'No episode fits these filters'),
      el(
        'p',
        {},
        FILTERS.filter((name) => params.has(name))
          .map((name) => `${name}: ${params.getAll(name).join(', ')}`)
          .join(' · '),
      ),
      el('a', { class: 'button', href: '/results' }, 'Show everything'),
    );
  return el(
    'div',
    { class: 'notice' },
    el('h2', {}, hidden.private ? 'Nothing that you may see yet' : 'Nothing has been played yet'),
    el('p', {}, 'Finish a game, let two programs play in the lobby, or start a run in a terminal:'),
    el('code', { class: 'block' }, 'ludens run matchit/text --cross scripted random'),
    el(
      'p',
      {},
      'What it plays is counted here while it runs. Published episodes come in with ',
      el('code', {}, 'ludens import clembench FOLDER'),
      '.',
    ),
    el('a', { class: 'button primary', href: '/' }, 'To the lobby'),
  );
}

function problemNotice(error, again) {
  return el(
    'div',
    { class: 'notice' },
    el('p', { class: 'problem', role: 'alert' }, error.message),
    el(
      'div',
      { class: 'row' },
      el('button', { type: 'button', class: 'button', onclick: again }, 'Try again'),
      el('a', { class: 'button', href: '/results' }, 'All results'),
    ),
  );
}
