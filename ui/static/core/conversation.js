// A conversation that only grows: draws new lines, leaves the old ones alone (a reader's selection, a screen reader's
// place and an unfolded text survive every update), and keeps its end in sight unless the reader has scrolled away.
import { el } from '/web/core/dom.js';

const NEAR_END = 120; // pixels from the end that still count as being there

/** `below` gives what sticks to the window's lower edge and covers that part of it (the form, the player). */
export function conversation(label, draw, getDock) {
  const list = el('ol', { class: 'lines' });
  // Silent while the past is filled in; polite for what comes after.
  const node = el('div', { class: 'log', role: 'log', 'aria-label': label, 'aria-live': 'off' }, list);
  /** @type {string[] | null} */
  let drawnLines = null; // the lines drawn, as JSON
  let isSticking = true;
  let isHeld = false;

  const pixelsBelow = () => node.getBoundingClientRect().bottom - (innerHeight - getDock().offsetHeight);
  const atEnd = () => pixelsBelow() < NEAR_END;
  const toEnd = () => {
    isSticking = true;
    if (pixelsBelow() > 0) scrollBy({ top: pixelsBelow(), behavior: 'instant' });
  };
  // Only a reader's own scrolling lets go of the end. A scroll event that comes with another page height is the layout's.
  let lastHeight = 0;
  addEventListener(
    'scroll',
    () => {
      const pageHeight = document.documentElement.scrollHeight;
      if (atEnd()) isSticking = true;
      else if (pageHeight === lastHeight) isSticking = false;
      lastHeight = pageHeight;
    },
    { passive: true },
  );
  // Nor does what somebody unfolds move away: the end is kept in sight again if it still is.
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element && target.closest('summary'))) return;
    isSticking = false;
    requestAnimationFrame(() => requestAnimationFrame(() => (isSticking ||= atEnd())));
  });
  const resizeObserver = new ResizeObserver(() => isSticking && !isHeld && toEnd());

  return {
    node,
    atEnd,
    toEnd,
    /** Whether the end is kept in sight. */
    isFollowed: () => isSticking,
    /** Leave the window where it is: something above the conversation matters more at the moment. */
    hold: (isWanted) => (isHeld = isWanted),
    /** Show exactly these lines. Returns true if new ones came while the reader was elsewhere. */
    update(lines) {
      const newLines = lines.map((line) => JSON.stringify(line));
      const oldLines = drawnLines ?? [];
      const isFirst = drawnLines === null;
      let unchanged = 0;
      while (unchanged < oldLines.length && oldLines[unchanged] === newLines[unchanged]) unchanged += 1;
      while (list.children.length > unchanged) list.lastElementChild?.remove();
      const hasGrown = newLines.length > unchanged;
      list.append(...lines.slice(unchanged).map(draw));
      drawnLines = newLines;
      if (isFirst) {
        requestAnimationFrame(() => {
          node.setAttribute('aria-live', 'polite');
          resizeObserver.observe(node.parentElement ?? node); // what stands above it may grow, too
          resizeObserver.observe(getDock());
        });
      }
      return hasGrown && !isSticking;
    },
  };
}
