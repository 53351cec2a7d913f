// Clemscores: over all games, or of the part that is filtered; those over other games apart, as they cannot be compared.
import { el } from '/web/core/dom.js';
import { episodesUrl, formatNumber, joined, numberLink, playerMark } from '/web/results/numbers.js';
import {
  appendLazily,
  body,
  cell,
  foldedSection,
  groupRow,
  hint,
  row,
  rowHead,
  section,
  table,
} from '/web/results/tables.js';

const VISIBLE_ROWS = 20; // so many rows of each modality are shown before the rest is folded
const HEADS = ['Players', 'clemscore', '% played', 'Quality', 'Over games'];

export function clemscores(ourRows, theirs, context) {
  const widest = Object.fromEntries(
    ['text', 'picture'].map((modality) => [
      modality,
      widestGames(ourRows.filter((entry) => entry.modality === modality)),
    ]),
  );
  const isComparable = (entry) => entry.theirs || gamesOf(entry) === widest[entry.modality];
  const entries = [
    ...ourRows.map((entry) => ({ ...entry, score: entry.clemscore })),
    ...theirs.map((entry) => ({ theirs: entry, modality: 'picture', score: entry.numbers.clemscore })),
  ].sort((entry, other) => other.modality.localeCompare(entry.modality) || other.score - entry.score);
  const comparable = entries.filter(isComparable);
  const isBest = (entry) =>
    comparable.filter(({ modality }) => modality === entry.modality).indexOf(entry) < VISIBLE_ROWS;
  const fold = (rest, over) =>
    rest.length
      ? foldedSection(
          `${rest.length} ${over === 'the same' ? 'more ' : ''}${rest.length === 1 ? 'row' : 'rows'} over ${over} games`,
          () => clemTable(rest, `clemscores over ${over} games`, context),
        )
      : null;
  return section(
    'over-games',
    context.params.has('game') ? 'clemscore of what is filtered' : 'Over all games',
    hint(
      'clemscore: mean % played over games, times mean quality over games, divided by 100. Only rows over the same games can be compared.',
    ),
    ...clemTable(comparable.filter(isBest), 'clemscores', context),
    fold(
      comparable.filter((entry) => !isBest(entry)),
      'the same',
    ),
    fold(
      entries.filter((entry) => !isComparable(entry)),
      'other',
    ),
  );
}

const gamesOf = (entry) => Object.keys(entry.games).join(', ');

/** The games that rows are compared over: the widest set, of several as wide the one that most rows have. */
function widestGames(rows) {
  const counts = new Map();
  for (const entry of rows) counts.set(gamesOf(entry), (counts.get(gamesOf(entry)) ?? 0) + 1);
  const size = (games) => games.split(', ').length;
  return [...counts].sort(([games, n], [other, m]) => size(other) - size(games) || m - n)[0]?.[0];
}

function clemTable(entries, caption, context) {
  const element = table('clemscores', caption, HEADS);
  const makers = ['text', 'picture'].flatMap((modality) => {
    const title = el('span', { class: 'of-game' }, modality === 'picture' ? 'Pictures' : 'Text');
    const place = body(groupRow(HEADS.length, title));
    return entries
      .filter((entry) => entry.modality === modality)
      .map((entry, at) => () => {
        place.append(entry.theirs ? publishedLine(entry.theirs, context.sources) : ourLine(entry, context));
        return at ? [] : place;
      });
  });
  return [element, appendLazily(element, makers)];
}

function ourLine(entry, { informed, params, kinds }) {
  const part = Object.fromEntries(['game', 'variant', 'experiment'].map((name) => [name, params.get(name)]));
  const { modality, reprompt } = entry;
  const at = (which, task = /** @type {string | null} */ (null)) =>
    episodesUrl({ clemscore: entry.players, modality, reprompt, task, which, informed, ...part });
  const games = Object.entries(entry.games).map(([game, n]) => [
    `${game} `,
    numberLink(`${n}`, at('counted', game), `${n} episodes of ${game}`),
  ]);
  const notes = [
    reprompt && `${reprompt} reminders allowed`,
    entry.unplayed.length && `none played of ${entry.unplayed.join(', ')}: 0 in % played, not in quality`,
    entry.mixed_settings.length && `different settings together in ${entry.mixed_settings.join(', ')}`,
  ].filter(Boolean);
  return row(
    null,
    rowHead(
      'players',
      entry.players in kinds ? playerMark(entry.players, kinds) : el('span', { class: 'seated' }, entry.players),
    ),
    cell('clemscore', 'clemscore', numberLink(formatNumber(entry.clemscore), at('counted'))),
    cell('% played', 'played', numberLink(formatNumber(entry.played), at('counted'))),
    cell('Quality', 'quality', numberLink(formatNumber(entry.quality), entry.quality === null ? null : at('played'))),
    cell(null, 'games', ...joined(games), ...notes.map((note) => el('span', { class: 'how' }, note))),
  );
}

function publishedLine(entry, sources) {
  const value = (name) => formatNumber(entry.numbers[name] ?? null);
  return row(
    'published',
    rowHead('players', `† ${entry.model} `, el('span', { class: 'badge' }, 'published')),
    cell('clemscore', 'clemscore', value('clemscore')),
    cell('% played', 'played', value('played')),
    cell('Quality', 'quality', value('quality')),
    cell(null, 'games', `${entry.condition}, `, sources.link(entry)),
  );
}
