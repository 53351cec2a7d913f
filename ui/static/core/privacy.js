// What a browser may decide about its own games: a quiet control to publish one, and the small print with its code and a
// way to remove all of them. What it says comes from /api/publish and /api/me; the server decides who has a say.
import { api, askToConfirm, copyButton, el } from '/web/core/dom.js';

const PUBLISHING_HELP =
  'Published, it can be read, replayed and downloaded by everybody who opens this server, word for word. It counts in the results they see and goes along with exports. No name stands in it; what was written does. You can take it back here; copies that others have made stay with them.';

const PUBLISHING_QUESTION = {
  title: 'Publish this game?',
  text: PUBLISHING_HELP,
  yes: 'Publish',
  no: 'Keep it private',
  isHarmless: true,
};

const countGames = (number) => (number === 1 ? '1 game' : `${number} games`);

/**
 * Who can see a finished game, and a button for those who may change that; `query` is "episode=…" or "seat=…". Resolves
 * to null where only programs played, or where nothing can be said.
 */
export async function publishingControl(query) {
  const target = Object.fromEntries(new URLSearchParams(query));
  let status = await api(`/api/publish?${query}`).catch(() => null);
  if (!status?.people || !(status.say || status.published)) return null;
  const words = el('p', { role: 'status' });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button' });
  const help = el(
    'details',
    {},
    el('summary', {}, 'What publishing means'),
    el('p', { class: 'hint' }, PUBLISHING_HELP),
    target.episode &&
      el(
        'p',
        {},
        el('a', { href: `/watch?episode=${encodeURIComponent(target.episode)}&step=0` }, 'See what others will see'),
      ),
  );
  const paint = () => {
    words.textContent = visibilityText(status);
    button.textContent = status.given ? 'Take it back' : 'Publish this game';
    help.hidden = status.given;
  };
  button.addEventListener('click', async () => {
    if (!status.given && !(await askToConfirm(PUBLISHING_QUESTION))) return;
    button.disabled = true;
    problem.textContent = '';
    try {
      status = await api('/api/publish', { ...target, published: !status.given });
      paint();
    } catch (error) {
      problem.textContent = error.message;
    }
    button.disabled = false;
  });
  paint();
  return el(
    'div',
    { class: 'publishing' },
    el('h3', {}, 'Who can see this game'),
    words,
    status.say && help,
    status.say && el('div', { class: 'row' }, button),
    problem,
  );
}

/** How things stand with a game, said to this browser. */
function visibilityText({ published, owner, given, seats, missing }) {
  const others = seats - (owner ? 0 : 1);
  if (published)
    return missing > 0
      ? `Published by whoever runs this server${owner ? ': you' : ''}. Everybody who opens this server can see it.`
      : 'Published. Everybody who opens this server can see it.';
  const audience = owner
    ? 'Those who played it and you, who run this server.'
    : `You${others > 0 ? `, ${others === 1 ? 'the other person' : `the ${others} others`} who played` : ''}, whoever opened the table or was given its link to watch, and whoever runs this server.`;
  if (owner) return `${audience} You publish it for everybody who played.`;
  if (given)
    return `${audience} You have agreed to publish it; ${missing === 1 ? 'one person has' : `${missing} people have`} not yet.`;
  return others > 0 ? `${audience} It is published once everybody who played agrees.` : audience;
}

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
      `${identity.shared} of them ${identity.shared === 1 ? 'was' : 'were'} played with other people, who lose ${identity.shared === 1 ? 'it' : 'them'} too.`,
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
