// What stands folded above the leaderboard: what the numbers mean, and what papers report besides what has columns.
import { el } from '/web/core/dom.js';
import { appendLazily, body, cell, foldedSection, row, rowHead, table } from '/web/results/tables.js';

const MEANINGS = [
  ['As spy, …', 'In games of sides a row is of one side, and quality is how often that side won, in %.'],
  [
    '[low, high], and the bar',
    '95 % interval: Wilson for shares, bootstrap over instances for scores (Wilson, too, where all instances have the same mean). Few episodes make it wide. With people: over people and instances, from 8 people and 8 instances on.',
  ],
  [
    'Rating',
    'How able a player, or a team, is at one game: 400 points are odds of ten to one. In cooperative games, the score of a team follows from the abilities of its seats and the difficulty of the instance; a rating needs 10 first exposures. People are rated together; your own rating is for you alone.',
  ],
  [
    'Left out',
    'faults: a player could not answer, `ludens run` goes on there. open: still played. unscored: its game fails at scoring it. abandoned: left before its end. mixed: more than one player sat at a seat. both seats: one browser played two seats and saw both sides. practice. informed: a person chose the experiment or the instance. missing: planned, not begun.',
  ],
  ['by form', 'People fill in a form, which keeps them to the format: their % played is no measure of it.'],
  [
    '†',
    'Published: other instances, other prompts and models of their time. Beside ours for orientation, in no average.',
  ],
];

/** What the numbers mean, those of columns first: pairs of a name and an explanation. */
export const explanations = (ofColumns) =>
  el(
    'details',
    { class: 'meaning' },
    el('summary', {}, 'What the numbers mean'),
    el(
      'dl',
      {},
      [...ofColumns, ...MEANINGS].flatMap(([name, words]) => [el('dt', {}, name), el('dd', {}, words)]),
    ),
  );

/** Published rows whose numbers have no columns. */
export const otherNumbers = (rows, titles, sources) =>
  foldedSection(`† ${rows.length} further published rows, with numbers of other kinds`, () => {
    const list = body();
    const makers = rows.map((entry) => () => furtherLine(entry, titles, sources));
    const heads = ['Model', 'Of', 'Condition', 'Numbers', 'Source'];
    return [table('further', 'Published rows with other numbers', heads, list), appendLazily(list, makers)];
  });

function furtherLine(entry, titles, sources) {
  const parts = [entry.game && titles.game(entry.game), entry.variant && titles.variant(entry.game, entry.variant)];
  const numbers = Object.entries(entry.numbers).map(([name, value]) => `${name} ${value}`);
  return row(
    'published',
    rowHead(null, `† ${entry.model}`),
    cell(null, null, entry.game ? [...parts, entry.experiment].filter(Boolean).join(', ') : 'pictures'),
    cell(null, null, entry.condition),
    cell(null, null, numbers.join(', ')),
    cell(null, null, sources.link(entry)),
  );
}

/** The citations of published rows, listed once; rows name their table and lead there. */
export class Sources {
  #tables = new Map();

  constructor(rows) {
    for (const { source, says } of rows)
      if (!this.#tables.has(source)) this.#tables.set(source, { id: `source-${this.#tables.size + 1}`, says });
  }

  link({ source, says }) {
    return el('a', { href: `#${this.#tables.get(source).id}`, title: `${source}: ${says}` }, source.split(', ').at(-1));
  }

  node() {
    if (!this.#tables.size) return null;
    const list = [...this.#tables].map(([source, { id, says }]) => el('li', { id }, `${source}: ${says}.`));
    return el(
      'details',
      { class: 'sources' },
      el('summary', {}, `† Published in ${list.length} tables`),
      el('ol', {}, list),
    );
  }
}
