// The small print about a browser's own games: its code, and a way to remove all of them. What it says comes from /api/me.
import { api, askToConfirm, copyButton, el } from '/web/core/dom.js';

const countGames = (number) => (number === 1 ? '1 game' : `${number} games`);

/** This browser's code and a button that removes all its games. Loaded when the fold is opened. */
export function privacyDetails() {
  const body = el('div', {});
  const details = el('details', { class: 'own' }, el('summary', {}, 'Your games on this server'), body);
  details.addEventListener('toggle', () => details.open && showIdentity(body));
  return details;
}

async function showIdentity(body, message = '') {
  let identity;
  try {
    identity = await api('/api/me');
  } catch (error) {
    return body.replaceChildren(el('p', { class: 'problem', role: 'alert' }, error.message));
  }
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button danger-quiet' }, 'Remove all my games');
  button.addEventListener('click', () => removeGames(body, identity, button, problem));
  body.replaceChildren(
    el(
      'p',
      {},
      'Your code on this server: ',
      el('code', {}, identity.code),
      ' ',
      copyButton('Copy', () => identity.code),
    ),
    el(
      'p',
      { class: 'hint' },
      `Give this code to the people who run this server to have your games deleted. It is not a password.${identity.owner ? ` They use it with ludens db forget ${identity.code}. This browser has opened the admin link: it sees all games that are over, and may publish them.` : ''}`,
    ),
    identity.owner ? el('p', {}, el('a', { href: '/desk' }, 'Go to the desk of your studies')) : '',
    el(
      'p',
      { role: 'status' },
      message ||
        (identity.games
          ? `You have played ${countGames(identity.games)} in this browser.`
          : 'You have played no game in this browser.'),
    ),
    ...(identity.games > 0
      ? [
          el('p', {}, el('a', { href: '/results?player=person' }, 'See them in the results')),
          el('div', { class: 'row' }, button),
        ]
      : []),
    problem,
  );
}

async function removeGames(body, identity, button, problem) {
  const text = [
    `${countGames(identity.games)} will be removed from this server for good, with every word, score and draft.`,
    identity.shared &&
      `${identity.shared} of them ${identity.shared === 1 ? 'was' : 'were'} played with other people: what they wrote goes, too, and they lose ${identity.shared === 1 ? 'the game' : 'these games'}.`,
    identity.running && `${identity.running} of them ${identity.running === 1 ? 'is' : 'are'} not over.`,
    'What was downloaded, exported or backed up before stays where it is.',
  ];
  const yes = await askToConfirm({
    title: 'Remove all your games?',
    text: text.filter(Boolean).join(' '),
    yes: 'Remove them',
    no: 'Keep them',
  });
  if (!yes) return;
  button.disabled = true;
  try {
    const result = await api('/api/forget', { games: identity.games });
    await showIdentity(body, `${countGames(result.games)} removed.`);
  } catch (error) {
    problem.textContent = error.message;
    button.disabled = false;
  }
}
