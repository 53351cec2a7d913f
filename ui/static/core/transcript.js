// The lines of a transcript, both sides at once: whose they are, what was said, what is private, what a reply took.
// Used by the watch page and by the episode's page.
import { face, seatName } from '/web/core/company.js';
import { el, said } from '/web/core/dom.js';

export const MANY = 2;
/** Whether a line is more than what the game master says to one seat. */
export const essential = (line) => !['ask', 'tell', 'note'].includes(line.kind) || line.seats?.length > MANY;

/** What was told to several is one line, what only passes on words is none: they stand where they were said. */
export function gathered(lines) {
  const told = ({ parts, pictures }) => JSON.stringify([parts, pictures]);
  const made = [];
  for (const line of lines) {
    if (line.kind === 'tell' && line.parts?.every((part) => part.quote !== undefined)) continue;
    const last = made.at(-1);
    const same = line.kind === 'tell' && last?.kind === 'tell' && told(last) === told(line);
    if (same) made[made.length - 1] = { ...last, seats: [...last.seats, line.seat] };
    else made.push(line.kind === 'tell' ? { ...line, seats: [line.seat] } : line);
  }
  return made;
}

function audience({ seat, seats = [seat] }, order) {
  if (seat === null || seat === undefined || (seats.length > 1 && seats.length === order.length)) return 'all';
  return seats.length > 1 && seats.length >= order.length - 1
    ? `all but ${order.filter((other) => !seats.includes(other)).map(seatName)}`
    : seats.map((each) => (order.length > MANY ? seatName(each) : each)).join(', ');
}

/** A line as an item of a list. `spoken` draws what the game master said, `more` gives what a page adds to a line. */
export function drawLine(line, order, { spoken = named, more = () => null } = {}) {
  const many = order.length > MANY;
  const side = line.seat && !many ? `seat-${order.indexOf(line.seat)}` : 'table';
  if (line.kind === 'reasoning') {
    const title = el(
      'summary',
      {},
      `${line.seat} thought`,
      el('span', { class: 'only' }, ' · private, spectators only'),
    );
    return el('li', { class: `bubble reasoning ${side}` }, el('details', {}, title, said(line.text ?? '')));
  }
  if (line.kind === 'reply') {
    return el(
      'li',
      { class: `bubble reply ${side}${line.private ? ' private' : ''}${many ? ' faced' : ''}` },
      many && face(line.seat, order.toSorted()),
      el(
        'p',
        { class: 'who' },
        many ? seatName(line.seat) : line.seat,
        line.label ? ` · ${line.label}` : '',
        line.private && el('span', { class: 'only' }, ' · private'),
      ),
      said(line.text ?? ''),
      line.used && el('p', { class: 'used' }, used(line.used)),
      more(line),
    );
  }
  if (line.kind === 'ask' || line.kind === 'tell') {
    return el(
      'li',
      { class: `bubble gm ${side}` },
      el('p', { class: 'who' }, `Game master to ${audience(line, order)}`),
      spoken(line),
      more(line),
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
    said(line.text ?? ''),
    more(line),
  );
}

/** Seconds as they are said: "1.2 s", "75 s". */
export const seconds = (took) => `${took < 10 ? took.toFixed(1) : Math.round(took)} s`;

/** A sum of money: "$0.0021", "$1.20". */
export const dollars = (cost) => `$${cost < 1 ? cost.toPrecision(2) : cost.toFixed(2)}`;

/** What a model's reply took: "gpt-x · 1.2 s · 812 → 40 tokens · $0.0021 · 2 attempts". */
function used({ model, seconds: took, tokens_in: put, tokens_out: got, cost, attempts, finish, cached }) {
  const tokens = [put, got].map((count) => (count === undefined ? '?' : count.toLocaleString('en')));
  return [
    model,
    cached ? 'from the cache' : took !== undefined && seconds(took),
    (put ?? got) !== undefined && `${tokens.join(' → ')} tokens`,
    cost !== undefined && !cached && dollars(cost),
    attempts > 1 && `${attempts} attempts`,
    finish === 'length' && 'cut off at its limit',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What the game master said: words in full; relayed words and pinned exhibits only named, they stand elsewhere. */
function named(line) {
  if (!line.parts) return said(line.text ?? '');
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
      return said(part.text ?? '');
    }),
  );
}
