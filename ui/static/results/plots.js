// Plots of the filtered episodes, drawn by the server; each can be kept as PNG, SVG or the rows behind it.
import { el } from '/web/core/dom.js';

export async function plots({ query, ask }) {
  const { plots: all } = (await ask('/api/plots')) ?? { plots: [] };
  const figures = all.map((one) => figure(one, query));
  return [el('section', { class: 'plots', 'aria-label': 'Plots' }, figures)];
}

function figure({ name, title, says }, query) {
  const frame = el('div', { class: 'frame', 'aria-busy': 'true', role: 'region', tabindex: 0, 'aria-label': title });
  const at = (format, more) => {
    const params = new URLSearchParams(query);
    for (const [key, value] of Object.entries(more)) params.set(key, value);
    return `/api/plot/${name}.${format}?${params}`;
  };
  const dark = () => document.body.classList.contains('dark');
  const links = el(
    'p',
    { class: 'hint' },
    'Keep it: ',
    ['svg', 'png', 'csv'].flatMap((format, i) => [
      i ? ' · ' : '',
      el('a', { href: at(format, { save: 1 }), download: '' }, format.toUpperCase()),
    ]),
  );
  const node = el(
    'figure',
    { class: 'plot' },
    el('figcaption', { class: 'visually-hidden' }, el('h2', {}, title), el('p', {}, says)),
    frame,
    links,
  );

  async function draw() {
    const path = at('svg', dark() ? { dark: 1 } : {});
    if (frame.dataset.path === path) return;
    frame.dataset.path = path;
    try {
      const response = await fetch(path);
      if (!response.ok) {
        links.hidden = true;
        const { error } = await response.json();
        frame.replaceChildren(el('h2', { 'aria-hidden': 'true' }, title), el('p', { class: 'none' }, error));
      } else {
        const drawn = URL.createObjectURL(await response.blob()); // not its address: it would be drawn once more
        const image = el('img', { alt: `${title}: ${says}`, src: drawn });
        await image.decode().catch(() => {});
        URL.revokeObjectURL(drawn);
        frame.replaceChildren(image);
      }
    } catch {
      frame.replaceChildren(el('p', { class: 'problem' }, 'The server does not answer. Try again in a moment.'));
    }
    frame.removeAttribute('aria-busy');
  }

  const near = new IntersectionObserver(
    (seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      near.disconnect();
      draw();
      new MutationObserver(() => node.isConnected && draw()).observe(document.body, { attributeFilter: ['class'] });
    },
    { rootMargin: '400px' },
  );
  near.observe(node);
  return node;
}
