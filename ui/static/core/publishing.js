// Who can see a finished game, and publishing it: the page first shows what others will see, and asks. What it says comes from
// /api/publish; the server decides who has a say.
import { api, askToConfirm, el } from '/web/core/dom.js';
import { drawLine, isEssential } from '/web/core/transcript.js';

const PUBLISHING_HELP =
  'Published, it can be read, replayed and downloaded by everybody who opens this server, word for word. It counts in the results they see and goes along with exports. No name stands in it; what was written does. You can take it back here; copies that others have made stay with them.';

/**
 * Who can see a finished game, and a button for those who may change that; `query` is "episode=…" or "seat=…". Resolves
 * to null where only programs played, or where nothing can be said.
 */
export async function publishingControl(query, episode = /** @type {string | null} */ (null)) {
  const target = Object.fromEntries(new URLSearchParams(query));
  let status = await api(`/api/publish?${query}`).catch(() => null);
  if (!status?.people || !(status.say || status.published)) return null;
  const words = el('p', { role: 'status' });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button' });
  const paint = () => {
    words.textContent = visibilityText(status);
    button.textContent = status.given ? 'Take it back' : 'Publish this game';
  };
  button.addEventListener('click', async () => {
    button.disabled = true;
    problem.textContent = '';
    try {
      if (!status.given && !(await isConfirmed(episode))) return;
      status = await api('/api/publish', { ...target, published: !status.given });
      paint();
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
  paint();
  return el(
    'div',
    { class: 'publishing' },
    el('h3', {}, 'Who can see this game'),
    words,
    status.say && el('div', { class: 'row' }, button),
    problem,
  );
}

/** Show what everybody will be able to read, and ask. */
async function isConfirmed(episode) {
  const record = episode ? await api(`/api/record?episode=${encodeURIComponent(episode)}`) : { lines: [], seats: [] };
  const seats = record.seats.map(({ seat }) => seat);
  const lines = record.lines.filter((line) => isEssential(line)).map((line) => drawLine(line, seats));
  return askToConfirm({
    title: 'Publish this game?',
    text: PUBLISHING_HELP,
    yes: 'Publish it',
    no: 'Keep it private',
    isHarmless: true,
    below: lines.length
      ? el('ol', { class: 'lines preview', tabindex: '0', 'aria-label': 'What others will read' }, lines)
      : null,
  });
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
