// Ratings: players and teams of cooperative games, and the players of games with sides. Each table is of one game under
// equal conditions. The reader's own rating is a row of its own; all other people are rated as one.
import { el } from '/web/core/dom.js';
import {
  DASH,
  episodesUrl,
  formatNumber,
  formatSigned,
  intervalBar,
  joined,
  measured,
  measuredPoints,
  numberLink,
  playerMark,
  seatedPlayers,
} from '/web/results/numbers.js';
import { appendLazily, body, cell, foldedSection, groupRow, hint, row, rowHead, table } from '/web/results/tables.js';

const PRIOR_TITLE = 'The games determine only sums with the abilities of partners: compare teams instead';

/** All tables; without a chosen game, those of cooperative games are folded. */
export function ratings({ data, own, titles, informed, isOneGame }) {
  const kinds = data.there.players;
  const context = (entry) => ({ kinds, informed, titles, own: own.filter((row) => row.table === entry.id) });
  const sections = data.abilities.map((entry) => [entry, () => cooperativeTable(entry, context(entry))]);
  return [
    ...sections.map(([entry, make]) =>
      isOneGame ? make() : foldedSection(`Ratings: ${gameTitle(entry, titles)}`, () => [make()]),
    ),
    ...data.ratings.map((entry) => adversarialTable(entry, context(entry))),
  ];
}

const gameTitle = ({ game, variant }, titles) => `${titles.game(game)}, ${titles.variant(game, variant)}`;

/** The farthest end of an interval: all of a table are drawn on one scale. */
const reachOf = (rows) => Math.max(100, ...rows.flatMap(({ low, high }) => [low ?? 0, high ?? 0]).map(Math.abs));

/** A table under its heading, between what it counts and what else there is to say. */
function ratingSection(entry, titles, about, ...content) {
  const settings = Object.entries(entry.settings).map(([key, value]) => `${key} ${value}`);
  return el(
    'section',
    { class: 'result-table', 'aria-label': `Ratings, ${entry.game}/${entry.variant}` },
    el('div', { class: 'section-head' }, el('h2', {}, `Ratings: ${gameTitle(entry, titles)}`)),
    hint(...about, settings.length ? ` Settings: ${settings.join(', ')}.` : ''),
    ...content,
  );
}

function leftOut(entry, at) {
  const reasons = Object.entries(entry.left_out).map(([reason, n]) => numberLink(`${n} ${reason}`, at(reason)));
  return reasons.length ? [' Left out: ', ...joined(reasons), '.'] : [];
}

// ---------------------------------------------------------------------- cooperative games
function cooperativeTable(entry, { kinds, informed, titles, own }) {
  const at = (which, more = {}) => episodesUrl({ rating: entry.id, which, informed, ...more });
  const hasTeams = entry.teams.length > 0;
  const heads = ['Player', 'Rating', ...(hasTeams ? ['Score'] : []), 'n'];
  const players = [...entry.players, ...own.map((rating) => ({ ...rating, isOwn: true }))];
  const reach = reachOf([...players, ...entry.teams].filter((rating) => !rating.prior_only));
  const line = (rating, isGrouped) => {
    const name = rating.seats ? seatingText(rating.seats) : rating.player;
    const href = rating.isOwn ? null : at('counted', { player: name, role: rating.role, study: rating.study || null });
    const who = rating.seats ? seatedPlayers(rating.seats, kinds) : rating.isOwn ? ownMark() : playerMark(name, kinds);
    return row(
      rating.isOwn ? 'people' : null,
      rowHead('players', who, ...marks(rating, isGrouped)),
      cell('Rating', null, measuredPoints(rating.rating, rating.low, rating.high, reach, href)),
      hasTeams && cell('Score', null, rating.seats ? measuredShare(rating, href) : ''),
      cell('n', null, numberLink(String(rating.n), href)),
    );
  };
  const roles = entry.roles.map((role) => ({
    title: `As ${role}`,
    rated: players.filter((rating) => rating.role === role).sort(compareRatings),
  }));
  const isRated = ({ rated }) => rated.some((rating) => !rating.prior_only && rating.rating !== null);
  const parts = [...(hasTeams ? [{ title: 'Teams', rated: entry.teams }] : []), ...roles.filter(isRated)];
  const bodies = parts.map(({ title, rated }) => {
    const isGrouped = hasGroups(rated);
    const head = groupRow(heads.length, el('span', { class: 'of-game' }, title));
    return body(head, ...rated.map((rating) => line(rating, isGrouped)));
  });
  const unrated = roles.filter((part) => !isRated(part)).map(({ title }) => title.toLowerCase());
  return ratingSection(
    entry,
    titles,
    [
      numberLink(`${entry.n} first exposures`, at('counted')),
      ` on ${entry.instances} instances. 400 points are odds of ten to one, 0 is the mean of those that can be compared.`,
      hasTeams ? ' Score: in %, on an instance of mean difficulty.' : '',
      ...leftOut(entry, at),
    ],
    parts.some(({ rated }) => hasGroups(rated)) &&
      el('p', { class: 'problem' }, 'Ratings of different groups cannot be compared: no games link them.'),
    table('ratings', `Ratings, ${entry.game}/${entry.variant}`, heads, ...bodies),
    hasTeams && unrated.length
      ? hint(`Nobody can be compared ${unrated.join(' or ')} alone: the games determine only what teams can do.`)
      : null,
  );
}

const ownMark = () => el('span', { class: 'player person' }, el('span', { class: 'name' }, 'You'));

/** Best first; those that games compare with nobody come last. */
const compareRatings = (rating, other) =>
  Number(rating.prior_only) - Number(other.prior_only) || other.rating - rating.rating;

/** Whether games link some of the ratings in several groups, but not the groups. */
const hasGroups = (rated) =>
  new Set(rated.filter(({ group, prior_only: isAlone }) => group && !isAlone).map(({ group }) => group)).size > 1;

/** The study that people are of, and which other ratings this one cannot be compared with. */
function marks(rating, isGrouped) {
  const note = (words, title = /** @type {string | null} */ (null)) => el('span', { class: 'how', title }, words);
  const group = isGrouped && rating.group && `group ${rating.group}`;
  const comparison = rating.prior_only ? note('prior only', PRIOR_TITLE) : group && note(group);
  return [rating.study && note(`study ${rating.study}`), comparison];
}

const measuredShare = ({ score, score_low: low, score_high: high }, href) =>
  measured(
    numberLink(formatNumber(score, 0), href),
    ` [${formatNumber(low, 0)}, ${formatNumber(high, 0)}]`,
    intervalBar(low, score, high),
  );

/** A seating as the server is asked for it. */
function seatingText(seats) {
  const players = Object.values(seats);
  if (new Set(players).size === 1) return `all=${players[0]}`;
  return Object.entries(seats)
    .map(([seat, player]) => `${seat}=${player}`)
    .join(' ');
}

// ---------------------------------------------------------------------- games with sides
function adversarialTable(entry, { kinds, informed, titles, own }) {
  const at = (which, more = {}) => episodesUrl({ rating: entry.id, which, informed, ...more });
  const sides = entry.sides.map(({ side }) => side);
  const reach = reachOf([...entry.players, ...entry.sides, ...own]);
  const lines = entry.players.map((rating) => () => {
    const { player } = rating;
    return row(
      null,
      rowHead('players', playerMark(player, kinds)),
      cell('Rating', null, measuredPoints(rating.rating, rating.low, rating.high, reach, at('decided', { player }))),
      cell('n', null, numberLink(String(rating.n), rating.n ? at('decided', { player }) : null)),
      cell('Won', null, numberLink(String(rating.wins), rating.wins ? at('won', { player }) : null)),
      ...sides.map((side) => cell(`As ${side}`, null, sideRecord(rating.won[side], player, side, at))),
    );
  });
  const rows = body(
    ...own.map((rating) =>
      row(
        'people',
        rowHead('players', ownMark()),
        cell('Rating', null, measuredPoints(rating.rating, rating.low, rating.high, reach, null)),
        cell('n', null, String(rating.n)),
        ...['Won', ...sides.map((side) => `As ${side}`)].map((label) => cell(label, null, DASH)),
      ),
    ),
  );
  return ratingSection(
    entry,
    titles,
    [
      numberLink(`${entry.n} episodes`, entry.n ? at('decided') : null),
      ' decided. 400 points are odds of ten to one, 0 is the average player; the strength of the sides is taken out.',
      ...leftOut(entry, at),
    ],
    !entry.connected &&
      el(
        'p',
        { class: 'problem' },
        'Some players never met, not even through others: their ratings cannot be compared.',
      ),
    table(
      'ratings',
      `Ratings, ${entry.game}/${entry.variant}`,
      ['Player', 'Rating', 'n', 'Won', ...sides.map((side) => `As ${side}`)],
      rows,
    ),
    appendLazily(rows, lines),
    entry.sides.length
      ? hint('Sides, in points: ', ...joined(entry.sides.map((side) => sideStrength(side, at))), '.')
      : null,
  );
}

const sideStrength = ({ side, strength, low, high }, at) => [
  `${side} `,
  numberLink(formatSigned(strength, 0), at('won', { side })),
  ` [${formatSigned(low, 0)}, ${formatSigned(high, 0)}]`,
];

function sideRecord(won, player, side, at) {
  if (!won) return DASH;
  const part = { player, side };
  return measured(
    [
      numberLink(String(won.wins), won.wins ? at('won', part) : null, `${won.wins} won`),
      ' of ',
      numberLink(String(won.n), at('decided', part), `${won.n} games as ${side}`),
    ],
    `, ${won.rate.toFixed(0)} % [${won.rate_low.toFixed(0)}, ${won.rate_high.toFixed(0)}]`,
    intervalBar(won.rate_low, won.rate, won.rate_high),
  );
}
