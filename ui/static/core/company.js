// Who is at the table: a strip of everybody with who is out, whose turn it is, who has gone away, and what the reader
// knows about them. For tables of many seats. Draws what the server sent to this seat; knows no game.
import { el } from '/web/core/dom.js';

/** A seat as it is called on a page: names as they are, "prince" as Prince, letters as "Seat A". */
export const seatName = (seat) => (seat.length < 2 ? `Seat ${seat}` : seat.charAt(0).toUpperCase() + seat.slice(1));

const HUES = [205, 25, 140, 330, 50, 265, 175, 0];

/** The number of a seat's colour, the same on every page of a table. */
const colourIndex = (seat, seats) => Math.max(0, seats.indexOf(seat)) % HUES.length;

/** A round sign with a seat's first letter. */
export const seatBadge = (seat, seats) =>
  el(
    'span',
    { class: 'face', style: `--hue: ${HUES[colourIndex(seat, seats)]}`, 'aria-hidden': 'true' },
    seatName(seat)
      .replace(/^Seat /, '')
      .charAt(0),
  );

/**
 * The strip. `show(state)` draws {company, asked, others, seat, turn, outcome} of a seat's page; without a company it stays away.
 */
export function companyStrip() {
  const list = el('ul', { class: 'company-strip', 'aria-label': 'At the table' });
  const aside = el('p', { class: 'hint', role: 'status' });
  const node = el('div', { class: 'companybox', hidden: true }, list, aside);
  return {
    node,
    show({ company = [], asked = [], others = [], seat, turn, outcome }) {
      node.hidden = company.length === 0;
      const isOut = !outcome && company.some((place) => place.seat === seat && place.state === 'out');
      aside.textContent = isOut ? 'You are out. You hear how it goes on, and nobody asks you any more.' : '';
      aside.hidden = !isOut;
      const seats = [seat, ...others.map((other) => other.seat)].sort();
      const othersBySeat = new Map(others.map((other) => [other.seat, other]));
      list.style.setProperty('--seats', company.length);
      list.replaceChildren(
        ...company.map((place) => {
          const isSelf = place.seat === seat;
          const isNext = !outcome && (isSelf ? turn?.who === 'you' : asked.includes(place.seat));
          const isPlaceOut = place.state === 'out';
          const other = othersBySeat.get(place.seat) ?? {};
          const words = [
            isPlaceOut && 'out',
            isNext && (isSelf ? 'your turn' : 'to speak'),
            !outcome && other.here === false && 'away',
            other.handed && 'played on by a program',
          ].filter(Boolean);
          const classes = [
            isSelf && 'me',
            isNext && 'now',
            isPlaceOut && 'out',
            other.here === false && 'away',
            other.here && 'person',
          ];
          return el(
            'li',
            {
              class: classes.filter(Boolean).join(' '),
              title: [seatName(place.seat), place.note, ...words].filter(Boolean).join(', '),
            },
            seatBadge(place.seat, seats),
            el('span', { class: 'name' }, seatName(place.seat)),
            el('span', { class: 'about' }, isSelf ? 'you' : place.note || ''),
            words.length > 0 && el('span', { class: 'visually-hidden' }, `, ${words.join(', ')}`),
          );
        }),
      );
    },
  };
}
