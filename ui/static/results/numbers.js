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

/** Strings or nodes with a separator between each two. */
export const joined = (parts, separator = ', ') => parts.flatMap((part, i) => (i ? [separator, part] : [part]).flat());

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

/** An address: the name, its parameters smaller, marked by its kind. */
export function playerMark(address, kinds) {
  const [name, parameters] = address.split(/\?(.*)/s);
  const kind = kinds[address] ?? 'program';
  return el(
    'span',
    { class: `player ${kind}` },
    el('span', { class: 'name' }, name),
    parameters && el('span', { class: 'parameters' }, ` ?${parameters}`),
    kind !== 'program' && name !== kind && el('span', { class: `badge kind ${kind}` }, kind),
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

/** An episode by its instance, as a link to its page. */
export function episodeLink({ episode, game, variant, experiment, instance }) {
  const name = instance ?? episode;
  const part = [game, variant, experiment].filter(Boolean).join('/');
  const words = name.startsWith(`${game}/`) ? name : `${part} · ${name}`;
  return el('a', { class: 'instance', href: `/e/${encodeURIComponent(episode)}` }, words);
}

/** A moment, given in milliseconds. */
export function timeNode(ms) {
  const date = new Date(ms);
  const words = date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  return el('time', { class: 'meta', datetime: date.toISOString() }, words);
}

/** What games, variants and experiments are called, and in which order they stand. */
export class Titles {
  #entries = new Map(); // by path

  constructor(games) {
    const add = (title, ...path) => this.#entries.set(path.join('/'), { title, at: this.#entries.size });
    for (const { name: game, title, variants } of games) {
      add(title, game);
      for (const { name: variant, title, experiments } of variants) {
        add(title, game, variant);
        for (const [experiment, title] of Object.entries(experiments)) add(title, game, variant, experiment);
      }
    }
  }

  #order = (...path) => this.#entries.get(path.join('/'))?.at ?? Number.MAX_SAFE_INTEGER;
  game = (game) => this.#entries.get(game)?.title ?? game;
  variant = (game, variant) => this.#entries.get(`${game}/${variant}`)?.title ?? variant;
  experiment = ({ game, variant, experiment }) => this.#entries.get(`${game}/${variant}/${experiment}`)?.title ?? null;

  /** The position of a row's experiment. Rows over all experiments come last in their variant. */
  place = ({ game, variant, experiment }) => this.#order(game, variant, experiment);

  compare(entry, other) {
    const byGame = this.#order(entry.game) - this.#order(other.game);
    return byGame || this.#order(entry.game, entry.variant) - this.#order(other.game, other.variant);
  }
}
