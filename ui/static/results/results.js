// The Results page. The server draws what its address asks for (ui/routes/result_tables.py, result_panels.py); this puts
// it into the page, follows links and filters without loading the page anew, and goes back to where the reader was.
import { api, el } from '/web/core/dom.js';
import { privacyDetails } from '/web/core/privacy.js';
import { Continued, parsePanel } from '/web/results/panels.js';
import { drawPlots } from '/web/results/plots.js';
import { searchForm } from '/web/results/search.js';

const EPISODE_PARAMS = ['row', 'clemscore', 'rating']; // an address with one of these asks for episodes
const CACHE_SIZE = 40; // answers that going back finds again at once
const CACHE_TIME = 60_000; // milliseconds for which they are not asked for again: a run may be adding to them

export function mount(root) {
  const lead = el(
    'p',
    { class: 'hint lead-line' },
    'What came out, whoever played: people and models in one table, with 95 % intervals. Every number leads to the episodes that it counts.',
  );
  const head = el('div', { class: 'results-head' }, el('h1', {}, 'Results'), lead);
  const box = searchForm((href) => go(href));
  const liveRegion = el('p', { class: 'visually-hidden', role: 'status' });
  const container = el('div', { class: 'drawn' }, el('div', { class: 'shown', 'aria-busy': 'true' }));
  root.replaceChildren(head, box.form, liveRegion, container, privacyDetails());
  const answers = new Answers();
  const continued = new Continued(root, (url) => answers.get(url));
  let drawnSearch = /** @type {string | null} */ (null); // what the address asked for
  let requestNumber = 0;
  history.scrollRestoration = 'manual';

  /** Go to an address of this page without loading it anew. */
  async function go(href, replace = false) {
    history.replaceState({ ...history.state, y: scrollY }, '');
    history[replace ? 'replaceState' : 'pushState']({ inside: true }, '', href);
    const [view, sort] = [shownView(), new URLSearchParams(drawnSearch ?? '').get('sort')];
    await show();
    const title = document.getElementById('per-experiment');
    const isResorted = new URLSearchParams(location.search).get('sort') !== sort;
    if (shownView() !== view) scrollTo(0, 0);
    else if (isResorted && title && title.getBoundingClientRect().top < 0) title.scrollIntoView();
  }

  const shownView = () => container.querySelector('.shown')?.dataset.view;

  async function show(y = null) {
    requestNumber += 1;
    const request = requestNumber;
    drawnSearch = location.search;
    const params = new URLSearchParams(location.search);
    box.update(params);
    container.querySelector('.shown').setAttribute('aria-busy', 'true');
    const slowTimer = setTimeout(() => (liveRegion.textContent = 'Counting …'), 600);
    try {
      const report = (words) => request === requestNumber && showWords(el('p', { class: 'none' }, words), words);
      const elements = await load(params, answers, report);
      if (request !== requestNumber) return;
      draw(elements);
      if (y !== null) restoreScroll(y);
    } catch (error) {
      if (request === requestNumber) showWords(problemNotice(error, () => show()));
    } finally {
      clearTimeout(slowTimer);
    }
  }

  function showWords(node, words = '') {
    liveRegion.textContent = words;
    container.querySelector('.shown').replaceChildren(node);
    container.querySelector('.shown').removeAttribute('aria-busy');
  }

  function draw(elements) {
    const focused = document.activeElement?.id;
    container.replaceChildren(...elements);
    const view = shownView();
    head.hidden = box.form.hidden = view === 'episodes';
    lead.hidden = view === 'search';
    liveRegion.textContent = '';
    if (focused && document.activeElement?.id !== focused)
      document.getElementById(focused)?.focus({ preventScroll: true });
    continued.watch(container);
    drawPlots(container);
  }

  listen(root, go);
  addEventListener('popstate', (event) => location.search !== drawnSearch && show(event.state?.y ?? 0)); // not for an anchor
  show(history.state?.y ?? null);
}

/** Links, lists and boxes change the address; the address says what is shown. */
function listen(root, go) {
  root.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="/results"]');
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.dataset.back !== undefined && history.state?.inside) return history.back();
    go(link.getAttribute('href'));
  });
  root.addEventListener('change', ({ target }) => {
    if (target.dataset.clears === undefined) return;
    go(changedAddress(new URLSearchParams(location.search), target), 'replaces' in target.dataset);
  });
  root.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('pagehide', () => history.replaceState({ ...history.state, y: scrollY }, ''));
}

/** The address after a list or a box was changed: some add to their parameter, some take others away. */
export function changedAddress(params, { name, value, type, checked, dataset }) {
  const isBox = type === 'checkbox';
  const others = isBox || 'adds' in dataset ? params.getAll(name).filter((other) => other !== value) : [];
  for (const cleared of [name, ...dataset.clears.split(' ')]) params.delete(cleared);
  for (const item of [...others, ...((isBox ? checked : value) ? [value] : [])]) params.append(name, item);
  return params.size ? `/results?${params}` : '/results';
}

/** What the server draws for an address. While the index of the first search is built, it is asked again. */
async function load(params, answers, report) {
  const isSearch = params.get('words') && !EPISODE_PARAMS.some((name) => params.has(name)) && !params.has('of');
  const path = params.has('of') ? '/pairs' : EPISODE_PARAMS.some((name) => params.has(name)) ? '/episodes' : '';
  const url = `/api/results${isSearch ? '/search' : path}?${params}`;
  for (;;) {
    const elements = parsePanel(await (isSearch || path ? api(url, undefined, { html: true }) : answers.get(url)));
    if (elements[0]?.dataset.again === undefined) return elements;
    report(elements[0].textContent);
  }
}

/** Answers of the server; what was asked a moment ago is answered at once. */
class Answers {
  #answers = new Map();

  get(url) {
    const cached = this.#answers.get(url);
    if (cached && Date.now() - cached.at < CACHE_TIME) return cached.answer;
    const answer = api(url, undefined, { html: true });
    if (this.#answers.size >= CACHE_SIZE) this.#answers.delete(this.#answers.keys().next().value);
    this.#answers.set(url, { answer, at: Date.now() });
    answer.catch(() => this.#answers.delete(url));
    return answer;
  }
}

/** Go back to where the reader was, as far as the page is drawn; long tables grow towards it. */
function restoreScroll(y, tries = 90) {
  scrollTo(0, y);
  if (scrollY + 2 < y && tries) requestAnimationFrame(() => restoreScroll(y, tries - 1));
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
