// Bringing one reply to the server: the same move id goes out again and again until an answer comes back, so a lost
// connection or a second click never makes two moves of one.
import { uuid } from '/web/core/dom.js';

const FIRST_DELAY = 400;
const LONGEST_DELAY = 5000;
const TIMEOUT = 20000;

/** Deliver {seat, ask, values}. Resolves to {ok, status, error, why}; `onTrouble` is called while nobody answers. */
export async function deliver(move, onTrouble) {
  const body = JSON.stringify({ ...move, move: uuid() });
  for (let wait = FIRST_DELAY; ; wait = Math.min(wait * 1.7, LONGEST_DELAY)) {
    try {
      const response = await fetch('/api/move', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIMEOUT),
      });
      if (response.status < 500) {
        const answer = await response.json().catch(() => ({}));
        const error = answer.error ?? answer.detail ?? (response.ok ? null : `refused (${response.status})`);
        return { ok: response.ok && answer.ok !== false, status: response.status, error, why: answer.why ?? null };
      }
    } catch {
      // no answer: try again
    }
    onTrouble();
    await new Promise((done) => setTimeout(done, wait));
  }
}
