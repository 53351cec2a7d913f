// What only whoever opened the table sees: links for the other seats and for spectators, another player for a seat,
// "ask again" when a player could not answer. The server decides who that is; anybody else gets nothing here.
import { api, confirmed, copyButton, el } from '/web/dom.js';
import { SEATING } from '/web/words.js';

/** What to know about links where only this computer can reach the server, else null. */
export const local = /^(localhost|127\.|\[::1\])/.test(location.hostname)
  ? 'This server listens on this computer only; for a phone or another computer start it with --host 0.0.0.0.'
  : null;

/**
 * `at` says where somebody hosts from: {seat} when they play themselves, {episode} when they only look on. Resolves to
 * {links, rest, missing, again}, or to null for those who did not open the table.
 */
export async function hosting(at, others) {
  const [[where, id]] = Object.entries(at);
  const playing = where === 'seat';
  const ask = () => api(`/api/invitations?${where}=${encodeURIComponent(id)}`);
  const found = await ask().catch(() => null);
  if (!found || (playing && !found.spectators)) return null;
  const links = el('div', { class: 'links' });
  const watching = el('div', { class: 'links' });
  let absent = [];

  function draw({ invitations = {}, spectators }) {
    links.replaceChildren(
      ...Object.entries(invitations).map(([seat, path]) =>
        link(
          `Invite somebody to seat ${seat}`,
          playing
            ? 'Whoever opens this link can play this seat.'
            : 'Whoever opens this link can play this seat. This browser cannot: it sees both sides.',
          path,
          seat,
        ),
      ),
    );
    watching.replaceChildren(
      ...(spectators
        ? [
            link(
              'Let somebody watch',
              playing
                ? 'Whoever opens this link sees both sides. Do not open it yourself: players may not watch.'
                : 'Whoever opens this link sees both sides.',
              spectators,
            ),
          ]
        : []),
    );
    unfold();
  }

  /** Links are open while somebody is missing: that of the seat, and for a host who looks on also the spectators'. */
  function unfold() {
    for (const details of links.children) details.open = absent.includes(details.dataset.seat);
    if (!playing) for (const details of watching.children) details.open = absent.length > 0;
  }

  draw(found);
  const changed = async () => draw(await ask());
  return {
    links,
    rest: [watching, ...others.map((other) => handOver(at, other, changed)), ...(playing ? [] : [end(at)])],
    /** Tell which seats nobody has come to yet. */
    missing(seats) {
      if (String(seats) === String(absent)) return;
      absent = seats;
      unfold();
    },
    /** A button that asks a player again who could not answer. */
    again() {
      const button = el('button', { type: 'button', class: 'quiet' }, 'Ask again');
      button.addEventListener('click', async () => {
        button.disabled = true;
        try {
          await api('/api/retry', at);
        } catch (error) {
          button.textContent = error.message;
        }
      });
      return button;
    },
  };
}

function link(title, hint, path, seat = null) {
  const address = new URL(path, location.origin).href;
  const box = el('input', { type: 'text', readonly: true, value: address, 'aria-label': 'Link' });
  box.addEventListener('focus', () => box.select());
  const copy = copyButton('Copy link', () => address, { class: 'button' });
  const body = el('div', {}, el('p', { class: 'hint' }, hint), el('div', { class: 'row' }, box, copy));
  const details = el('details', { class: 'invitation', 'data-seat': seat }, el('summary', {}, title), body);
  // The QR code is fetched when it is first looked at.
  details.addEventListener('toggle', () => {
    if (!details.open || details.querySelector('img')) return;
    const src = `/api/qr?text=${encodeURIComponent(path)}`;
    body.append(el('img', { class: 'qr', src, alt: `QR code: ${title}`, width: 160, height: 160 }));
    if (local) body.append(el('p', { class: 'hint local' }, local));
  });
  return details;
}

function handOver(at, other, changed) {
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
      await api('/api/seat', { ...at, which: other, player: select.value });
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

function end(at) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button danger-quiet' }, 'End this game');
  button.addEventListener('click', async () => {
    const yes = await confirmed({
      title: 'End this game?',
      text: 'It ends here for everybody at the table and counts as abandoned.',
      yes: 'End the game',
      no: 'Let it go on',
    });
    if (!yes) return;
    try {
      await api('/api/end', at);
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  return el('div', {}, button, problem);
}
