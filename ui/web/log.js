// A conversation that only grows: draws new lines, leaves the old ones alone (a reader's selection, a screen reader's
// place and an unfolded text survive every update), and follows the end unless the reader has scrolled away.
import { calm, el } from '/web/dom.js';

const NEAR = 160; // pixels from the end that still count as being there

/** `below` is what sticks to the window's lower edge and covers that part of it. */
export function conversation(label, draw, below = () => null) {
  const list = el('ol', { class: 'lines' });
  // Silent while the past is filled in; polite for what comes after.
  const node = el('div', { class: 'log', role: 'log', 'aria-label': label, 'aria-live': 'off' }, list);
  let shown = [];

  const beyond = () => node.getBoundingClientRect().bottom - (innerHeight - (below()?.offsetHeight ?? 0));
  const atEnd = () => beyond() < NEAR;
  const toEnd = (smooth) => {
    if (beyond() > 0) scrollBy({ top: beyond(), behavior: smooth && !calm() ? 'smooth' : 'instant' });
  };

  return {
    node,
    atEnd,
    toEnd,
    /** Show exactly these lines. Returns true if new ones came while the reader was elsewhere. */
    update(lines, { follow = true } = {}) {
      const wanted = lines.map((line) => JSON.stringify(line));
      let same = 0;
      while (same < shown.length && shown[same] === wanted[same]) same += 1;
      while (list.children.length > same) list.lastElementChild.remove();
      const first = shown.length === 0;
      const wasAtEnd = atEnd();
      list.append(...lines.slice(same).map((line) => draw(line)));
      const grew = wanted.length > same;
      shown = wanted;
      if (first) requestAnimationFrame(() => requestAnimationFrame(() => node.setAttribute('aria-live', 'polite')));
      if (!grew || !follow) return false;
      if (wasAtEnd || first) requestAnimationFrame(() => toEnd(!first));
      return !wasAtEnd && !first;
    },
  };
}
