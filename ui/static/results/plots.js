// Plots of the filtered episodes, drawn by the server; each can be saved as PNG, SVG or CSV.
import { el } from '/web/core/dom.js';
import { joined } from '/web/results/numbers.js';

export async function plots({ query, ask }) {
  const { plots: descriptions } = (await ask('/api/plots')) ?? { plots: [] };
  const figures = descriptions.map((description) => figure(description, query));
  return [el('section', { class: 'plots', 'aria-label': 'Plots' }, figures)];
}

function figure({ name, title, says }, query) {
  const frame = el('div', { class: 'frame', 'aria-busy': 'true', role: 'region', tabindex: 0, 'aria-label': title });
  const plotUrl = (format, more) => {
    const params = new URLSearchParams(query);
    for (const [key, value] of Object.entries(more)) params.set(key, value);
    return `/api/plot/${name}.${format}?${params}`;
  };
  const dark = () => document.body.classList.contains('dark');
  const save = (format) => el('a', { href: plotUrl(format, { save: 1 }), download: '' }, format.toUpperCase());
  const links = el('p', { class: 'hint' }, 'Keep it: ', joined(['svg', 'png', 'csv'].map(save), ' · '));
  const node = el(
    'figure',
    { class: 'plot' },
    el('figcaption', { class: 'visually-hidden' }, el('h2', {}, title), el('p', {}, says)),
    frame,
    links,
  );

  async function draw() {
    const path = plotUrl('svg', dark() ? { dark: 1 } : {});
    if (frame.dataset.path === path) return;
    frame.dataset.path = path;
    try {
      const response = await fetch(path);
      if (!response.ok) {
        links.hidden = true;
        const { error } = await response.json();
        frame.replaceChildren(el('h2', { 'aria-hidden': 'true' }, title), el('p', { class: 'none' }, error));
      } else {
        const objectUrl = URL.createObjectURL(await response.blob()); // not its address: it would be drawn once more
        const image = el('img', { alt: `${title}: ${says}`, src: objectUrl });
        await image.decode().catch(() => {});
        URL.revokeObjectURL(objectUrl);
        frame.replaceChildren(image);
      }
    } catch {
      frame.replaceChildren(el('p', { class: 'problem' }, 'The server does not answer. Try again in a moment.'));
    }
    frame.removeAttribute('aria-busy');
  }

  const observer = new IntersectionObserver(
    (observed) => {
      if (!observed.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      draw();
      new MutationObserver(() => node.isConnected && draw()).observe(document.body, { attributeFilter: ['class'] });
    },
    { rootMargin: '400px' },
  );
  observer.observe(node);
  return node;
}
