// One's own games as rows of a list, in a player's words: to continue, resign, look back at, or delete.
import { seatName } from '/web/core/company.js';
import { api, askToConfirm, el, formatAge } from '/web/core/dom.js';

const RESULTS = {
  won: 'You won',
  lost: 'You lost',
  aborted: 'Ended early',
  abandoned: 'Not finished',
  left: 'You left',
  over: 'Over',
};
const PARTNERS = { people: 'with people', programs: 'with programs', program: 'with a program' };

/** The name of a game with its variant. */
export const gameName = (game) =>
  el('span', { class: 'what' }, `${game.title ?? game.game}, ${game.variant_title ?? game.variant}`);

/** Rows of {mine, opened, played}: my turn first, then open games, then those that ended; at most `limit`. */
export function ownGameRows({ mine, opened, played }, limit = Infinity) {
  const isMyTurn = (game) => game.turn === 'you' && !game.stalled;
  const open = [...mine.filter(isMyTurn), ...mine.filter((game) => !isMyTurn(game))];
  return [
    ...open.map((game) => () => openRow(game, isMyTurn(game))),
    ...opened.map((game) => () => hostedRow(game)),
    ...played.map((game) => () => playedRow(game)),
  ]
    .slice(0, limit)
    .map((draw) => draw());
}

/** What a row is about: the game with a badge, and below it more in small print. */
const about = (game, badges, meta) =>
  el('div', { class: 'about' }, gameName(game), badges, el('p', { class: 'meta' }, meta.filter(Boolean).join(' · ')));

function openRow(game, isMyTurn) {
  const state = isMyTurn ? 'your turn' : game.stalled ? 'waits' : 'their turn';
  const badge = el('span', { class: `badge ${isMyTurn ? 'on' : ''}` }, state);
  return el(
    'li',
    {},
    about(game, [badge], [`you: ${seatName(game.seat)}`, `started ${formatAge(game.started)}`]),
    el('a', { class: 'button', href: `/table?seat=${encodeURIComponent(game.id)}` }, 'Continue'),
    ...confirmButton('Resign', {
      label: `Resign this game of ${game.title}`,
      question: {
        title: 'Resign this game?',
        text: 'It ends for everybody at the table and counts as not finished.',
        yes: 'Resign',
        no: 'Play on',
      },
      act: () => api('/api/leave', { seat: game.id }),
    }),
  );
}

const hostedRow = (game) =>
  el(
    'li',
    {},
    about(
      game,
      (game.stalled ? ['waits'] : game.free.map((seat) => `nobody at ${seat} yet`)).map((words) =>
        el('span', { class: 'badge' }, words),
      ),
      [`opened by you ${formatAge(game.started)}`],
    ),
    el('a', { class: 'button', href: `/watch?episode=${encodeURIComponent(game.episode)}` }, 'Watch and invite'),
  );

function playedRow(game) {
  const badge = el(
    'span',
    { class: `badge ${game.result === 'won' ? 'success' : ''}` },
    RESULTS[game.result] ?? game.result,
  );
  const row = el(
    'li',
    {},
    about(game, [badge], [game.seat && `you: ${seatName(game.seat)}`, PARTNERS[game.with], formatAge(game.ended)]),
    el('a', { class: 'button', href: `/watch?episode=${encodeURIComponent(game.episode)}&step=0` }, 'Replay'),
    ...(game.removable ? deleteButton(game, () => row.remove()) : []),
  );
  return row;
}

const deleteButton = (game, onDeleted) =>
  confirmButton('Delete', {
    label: `Delete this game of ${game.title}`,
    question: {
      title: 'Delete this game?',
      text: `It is removed from this server for good, with every word, score and draft${game.with === 'people' ? ': those of the other people, too, who lose it as well' : ''}. What was downloaded, exported or backed up before stays where it is.`,
      yes: 'Delete it',
      no: 'Keep it',
    },
    act: async () => {
      await api('/api/remove', { episode: game.episode });
      onDeleted();
    },
  });

/** A quiet button that asks before it acts, and a place for what went wrong. */
function confirmButton(words, { label, question, act }) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'quiet danger-quiet', 'aria-label': label }, words);
  button.addEventListener('click', async () => {
    problem.textContent = '';
    if (!(await askToConfirm(question))) return;
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      problem.textContent = [error.message, error.why].filter(Boolean).join('. ');
      button.disabled = false;
    }
  });
  return [button, problem];
}
