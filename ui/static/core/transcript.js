// The lines of a transcript, both sides at once: whose they are, what was said, what is private, what a reply took.
// Used by the watch page and by the episode's page.
import { seatBadge, seatName } from '/web/core/company.js';
import { el, messageText } from '/web/core/dom.js';

export const MANY = 2;
/** Whether a line is more than what the game master says to one seat. */
export const isEssential = (line) => !['ask', 'tell', 'note'].includes(line.kind) || line.seats?.length > MANY;

/** Merge equal messages to several seats into one line, and drop messages that only relay another player's words. */
export function mergeLines(lines) {
  const contentKey = ({ parts, pictures }) => JSON.stringify([parts, pictures]);
  const merged = [];
  for (const line of lines) {
    if (line.kind === 'tell' && line.parts?.every((part) => part.quote !== undefined)) continue;
    const last = merged.at(-1);
    const isRepeated = line.kind === 'tell' && last?.kind === 'tell' && contentKey(last) === contentKey(line);
    if (isRepeated) merged[merged.length - 1] = { ...last, seats: [...last.seats, line.seat] };
    else merged.push(line.kind === 'tell' ? { ...line, seats: [line.seat] } : line);
  }
  return merged;
}

export function audience({ seat, seats = [seat] }, seatOrder) {
  if (seat === null || seat === undefined || (seats.length > 1 && seats.length === seatOrder.length)) return 'all';
  return seats.length > 1 && seats.length >= seatOrder.length - 1
    ? `all but ${seatOrder.filter((other) => !seats.includes(other)).map(seatName)}`
    : seats.map((other) => (seatOrder.length > MANY ? seatName(other) : other)).join(', ');
}

/** A line as an item of a list. `spoken` draws what the game master said, `more` gives what a page adds to a line. */
export function drawLine(
  line,
  seatOrder,
  { spoken: drawSpoken = partSummary, more: drawExtra = (_line) => null } = {},
) {
  const isManySeats = seatOrder.length > MANY;
  const side = line.seat && !isManySeats ? `seat-${seatOrder.indexOf(line.seat)}` : 'table';
  if (line.kind === 'reasoning') {
    const title = el(
      'summary',
      {},
      `${line.seat} thought`,
      el('span', { class: 'only' }, ' · private, spectators only'),
    );
    return el('li', { class: `bubble reasoning ${side}` }, el('details', {}, title, messageText(line.text ?? '')));
  }
  if (line.kind === 'reply') {
    return el(
      'li',
      { class: `bubble reply ${side}${line.private ? ' private' : ''}${isManySeats ? ' faced' : ''}` },
      isManySeats && seatBadge(line.seat, seatOrder.toSorted()),
      el(
        'p',
        { class: 'who' },
        isManySeats ? seatName(line.seat) : line.seat,
        line.label ? ` · ${line.label}` : '',
        line.private && el('span', { class: 'only' }, ' · private'),
      ),
      messageText(line.text ?? ''),
      line.used && el('p', { class: 'used' }, usageText(line.used)),
      drawExtra(line),
    );
  }
  if (line.kind === 'ask' || line.kind === 'tell') {
    return el(
      'li',
      { class: `bubble gm ${side}` },
      el('p', { class: 'who' }, `Game master to ${audience(line, seatOrder)}`),
      drawSpoken(line),
      drawExtra(line),
    );
  }
  const words =
    line.label ??
    { violation: 'Not accepted', fault: 'Stalled', seat: 'Seat', note: 'Note', outcome: 'Outcome' }[line.kind] ??
    line.kind;
  return el(
    'li',
    { class: `bubble mark ${line.kind} ${side}` },
    el('p', { class: 'who' }, line.seat ? `${words} · ${line.seat}` : words),
    messageText(line.text ?? ''),
    drawExtra(line),
  );
}

/** Seconds as they are said: "1.2 s", "75 s". */
export const formatSeconds = (duration) => `${duration < 10 ? duration.toFixed(1) : Math.round(duration)} s`;

/** A sum of money: "$0.0021", "$1.20". */
export const formatDollars = (cost) => `$${cost < 1 ? cost.toPrecision(2) : cost.toFixed(2)}`;

/** What a model's reply took: "gpt-x · 1.2 s · 812 → 40 tokens · $0.0021 · 2 attempts". */
export function usageText({
  model,
  seconds: duration,
  tokens_in: tokensIn,
  tokens_out: tokensOut,
  cost,
  attempts,
  finish,
  cached,
}) {
  const tokens = [tokensIn, tokensOut].map((count) => (count === undefined ? '?' : count.toLocaleString('en')));
  return [
    model,
    cached ? 'from the cache' : duration !== undefined && formatSeconds(duration),
    (tokensIn ?? tokensOut) !== undefined && `${tokens.join(' → ')} tokens`,
    cost !== undefined && !cached && formatDollars(cost),
    attempts > 1 && `${attempts} attempts`,
    finish === 'length' && 'cut off at its limit',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What the game master said: words in full; relayed words and pinned exhibits only named, they stand elsewhere. */
function partSummary(line) {
  if (!line.parts) return messageText(line.text ?? '');
  return el(
    'div',
    { class: 'parts' },
    line.parts.map((part) => {
      if (part.quote !== undefined)
        return el(
          'p',
          { class: 'chip' },
          `passes on ${part.by ? `${part.by}’s` : 'the'} ${(part.label ?? 'words').toLowerCase()}`,
        );
      if (part.exhibit !== undefined)
        return el('p', { class: 'chip' }, `shows ${(part.title ?? 'something').replace(/^your /i, `${line.seat}’s `)}`);
      return messageText(part.text ?? '');
    }),
  );
}
