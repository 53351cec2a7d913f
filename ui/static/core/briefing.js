// The briefing of a game: diagram, three lines, table of roles. The rules page and the page of a seat show it.
import { api, el } from '/web/core/dom.js';

const SVG_TYPE = 'image/svg+xml';

/** Where the briefing of a game is; without a variant that of the first, without a seat that of all seats. */
export const briefingAddress = (path, { game, variant = '', seat = '' }) =>
  `${path}?${new URLSearchParams(Object.entries({ game, variant, seat }).filter(([, value]) => value))}`;

/** Load a briefing; throws what `api` throws. */
export const loadBriefing = (place) => api(briefingAddress('/api/rules', place));

/** A diagram as part of the page: its colours follow light and dark, and a screen reader reads its text. */
export function drawDiagram({ svg: source, text }) {
  const drawing = new DOMParser().parseFromString(source, SVG_TYPE).documentElement;
  if (drawing.localName !== 'svg') return el('p', { class: 'hint' }, text);
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', text);
  return el('div', { class: 'diagram' }, document.importNode(drawing, true));
}

/** The lines of rules, with the diagram above them. */
export const drawBriefing = ({ diagram, lines }) =>
  el(
    'div',
    { class: 'briefing' },
    diagram && drawDiagram(diagram),
    el(
      'ol',
      { 'aria-label': 'The rules in short' },
      lines.map((line) => el('li', {}, line)),
    ),
  );

/** Who must do what, and when they win. */
export const drawRoles = (roles) =>
  el(
    'table',
    { class: 'role-table' },
    el('caption', { class: 'visually-hidden' }, 'What each role must do, and when it wins'),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ['Role', 'Must', 'Wins if'].map((title) => el('th', { scope: 'col' }, title)),
      ),
    ),
    el(
      'tbody',
      {},
      roles.map(({ role, must, wins_if: winsIf }) =>
        el('tr', {}, el('th', { scope: 'row' }, role), el('td', {}, must), el('td', {}, winsIf)),
      ),
    ),
  );
