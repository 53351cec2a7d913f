// Plots that the server draws when the reader comes near them, in light or dark as the page is.
import { el } from '/web/core/dom.js';

/** Draw the plots in an element, again whenever the page turns light or dark. */
export function drawPlots(container) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
        observer.unobserve(target);
        draw(target);
        new MutationObserver(() => target.isConnected && draw(target)).observe(document.body, {
          attributeFilter: ['class'],
        });
      }
    },
    { rootMargin: '400px' },
  );
  for (const figure of container.querySelectorAll('[data-plot]')) observer.observe(figure);
}

async function draw(figure) {
  const url = new URL(figure.dataset.plot, location.href);
  if (document.body.classList.contains('dark')) url.searchParams.set('dark', '1');
  const frame = figure.querySelector('.frame');
  if (frame.dataset.drawn === url.href) return;
  frame.dataset.drawn = url.href;
  const [title, says] = [...figure.querySelectorAll('figcaption > *')].map((part) => part.textContent);
  try {
    const response = await fetch(url);
    const isImage = response.headers.get('content-type')?.startsWith('image/');
    if (!isImage) {
      figure.querySelector(':scope > p').hidden = true;
      const reason = response.ok ? await response.text() : (await response.json()).error;
      frame.replaceChildren(el('h2', { 'aria-hidden': 'true' }, title), el('p', { class: 'none' }, withCode(reason)));
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

/** A sentence with its `commands` as code. */
const withCode = (sentence) => sentence.split('`').map((part, index) => (index % 2 ? el('code', {}, part) : part));
