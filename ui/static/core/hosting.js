// What only whoever opened the table sees: links for the other seats and for spectators, another player for a seat,
// what to do when a player could not answer. The server decides who that is; anybody else gets nothing here.
import { api, confirmed, copyButton, el } from '/web/core/dom.js';
import { playerChooser } from '/web/core/player_chooser.js';

/** What to know about links where only this computer can reach the server, else null. */
export const local = /^(localhost|127\.|\[::1\])/.test(location.hostname)
  ? 'This server listens on this computer only; for a phone or another computer start it with --host 0.0.0.0.'
  : null;

/**
 * `at` says where somebody hosts from: {seat} when they play themselves, {episode} when they only look on. Resolves to
 * {links, rest, missing, waysOut}, or to null for those who did not open the table.
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
    const next = absent.length > 2 ? absent.slice(0, 1) : absent; // one code at a time where many are missing
    for (const details of links.children) details.open = next.includes(details.dataset.seat);
    if (!playing) for (const details of watching.children) details.open = absent.length > 0;
  }

  draw(found);
  const changed = async () => draw(await ask());
  const offer = {
    people: ['invite'],
    programs: ['scripted', 'random'],
    models: found.models,
    addresses: found.addresses,
  };
  return {
    links,
    rest: [watching, ...handOvers(at, others, offer, changed), ...(playing ? [] : [end(at)])],
    /** Tell which seats nobody has come to yet. */
    missing(seats) {
      if (String(seats) === String(absent)) return;
      absent = seats;
      unfold();
    },
    /** What to do about a player who could not answer; `able` says whether another can be seated and the game ended. */
    waysOut: (able) => waysOut(at, able ? offer : null, changed),
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

/** A fold a seat; where there are many, all in one. */
function handOvers(at, others, offer, changed) {
  const each = others.map((other) => handOver(at, other, offer, changed));
  if (each.length < 3) return each;
  return [
    el(
      'details',
      { class: 'invitation many' },
      el('summary', {}, 'Seat somebody else'),
      el('div', { class: 'links' }, each),
    ),
  ];
}

function handOver(at, other, offer, changed) {
  return el(
    'details',
    { class: 'invitation' },
    el('summary', {}, `Seat somebody else at ${other}`),
    replacement(at, other, `Who goes on at seat ${other}?`, offer, changed),
  );
}

/** Choose another player for a seat, for the one that cannot answer where none is named, and seat them. */
function replacement(at, which, label, offer, changed) {
  const value = which ? 'invite' : 'scripted'; // where the game waits, the one who goes on at once
  const player = playerChooser({ ...offer, id: `hand-over-${which ?? 'silent'}`, label, value });
  const said = el('p', { class: 'hint', role: 'status' });
  const button = el('button', { type: 'button', class: 'button' }, 'Seat');
  button.addEventListener('click', async () => {
    said.textContent = player.missing() ?? '';
    if (said.textContent) return;
    button.disabled = true;
    try {
      await api('/api/seat', { ...at, ...(which && { which }), player: player.value });
      await changed();
      said.textContent = 'Seated. Earlier links to the seat no longer work.';
    } catch (error) {
      said.textContent = [error.message, error.why].filter(Boolean).join('. ');
    }
    button.disabled = false;
  });
  const hint = 'They get the whole conversation of the seat. Such games are listed as mixed.';
  return el('div', { class: 'replacement' }, player.node, button, el('p', { class: 'hint' }, hint), said);
}

function waysOut(at, offer, changed) {
  const said = el('p', { class: 'hint', role: 'status' });
  const again = el('button', { type: 'button', class: 'button primary' }, 'Try again');
  again.addEventListener('click', async () => {
    again.disabled = true;
    said.textContent = 'Asking again …';
    try {
      await api('/api/retry', at);
    } catch (error) {
      said.textContent = [error.message, error.why].filter(Boolean).join('. ');
    }
    setTimeout(() => {
      again.disabled = false; // still here: it failed again, or nobody answers
      if (said.textContent.endsWith('…')) said.textContent = '';
    }, 1500);
  });
  if (!offer) return el('div', { class: 'waysout' }, el('div', { class: 'row' }, again), said);
  const other = replacement(at, null, 'Who goes on at that seat?', offer, changed);
  other.hidden = true;
  const hand = el(
    'button',
    { type: 'button', class: 'button', 'aria-expanded': 'false' },
    'Hand the seat to another player',
  );
  hand.addEventListener('click', () => {
    other.hidden = !other.hidden;
    hand.setAttribute('aria-expanded', String(!other.hidden));
    if (!other.hidden) other.querySelector('select').focus();
  });
  return el('div', { class: 'waysout' }, el('div', { class: 'row' }, again, hand, end(at, 'End here')), said, other);
}

function end(at, label = 'End this game') {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button danger-quiet' }, label);
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
