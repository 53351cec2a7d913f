// The header of a page about one game: its title, the variant and other badges, and more below.
import { el } from '/web/core/dom.js';

export const pageHeader = (game, badges, ...below) =>
  el(
    'header',
    { class: 'title' },
    el('h1', {}, game.title),
    el('p', { class: 'badges' }, game.variant_title && el('span', { class: 'badge' }, game.variant_title), ...badges),
    ...below,
  );
