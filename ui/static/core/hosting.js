// What only the host sees, the person who opened the table: links for the other seats and for spectators, another
// player for a seat, what to do when a player could not answer. The server decides who is the host.
import { api, askToConfirm, copyButton, el } from '/web/core/dom.js';
import { playerChooser } from '/web/core/player_chooser.js';

/** What to know about links where only this computer can reach the server, else null. */
export const localServerHint = /^(localhost|127\.|\[::1\])/.test(location.hostname)
  ? 'This server listens on this computer only; for a phone or another computer start it with --host 0.0.0.0.'
  : null;

/**
 * `host` is {seat} for a host who plays and {episode} for one who only watches. Resolves to
 * {links, rest, missing, waysOut}, or to null for anybody else.
 */
export async function loadHostControls(host, others) {
  const [[idName, id]] = Object.entries(host);
  const playing = idName === 'seat';
  const ask = () => api(`/api/invitations?${idName}=${encodeURIComponent(id)}`);
  const invited = await ask().catch(() => null);
  if (!invited || (playing && !invited.spectators)) return null;
  const links = el('div', { class: 'links' });
  const watching = el('div', { class: 'links' });
  /** @type {string[]} */
  let absent = [];

  function draw({ invitations = {}, spectators }) {
    links.replaceChildren(
      ...Object.entries(invitations).map(([seat, path]) =>
        linkDetails(
          `Invite somebody to seat ${seat}`,
          playing
            ? 'The first browser that opens this link plays this seat. Do not open it yourself.'
            : 'The first browser that opens this link plays this seat. This one cannot: it sees both sides.',
          path,
          seat,
        ),
      ),
    );
    watching.replaceChildren(
      ...(spectators
        ? [
            linkDetails(
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

  /** Links are open while a player is missing: that of the seat, and for a host who only watches the spectators' too. */
  function unfold() {
    const next = absent.length > 2 ? absent.slice(0, 1) : absent; // one code at a time where many are missing
    for (const details of links.children) details.open = next.includes(details.dataset.seat);
    if (!playing) for (const details of watching.children) details.open = absent.length > 0;
  }

  draw(invited);
  const refresh = async () => draw(await ask());
  const choices = {
    people: ['invite'],
    programs: ['scripted', 'random'],
    models: invited.models,
    addresses: invited.addresses,
  };
  return {
    links,
    rest: [watching, ...handOverFolds(host, others, choices, refresh), ...(playing ? [] : [endButton(host)])],
    /** Tell which seats nobody has come to yet. */
    missing(seats) {
      if (String(seats) === String(absent)) return;
      absent = seats;
      unfold();
    },
    /** What to do about a player who could not answer; `able` says whether another can be seated and the game ended. */
    waysOut: (able) => recoveryOptions(host, able ? choices : null, refresh),
  };
}

/** The link of one's own seat, fetched when it is first looked at. */
export function ownLinkDetails(seat) {
  const summary = 'Go on at another device';
  const details = el('details', { class: 'invitation' }, el('summary', {}, summary));
  details.addEventListener('toggle', async () => {
    if (!details.open || details.children.length > 1) return;
    const hint =
      'Open this link on the other device. This page then asks whether to let it in; you keep your seat here, too.';
    try {
      const { own } = await api(`/api/invitations?seat=${encodeURIComponent(seat)}`);
      const loaded = linkDetails(summary, hint, own);
      details.append(...[...loaded.children].slice(1));
      showCode(details, summary, own);
    } catch (error) {
      details.append(el('p', { class: 'problem', role: 'alert' }, error.message));
    }
  });
  return details;
}

function linkDetails(title, hint, path, seat = /** @type {string | null} */ (null)) {
  const address = new URL(path, location.origin).href;
  const box = el('input', { type: 'text', readonly: true, value: address, 'aria-label': 'Link' });
  box.addEventListener('focus', () => box.select());
  const copy = copyButton('Copy link', () => address, { class: 'button' });
  const body = el('div', {}, el('p', { class: 'hint' }, hint), el('div', { class: 'row' }, box, copy));
  const details = el('details', { class: 'invitation', 'data-seat': seat }, el('summary', {}, title), body);
  // The QR code is fetched when it is first looked at.
  details.addEventListener('toggle', () => details.open && showCode(details, title, path));
  return details;
}

/** Add the QR code of a link to its fold, once. */
function showCode(details, title, path) {
  if (details.querySelector('img')) return;
  const src = `/api/qr?text=${encodeURIComponent(path)}`;
  const body = details.lastElementChild;
  body.append(el('img', { class: 'qr', src, alt: `QR code: ${title}`, width: 160, height: 160 }));
  if (localServerHint) body.append(el('p', { class: 'hint local' }, localServerHint));
}

/** A fold a seat; where there are many, all in one. */
function handOverFolds(host, others, choices, refresh) {
  const each = others.map((other) => handOverFold(host, other, choices, refresh));
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

function handOverFold(host, other, choices, refresh) {
  return el(
    'details',
    { class: 'invitation' },
    el('summary', {}, `Seat somebody else at ${other}`),
    replacementForm(host, other, `Who goes on at seat ${other}?`, choices, refresh),
  );
}

/** Choose another player for a seat, for the one that cannot answer where none is named, and seat them. */
function replacementForm(host, silentSeat, label, choices, refresh) {
  const value = silentSeat ? 'invite' : 'scripted'; // where the game waits, the one who goes on at once
  const player = playerChooser({ ...choices, id: `hand-over-${silentSeat ?? 'silent'}`, label, value });
  const message = el('p', { class: 'hint', role: 'status' });
  const button = el('button', { type: 'button', class: 'button' }, 'Seat');
  button.addEventListener('click', async () => {
    message.textContent = player.missing() ?? '';
    if (message.textContent) return;
    button.disabled = true;
    try {
      await api('/api/seat', { ...host, ...(silentSeat && { which: silentSeat }), player: player.value });
      await refresh();
      message.textContent = 'Seated. Earlier links to the seat no longer work.';
    } catch (error) {
      message.textContent = [error.message, error.why].filter(Boolean).join('. ');
    }
    button.disabled = false;
  });
  const hint = 'They get the whole conversation of the seat. Such games are listed as mixed.';
  return el('div', { class: 'replacement' }, player.node, button, el('p', { class: 'hint' }, hint), message);
}

function recoveryOptions(host, choices, refresh) {
  const message = el('p', { class: 'hint', role: 'status' });
  const again = el('button', { type: 'button', class: 'button primary' }, 'Try again');
  again.addEventListener('click', async () => {
    again.disabled = true;
    message.textContent = 'Asking again …';
    try {
      await api('/api/retry', host);
    } catch (error) {
      message.textContent = [error.message, error.why].filter(Boolean).join('. ');
    }
    setTimeout(() => {
      again.disabled = false; // still here: it failed again, or nobody answers
      if (message.textContent.endsWith('…')) message.textContent = '';
    }, 1500);
  });
  if (!choices) return el('div', { class: 'waysout' }, el('div', { class: 'row' }, again), message);
  const other = replacementForm(host, null, 'Who goes on at that seat?', choices, refresh);
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
  return el(
    'div',
    { class: 'waysout' },
    el('div', { class: 'row' }, again, hand, endButton(host, 'End here')),
    message,
    other,
  );
}

function endButton(host, label = 'End this game') {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button danger-quiet' }, label);
  button.addEventListener('click', async () => {
    const yes = await askToConfirm({
      title: 'End this game?',
      text: 'It ends here for everybody at the table and counts as abandoned.',
      yes: 'End the game',
      no: 'Let it go on',
    });
    if (!yes) return;
    try {
      await api('/api/end', host);
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  return el('div', {}, button, problem);
}
