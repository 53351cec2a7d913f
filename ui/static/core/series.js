// How a row of games of the same kind has gone in this tab: "Game 3 of 5, 2–1" against each other, won and lost together.
// Kept in the tab alone; closing it forgets.

const KEY = 'ludens.series';
const LENGTH = 5; // games of a series against each other

/** Note how a game ended (`won` undefined where nothing could be won); return the tally in words, '' for a first game. */
export function recordSeries({ again, score }, won) {
  const { game, variant } = again?.next ?? {};
  if (!again?.episode || won === undefined) return '';
  const kind = `${game}/${variant}`;
  const isAgainst = Boolean(score?.sides);
  let series = read();
  const isFull = isAgainst && series.games?.length >= LENGTH;
  const isKnown = series.games?.some(([episode]) => episode === again.episode);
  if (series.kind !== kind || (isFull && !isKnown)) series = { kind, games: [] };
  if (!isKnown || series.games.length === 0) series.games.push([again.episode, won]);
  sessionStorage.setItem(KEY, JSON.stringify(series));
  return seriesText(
    series.games.map(([, isWon]) => isWon),
    isAgainst,
  );
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/** `results` says of each game whether it was won, oldest first. */
export function seriesText(results, isAgainst) {
  if (results.length < 2) return '';
  const won = results.filter(Boolean).length;
  const lost = results.length - won;
  if (!isAgainst) return `${results.length} games in a row: ${won} won, ${lost} lost.`;
  if (results.length < LENGTH) return `Game ${results.length} of ${LENGTH}, ${won}–${lost}.`;
  return `Game ${LENGTH} of ${LENGTH}: you ${won > lost ? 'won' : 'lost'} the series ${won}–${lost}.`;
}
