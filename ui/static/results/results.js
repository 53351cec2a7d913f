// The Results page: filters kept in the address, and below them one of four views, or the episodes behind a number, or
// the texts that have some words.
// The address alone says what is shown; a link to it shows the same again.
import { api, el } from '/web/core/dom.js';
import { privacyDetails } from '/web/core/privacy.js';
import { comparison } from '/web/results/comparison.js';
import { drilldown } from '/web/results/drilldown.js';
import { heatmap } from '/web/results/heatmap.js';
import { leaderboard } from '/web/results/leaderboard.js';
import { expandRows, withParams } from '/web/results/numbers.js';
import { plots } from '/web/results/plots.js';
import { search, searchForm } from '/web/results/search.js';
import { dropdown } from '/web/results/tables.js';

const VIEWS = {
  '': { title: 'Leaderboard', draw: leaderboard },
  heatmap: { title: 'Heat map', draw: heatmap },
  compare: { title: 'Two players', draw: comparison },
  plots: { title: 'Plots', draw: plots },
};
const EPISODE_PARAMS = ['row', 'clemscore', 'rating', 'of']; // an address with one of these asks for episodes
const FILTERS = ['game', 'variant', 'experiment', 'player', 'kind', 'informed', 'published'];
const SERVER_PARAMS = [...FILTERS, 'per']; // what the server is asked with
const KINDS = { people: 'People', models: 'Models', programs: 'Programs' };
const CACHE_SIZE = 12; // answers that going back finds again at once
const CACHE_TIME = 60_000; // milliseconds for which they are not asked for again: a run may be adding to them

export function mount(root) {
  const lead = el(
    'p',
    { class: 'hint lead-line' },
    'What came out, whoever played: people and models in one table, with 95 % intervals. Every number leads to the episodes that it counts.',
  );
  const filters = el('form', { class: 'filters', 'aria-label': 'Filters' });
  const views = el('nav', { class: 'views', 'aria-label': 'Views' });
  const container = el('div', { class: 'shown' });
  const liveRegion = el('p', { class: 'visually-hidden', role: 'status' });
  const head = el('div', { class: 'results-head' }, el('h1', {}, 'Results'), lead);
  const box = searchForm((href) => go(href));
  root.replaceChildren(head, box.form, filters, views, liveRegion, container, privacyDetails());
  const server = new Server();
  /** @type {string | null} */
  let currentSearch = null; // what the address asked for
  let sortOrder = new URLSearchParams(location.search).get('sort');
  history.scrollRestoration = 'manual';

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
    const ask = server.begin();
    currentSearch = location.search;
    const params = new URLSearchParams(location.search);
    const view = viewOf(params);
    head.hidden = box.form.hidden = view === 'episodes';
    filters.hidden = views.hidden = view === 'episodes' || view === 'search';
    lead.hidden = view === 'search';
    box.update(params);
    container.setAttribute('aria-busy', 'true');
    const report = (words, replaces = true) => {
      clearTimeout(slowTimer);
      liveRegion.textContent = words;
      if (replaces || !container.childElementCount) container.replaceChildren(el('p', { class: 'none' }, words));
    };
    const slowTimer = setTimeout(() => report(view === 'search' ? 'Searching …' : 'Counting …', false), 600);
    try {
      const draw = { episodes: drilldown, search }[view] ?? drawTable;
      const nodes = await draw({ params, view, ask, go, report, filters, views });
      if (!nodes) return;
      container.replaceChildren(...nodes);
      container.dataset.view = view;
      liveRegion.textContent = '';
      if (y !== null) restoreScroll(y);
    } catch (error) {
      container.replaceChildren(problemNotice(error, () => show()));
    } finally {
      clearTimeout(slowTimer);
    }
    container.removeAttribute('aria-busy');
  }

  listen(root, filters, go);
  addEventListener('popstate', (event) => location.search !== currentSearch && show(event.state?.y ?? 0)); // not for an anchor
  show(history.state?.y ?? null);
}

/** One of the four views, below its filters. */
async function drawTable({ params, view, ask, go, filters, views }) {
  const query = serverQuery(params);
  const data = await ask(`/api/results${query}`);
  if (!data) return null;
  const rows = (data.rows ??= expandRows(data));
  drawFilters(filters, params, data.there, go);
  drawViews(views, view, params);
  const context = { params, data, rows, ask, go, query, downloads: downloads(serverQuery(params, FILTERS), params) };
  const any = [rows, data.published, data.ratings, data.abilities].some((list) => list.length);
  filters.hidden = views.hidden = !data.there.games.length && !query;
  const nodes = any || view === 'compare' ? await VIEWS[view].draw(context) : [emptyNotice(params, data)];
  return nodes && [hiddenNotice(data.hidden), ...nodes].filter(Boolean);
}

function listen(root, filters, go) {
  root.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="/results"]');
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.dataset.back !== undefined && history.state?.inside) return history.back();
    go(link.getAttribute('href'));
  });
  filters.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('pagehide', () => history.replaceState({ ...history.state, y: scrollY }, ''));
}

/** Asks the server; what was asked a moment ago is answered at once. */
class Server {
  #answers = new Map();
  #requestNumber = 0;

  /** A function that asks for a new view. It returns null once a later view was begun. */
  begin() {
    this.#requestNumber += 1;
    const request = this.#requestNumber;
    return async (path, { keep = true } = {}) => {
      const answer = await (keep ? this.#kept(path) : api(path));
      return request === this.#requestNumber ? answer : null;
    };
  }

  #kept(path) {
    const cached = this.#answers.get(path);
    if (cached && Date.now() - cached.at < CACHE_TIME) return cached.answer;
    const answer = api(path);
    if (this.#answers.size >= CACHE_SIZE) this.#answers.delete(this.#answers.keys().next().value);
    this.#answers.set(path, { answer, at: Date.now() });
    answer.catch(() => this.#answers.delete(path));
    return answer;
  }
}

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

/** The filters: what is chosen stands in the address. */
function drawFilters(form, params, available, go) {
  const focused = document.activeElement?.id;
  const set = (changes) => go(withParams(new URLSearchParams(location.search), changes));
  const chips = filterChips(params, set);
  form.replaceChildren(
    filterLists(params, available, set),
    filterTicks(params, set),
    chips.length ? el('div', { class: 'chips' }, chips) : '',
  );
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function filterLists(params, available, set) {
  const game = available.games.find(({ name }) => name === params.get('game'));
  const players = params.getAll('player');
  const more = Object.keys(available.players).filter((player) => !players.includes(player));
  const titled = (list) => list.map(({ name, title }) => [name, title]);
  return el(
    'div',
    { class: 'pickers' },
    dropdown('filter-game', 'Game', [['', 'All games'], ...titled(available.games)], params.get('game'), (name) =>
      set({ game: name, variant: null, experiment: null }),
    ),
    dropdown(
      'filter-variant',
      'Variant',
      [['', 'All variants'], ...titled(game?.variants ?? [])],
      params.get('variant'),
      (name) => set({ variant: name, experiment: null }),
      !game,
    ),
    dropdown(
      'filter-add-player',
      'Player',
      [['', players.length ? 'Add another …' : 'All players'], ...more.map((player) => [player, player])],
      '',
      (player) => player && set({ player: [...players, player] }),
    ),
  );
}

function filterTicks(params, set) {
  const kinds = params.getAll('kind');
  const tick = (name, label, checked, onchange, title) => {
    const id = `filter-${name}`;
    const box = el('input', { type: 'checkbox', id, checked, onchange: () => onchange(box.checked) });
    return el('label', { class: 'tick', for: id, title }, box, label);
  };
  const setTick = (name) => (isOn) => set({ [name]: isOn ? '1' : null });
  const toggleKind = (kind) => (isOn) => set({ kind: isOn ? [...kinds, kind] : kinds.filter((item) => item !== kind) });
  const kindTicks = Object.entries(KINDS).map(([kind, words]) =>
    tick(kind, words, kinds.includes(kind), toggleKind(kind), `Only episodes with ${words.toLowerCase()} in them`),
  );
  const published = 'What papers report, marked, in no average';
  const informed = 'Otherwise people who chose their experiment or instance are left out';
  const nothing = Object.fromEntries(FILTERS.map((name) => [name, null]));
  return el(
    'div',
    { class: 'ticks' },
    el('fieldset', { class: 'kinds' }, el('legend', {}, 'With'), kindTicks),
    tick('published', 'Published results †', params.has('published'), setTick('published'), published),
    tick('informed', 'Count informed people', params.has('informed'), setTick('informed'), informed),
    FILTERS.some((name) => params.has(name)) &&
      el('a', { class: 'reset', href: withParams(params, nothing) }, 'Show everything'),
  );
}

/** What else is filtered: a button each, which takes it away. */
function filterChips(params, set) {
  const chip = (words, label, onclick) =>
    el(
      'button',
      { type: 'button', class: 'chip', 'aria-label': label, onclick },
      words,
      el('span', { 'aria-hidden': 'true' }, ' ×'),
    );
  const players = params.getAll('player');
  const chips = players.map((player) =>
    chip(player, `Without ${player}`, () => set({ player: players.filter((item) => item !== player) })),
  );
  const experiment = params.get('experiment');
  if (experiment) chips.push(chip(`experiment ${experiment}`, null, () => set({ experiment: null })));
  return chips;
}

function drawViews(nav, view, params) {
  nav.replaceChildren(
    ...Object.entries(VIEWS).map(([name, { title }]) =>
      el('a', { href: withParams(params, { view: name }), 'aria-current': name === view ? 'page' : null }, title),
    ),
  );
}

function hiddenNotice({ private: unpublished, playing }) {
  const count = (number, kind) => number && `${number} ${kind} ${number === 1 ? 'game' : 'games'}`;
  const parts = [count(unpublished, 'unpublished'), count(playing, 'unfinished')].filter(Boolean);
  if (!parts.length) return null;
  const words = `${parts.join(', ')}. Unpublished games are counted for the people who played them and for the owner of this server.`;
  return el('p', { class: 'hint not-shown', role: 'note' }, el('b', {}, 'Not counted here: '), words);
}

function downloads(query, params) {
  const words = ['ludens results'];
  const part = ['game', 'variant', 'experiment']
    .map((name) => params.get(name))
    .filter(Boolean)
    .join('/');
  if (part) words.push(part);
  for (const player of params.getAll('player')) words.push(`--player "${player}"`);
  for (const kind of ['people', 'models']) if (params.getAll('kind').includes(kind)) words.push(`--${kind}`);
  for (const name of ['published', 'informed']) if (params.has(name)) words.push(`--${name}`);
  const file = (name, format) =>
    el('a', { href: `/api/results/${name}.${format}${query}`, download: '' }, format.toUpperCase());
  return el(
    'p',
    { class: 'downloads hint' },
    'Rows by experiment: ',
    file('table', 'csv'),
    ' · ',
    file('table', 'json'),
    ' · ratings: ',
    file('ratings', 'csv'),
    ' · ',
    file('ratings', 'json'),
    params.getAll('kind').includes('programs') ? null : [' · in a terminal: ', el('code', {}, words.join(' '))],
  );
}

function emptyNotice(params, { there: available, hidden }) {
  const notice = (title, ...content) => el('div', { class: 'notice' }, el('h2', {}, title), ...content);
  const filters = FILTERS.filter((name) => params.has(name));
  if (available.games.length || filters.length)
    return notice(
      'No episode fits these filters',
      el('p', {}, filters.map((name) => `${name}: ${params.getAll(name).join(', ')}`).join(' · ')),
      el('a', { class: 'button', href: '/results' }, 'Show everything'),
    );
  return notice(
    hidden.private ? 'Nothing that you may see yet' : 'Nothing has been played yet',
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
