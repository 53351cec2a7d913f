// What only whoever opened the table sees: links for the other seats and for spectators, another player for a seat,
// "ask again" when a player could not answer. The server decides who that is; anybody else gets nothing here.
import { api, copyButton, el } from '/web/dom.js';
import { SEATING } from '/web/words.js';

/** Draw into `place`; resolves to {missing, again}, or to null for those who did not open the table. */
export async function hosting(place, seat, others) {
  const ask = () => api(`/api/invitations?seat=${encodeURIComponent(seat)}`);
  let links = await ask().catch(() => ({}));
  if (!links.spectators) return null;
  const seats = el('div', { class: 'links' });
  const draw = () =>
    seats.replaceChildren(
      ...Object.entries(links.invitations ?? {}).map(([name, path]) =>
        link(`Invite somebody to seat ${name}`, 'Whoever opens this link takes the seat.', path),
      ),
    );
  draw();
  place.replaceChildren(
    seats,
    links.spectators
      ? link(
          'Let somebody watch',
          'Whoever opens this link sees both sides. Do not open it yourself: players may not watch.',
          links.spectators,
        )
      : '',
    ...others.map((other) =>
      handOver(seat, other, async () => {
        links = await ask();
        draw();
      }),
    ),
  );
  return {
    /** Open the first invitation while nobody has come. */
    missing: (nobody) => seats.querySelector('details')?.toggleAttribute('open', nobody),
    /** A button that asks a player again who could not answer. */
    again() {
      const button = el('button', { type: 'button', class: 'quiet' }, 'Ask again');
      button.addEventListener('click', async () => {
        button.disabled = true;
        try {
          await api('/api/retry', { seat });
        } catch (error) {
          button.textContent = error.message;
        }
      });
      return button;
    },
  };
}

function link(title, hint, path) {
  const address = new URL(path, location.origin).href;
  const box = el('input', { type: 'text', readonly: true, value: address, 'aria-label': 'Link' });
  box.addEventListener('focus', () => box.select());
  const copy = copyButton('Copy link', () => address, { class: 'button' });
  const body = el('div', {}, el('p', { class: 'hint' }, hint), el('div', { class: 'row' }, box, copy));
  const details = el('details', { class: 'invitation' }, el('summary', {}, title), body);
  // The QR code is fetched when it is first looked at.
  details.addEventListener('toggle', () => {
    if (!details.open || details.querySelector('img')) return;
    const src = `/api/qr?text=${encodeURIComponent(path)}`;
    body.append(el('img', { class: 'qr', src, alt: 'QR code of this link', width: 160, height: 160 }));
    if (/^(localhost|127\.|\[::1\])/.test(location.hostname)) {
      const words =
        'This server listens on this computer only; for a phone or another computer start it with --host 0.0.0.0.';
      body.append(el('p', { class: 'hint' }, words));
    }
  });
  return details;
}

function handOver(seat, other, changed) {
  const id = `hand-over-${other}`;
  const choices = Object.entries(SEATING).filter(([player]) => ['invite', 'scripted', 'random'].includes(player));
  const select = el(
    'select',
    { id },
    choices.map(([value, label]) => el('option', { value }, label)),
  );
  const said = el('p', { class: 'hint', role: 'status' });
  const button = el('button', { type: 'button', class: 'button' }, 'Seat');
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await api('/api/seat', { seat, which: other, player: select.value });
      await changed();
      said.textContent = `Seat ${other} is taken over. Earlier links to it no longer work.`;
    } catch (error) {
      said.textContent = error.message;
    }
    button.disabled = false;
  });
  return el(
    'details',
    { class: 'invitation' },
    el('summary', {}, `Seat somebody else at ${other}`),
    el(
      'div',
      {},
      el('label', { for: id }, `Who goes on at seat ${other}?`),
      el('div', { class: 'row' }, select, button),
      el('p', { class: 'hint' }, 'They get the whole conversation of the seat. Such games are listed as mixed.'),
      said,
    ),
  );
}
