// A conversation that only grows: draws new lines, leaves the old ones alone (a reader's selection, a screen reader's
// place and an unfolded text survive every update), and keeps its end in sight unless the reader has scrolled away.
import { el } from '/web/core/dom.js';

const NEAR = 120; // pixels from the end that still count as being there

/** `below` gives what sticks to the window's lower edge and covers that part of it (the form, the player). */
export function conversation(label, draw, below) {
  const list = el('ol', { class: 'lines' });
  // Silent while the past is filled in; polite for what comes after.
  const node = el('div', { class: 'log', role: 'log', 'aria-label': label, 'aria-live': 'off' }, list);
  let shown = null; // the lines drawn, as JSON
  let sticking = true;
  let held = false;

  const beyond = () => node.getBoundingClientRect().bottom - (innerHeight - below().offsetHeight);
  const atEnd = () => beyond() < NEAR;
  const toEnd = () => {
    sticking = true;
    if (beyond() > 0) scrollBy({ top: beyond(), behavior: 'instant' });
  };
  // Only a reader's own scrolling lets go of the end. A scroll event that comes with another page height is the layout's.
  let height = 0;
  addEventListener(
    'scroll',
    () => {
      const now = document.documentElement.scrollHeight;
      if (atEnd()) sticking = true;
      else if (now === height) sticking = false;
      height = now;
    },
    { passive: true },
  );
  const resized = new ResizeObserver(() => sticking && !held && toEnd());

  return {
    node,
    atEnd,
    toEnd,
    /** Leave the window where it is: something above the conversation matters more at the moment. */
    hold: (wanted) => (held = wanted),
    /** Show exactly these lines. Returns true if new ones came while the reader was elsewhere. */
    update(lines) {
      const wanted = lines.map((line) => JSON.stringify(line));
      const first = shown === null;
      let same = 0;
      while (!first && same < shown.length && shown[same] === wanted[same]) same += 1;
      while (list.children.length > same) list.lastElementChild.remove();
      const grew = wanted.length > same;
      list.append(...lines.slice(same).map(draw));
      shown = wanted;
      if (first) {
        requestAnimationFrame(() => {
          node.setAttribute('aria-live', 'polite');
          resized.observe(node);
          resized.observe(below());
        });
      }
      return grew && !sticking;
    },
  };
}
