// Opening a table from the lobby.
import { api } from '/web/core/dom.js';

/** Create a table and go there; says what went wrong in `problem`. */
export async function openTable(body, button, problem) {
  problem.textContent = '';
  button.disabled = true;
  try {
    location.assign((await api('/api/tables', body)).go);
  } catch (error) {
    problem.textContent = [error.message, error.why].filter(Boolean).join('. ');
  }
  // Also after success: people come back to this page with the browser's Back button.
  setTimeout(() => (button.disabled = false), 1500);
}
