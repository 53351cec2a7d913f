// Widgets that games bring along: form fields and exhibits of kinds that the pages do not know themselves. The server
// lists them (ui/server/widgets.py); a module and its style sheets are loaded when something of its kind is first drawn.
import { fileAddress, loadStyle } from '/web/core/styles.js';

/**
 * @typedef {'fields' | 'exhibits'} Part
 * @typedef {{module: string, styles: string[]}} Entry
 */

/** @type {Promise<Record<Part, Record<string, Entry>>> | null} */
let manifest = null;

/** Modules by part and kind; null stands for a kind that no game brings, an Error for one that could not be loaded. */
const modules = { fields: new Map(), exhibits: new Map() };

async function fetchManifest() {
  const response = await fetch(fileAddress('/web/widgets.json'));
  if (!response.ok) throw new Error(`/web/widgets.json: ${response.status}`);
  return response.json();
}

/** The module of a kind: undefined before it is loaded, null where no game brings it, an Error where loading failed. */
export const widget = (part, kind) => modules[part].get(kind);

/** Whether the modules of all these kinds are there, or are known not to come. */
export const areLoaded = (part, kinds) => kinds.every((kind) => modules[part].has(kind));

/** Load the modules of these kinds and their style sheets. Never throws: `widget` returns what went wrong. */
export async function loadWidgets(part, kinds) {
  await Promise.all(kinds.filter((kind) => !modules[part].has(kind)).map((kind) => loadWidget(part, kind)));
}

async function loadWidget(part, kind) {
  try {
    manifest ??= fetchManifest();
    const entry = (await manifest)[part][kind];
    if (!entry) return modules[part].set(kind, null);
    const [module] = await Promise.all([import(entry.module), ...entry.styles.map(loadStyle)]);
    modules[part].set(kind, module);
  } catch (error) {
    manifest = null; // the next widget asks again
    console.error(error);
    modules[part].set(kind, error);
  }
}
