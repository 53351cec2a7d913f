// What the views of the Results page are made of: tables, which keep their roles where they are drawn as cards, lists to
// choose from, folds, and long lists that are drawn as they are reached.
import { api, el } from '/web/core/dom.js';

const CHUNK = 120;

export const hint = (...children) => el('p', { class: 'hint' }, ...children);

export const row = (name, ...cells) => el('tr', { role: 'row', class: name }, ...cells);

/** A cell. Cards on a phone show the head of its column (`label`); `column` gives it a style. */
export const cell = (label, column, ...children) =>
  el('td', { role: 'cell', class: column && `column-${column}`, 'data-label': label }, ...children);

export const rowHead = (column, ...children) =>
  el('th', { role: 'rowheader', scope: 'row', class: column && `column-${column}` }, ...children);

/** The row that names a group of rows, at the top of their body. */
export const groupRow = (columns, ...children) =>
  row('group', el('th', { role: 'rowheader', scope: 'rowgroup', colspan: columns }, ...children));

export const body = (...rows) => el('tbody', { role: 'rowgroup' }, ...rows);

/** A table with its heads: words, or cells of their own. */
export function table(name, caption, heads, ...bodies) {
  const headCells = heads.map((head) =>
    typeof head === 'string' ? el('th', { role: 'columnheader', scope: 'col' }, head) : head,
  );
  return el(
    'table',
    { class: name, role: 'table' },
    el('caption', { class: 'visually-hidden' }, caption),
    el('thead', { role: 'rowgroup' }, row(null, headCells)),
    ...bodies,
  );
}

/** A part of the page under a heading. */
export const section = (id, title, ...content) =>
  el(
    'section',
    { class: 'result-table', 'aria-labelledby': id },
    el('div', { class: 'section-head' }, el('h2', { id }, title)),
    ...content,
  );

/** A list to choose from with its label; `options` are [value, words]. */
export function dropdown(id, label, options, value, onchange, disabled = false) {
  const select = el(
    'select',
    { id, disabled, onchange: () => onchange(select.value) },
    options.map(([name, words]) => el('option', { value: name }, words)),
  );
  select.value = value ?? '';
  return el('div', { class: 'field' }, el('label', { for: id }, label), select);
}

/** A button that adds the next of a long list to it: `added` are there, `add` draws an answer and returns how many it had. */
export function pager(path, added, total, add) {
  if (added >= total) return null;
  const problem = el('p', { class: 'problem', role: 'alert' });
  const label = () => `Show more (${Math.max(0, total - added).toLocaleString('en')} left)`;
  const button = el('button', { type: 'button', class: 'button' }, label());
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      added += add(await api(`${path}&start=${added}`)) || total; // nothing more where less is there than was said
      problem.textContent = '';
    } catch {
      problem.textContent = 'This could not be loaded. Please try again.';
    }
    button.disabled = false;
    button.textContent = label();
    button.hidden = added >= total;
  });
  return el('div', {}, button, problem);
}

/** A fold whose content is drawn when it is first opened. */
export function foldedSection(words, make) {
  const fold = el('details', {}, el('summary', {}, words));
  fold.addEventListener('toggle', () => fold.childElementCount < 2 && fold.append(...make()), { once: true });
  return fold;
}

/** Append what `makers` make to a place, the first at once and the rest as the reader comes near the end. */
export function appendLazily(container, makers) {
  let at = 0;
  const end = el('div', { class: 'more-below', 'aria-hidden': 'true' });
  const draw = (count) => {
    const fresh = makers.slice(at, at + count).flatMap((make) => make());
    at = Math.min(at + count, makers.length);
    container.append(...fresh);
    if (at >= makers.length) {
      watcher.disconnect();
      end.remove();
    }
  };
  const watcher = new IntersectionObserver(
    (observed) => {
      if (!observed.at(-1)?.isIntersecting) return;
      draw(CHUNK);
      watcher.unobserve(end); // it tells of changes only: whoever is still near is told of once more
      if (at < makers.length) watcher.observe(end);
    },
    { rootMargin: '1500px' },
  );
  draw(CHUNK);
  if (at < makers.length) {
    watcher.observe(end);
    addEventListener('beforeprint', () => draw(makers.length), { once: true });
  }
  return end;
}
