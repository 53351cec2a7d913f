// How results are written: numbers with their intervals drawn and said, who played, what games are called, addresses.
import { el } from '/web/core/dom.js';

/** Rows of the server's compact table as objects by column. */
export function expandRows({ columns, values, codes }) {
  return values.map((line) => {
    const row = {};
    columns.forEach((name, at) => (row[name] = name in codes ? codes[name][line[at]] : line[at]));
    return row;
  });
}

export const DASH = '–';
export const formatNumber = (value, digits = 1) =>
  value === null || value === undefined ? DASH : value.toFixed(digits);
export const formatSigned = (value, digits = 1) =>
  (value > 0 ? '+' : value < 0 ? '−' : '') + Math.abs(value).toFixed(digits);

/** The address of this page with some parameters changed; null takes one away, a list gives several. */
export function withParams(params, changes) {
  const newParams = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    newParams.delete(name);
    for (const item of Array.isArray(value) ? value : value ? [value] : []) newParams.append(name, item);
  }
  return newParams.size ? `/results?${newParams}` : '/results';
}

/** The address of the episodes that a number counts. A list gives several parameters, null none. */
export function episodesUrl(filters) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    for (const entry of [value ?? []].flat()) params.append(name, entry);
  return `/results?${params}`;
}

/** A number that leads to its episodes; without `href` the bare number. */
export const numberLink = (text, href, label = /** @type {string | null} */ (null)) =>
  href ? el('a', { class: 'number', href, 'aria-label': label }, text) : el('span', { class: 'number' }, text);

/** A 95 % interval on a scale from `from` to `to`: the band, the estimate, and at `zero` a rule. */
export function intervalBar(low, at, high, from = 0, to = 100, zero = /** @type {number | null} */ (null)) {
  const share = (value) => `${((Math.min(Math.max(value, from), to) - from) / (to - from)) * 100}%`;
  const style =
    `--low:${share(low)};--high:${share(high)};--at:${share(at)}` + (zero === null ? '' : `;--zero:${share(zero)}`);
  return el('span', { class: zero === null ? 'interval' : 'interval around', style, 'aria-hidden': 'true' });
}

/** A number (a node, or several), its interval said and drawn. */
export const measured = (number, bounds = '', bar = null, note = null) =>
  el(
    'span',
    { class: 'measured' },
    el('span', { class: 'said-number' }, number, bounds && el('span', { class: 'bounds' }, bounds), note),
    bar,
  );

/** The mean of a row with its interval. Few people or instances have none. */
export function measuredMean(row, name, href, note = null) {
  const [value, low, high] = [row[name], row[`${name}_low`], row[`${name}_high`]];
  if (value === null || value === undefined) return measured(DASH);
  const number = numberLink(formatNumber(value), href);
  if (low === null || low === undefined) return measured(number, '', null, note);
  return measured(number, ` [${low.toFixed(0)}, ${high.toFixed(0)}]`, intervalBar(low, value, high), note);
}

/** A number on both sides of 0 with its interval, drawn from -reach to reach. */
export function measuredPoints(value, low, high, reach, href, digits = 0) {
  if (value === null) return measured(DASH);
  const number = numberLink(formatSigned(value, digits), href);
  if (low === null) return measured(number);
  const bounds = ` [${formatSigned(low, 0)}, ${formatSigned(high, 0)}]`;
  return measured(number, bounds, intervalBar(low, value, high, -reach, reach, 0));
}

const KIND_LABELS = { person: 'person', model: 'model', program: 'program' };

/** An address: the name, its parameters smaller, marked by its kind. */
export function playerMark(address, kinds) {
  const [name, parameters] = address.split(/\?(.*)/s);
  const kind = kinds[address] ?? 'program';
  return el(
    'span',
    { class: `player ${kind}` },
    el('span', { class: 'name' }, name),
    parameters && el('span', { class: 'parameters' }, ` ?${parameters}`),
    kind !== 'program' && name !== KIND_LABELS[kind] && el('span', { class: `badge kind ${kind}` }, KIND_LABELS[kind]),
  );
}

/** Who sat where: one name where one player sat everywhere, else seat by seat. */
export function seatedPlayers(seats, kinds) {
  const entries = Object.entries(seats);
  if (new Set(entries.map(([, player]) => player)).size === 1)
    return el('span', { class: 'seated' }, playerMark(entries[0][1], kinds));
  return el(
    'span',
    { class: 'seated' },
    entries.map(([seat, player]) =>
      el(
        'span',
        { class: 'at-seat' },
        el('span', { class: 'seat' }, seat.replace(/^\w+:/, '')),
        ' ',
        playerMark(player, kinds),
      ),
    ),
  );
}

/** Who sat where as plain text. */
export function describeSeats(seats) {
  const entries = Object.entries(seats);
  if (new Set(entries.map(([, player]) => player)).size === 1) return entries[0][1];
  return entries.map(([seat, player]) => `${seat.replace(/^\w+:/, '')} ${player}`).join(', ');
}

const CONDITION_FIELDS = ['reprompt', 'game_version', 'prompts', 'study'];
const CONDITION_LABELS = { reprompt: 'reminders', game_version: 'rules', prompts: 'prompts' };

/** For each row in words how it was played, as far as rows of the same game and variant differ in it. */
export function conditionLabels(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = `${row.game}/${row.variant}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  const words = new Map();
  for (const group of groups.values()) {
    const groupsByCondition = new Map(); // settings are few and shared: one object for many rows
    const settings = (row) => ({
      ...row.settings,
      ...Object.fromEntries(CONDITION_FIELDS.map((name) => [name, row[name]])),
    });
    for (const row of group) {
      const key = JSON.stringify([row.settings, ...CONDITION_FIELDS.map((name) => row[name])]);
      if (!groupsByCondition.has(key)) groupsByCondition.set(key, { how: settings(row), rows: [] });
      groupsByCondition.get(key).rows.push(row);
    }
    const kinds = [...groupsByCondition.values()];
    const names = [...new Set(kinds.flatMap((entry) => Object.keys(entry.how)))];
    const differing = names.filter((name) => new Set(kinds.map((entry) => JSON.stringify(entry.how[name]))).size > 1);
    for (const { how: entry, rows: of } of kinds) {
      const text = differing
        .filter((name) => (entry[name] ?? null) !== null && !(name === 'prompts' && entry[name] === 'native 1'))
        .map((name) => `${CONDITION_LABELS[name] ?? name} ${entry[name]}`)
        .join(', ');
      for (const row of of) words.set(row, text);
    }
  }
  return words;
}

/** What games, variants and experiments are called, and in which order they stand. */
export class Titles {
  #games;

  constructor(games) {
    this.#games = new Map(
      games.map((game, at) => [
        game.name,
        { ...game, at, variants: new Map(game.variants.map((entry, place) => [entry.name, { ...entry, place }])) },
      ]),
    );
  }

  game(name) {
    return this.#games.get(name)?.title ?? name;
  }

  variant(game, name) {
    return this.#games.get(game)?.variants.get(name)?.title ?? name;
  }

  experiment(row) {
    return this.#games.get(row.game)?.variants.get(row.variant)?.experiments[row.experiment] ?? null;
  }

  /** The position of a row's experiment in its variant. Rows over all experiments come last. */
  place(row) {
    const names = Object.keys(this.#games.get(row.game)?.variants.get(row.variant)?.experiments ?? {});
    const at = names.indexOf(row.experiment);
    return at < 0 ? names.length : at;
  }

  compare(entry, other) {
    const at = ({ game, variant }) => [
      this.#games.get(game)?.at ?? 99,
      this.#games.get(game)?.variants.get(variant)?.place ?? 99,
    ];
    const [[a, b], [c, d]] = [at(entry), at(other)];
    return a - c || b - d;
  }
}
