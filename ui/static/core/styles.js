// Style sheets, each loaded once. What comes later in the page's head wins: core, page, widgets.
import { el } from '/web/core/dom.js';

const loading = new Map();

/** Where a file of ours is: the page's import map leads to the address that names the file's version. */
export const fileAddress = (path) => import.meta.resolve(path);

/** Load a style sheet; resolves when it applies, also when it cannot be loaded. */
export function loadStyle(href) {
  if (!loading.has(href)) {
    loading.set(
      href,
      new Promise((resolve) => {
        document.head.append(
          el('link', {
            rel: 'stylesheet',
            href: fileAddress(href),
            'data-ludens': true,
            onload: resolve,
            onerror: resolve,
          }),
        );
      }),
    );
  }
  return loading.get(href);
}
