// Panels that the server draws as HTML: fetched, shown, and continued. The server escapes what players and models wrote.
import { el } from '/web/core/dom.js';

const TIME_FORMAT = /** @type {const} */ ({ dateStyle: 'medium', timeStyle: 'short' });

/**
 * The elements of an answer; moments are written in the reader's way.
 *
 * @returns {any[]}
 */
export function parsePanel(html) {
  const { body } = new DOMParser().parseFromString(html, 'text/html'); // inert: nothing in it runs or is loaded
  for (const time of body.querySelectorAll('time'))
    time.textContent = new Date(time.dateTime).toLocaleString([], TIME_FORMAT);
  return [...body.children];
}

/** Lists that go on as the reader comes near their ends, or at a button; folds that are drawn when they are opened. */
export class Continued {
  #observer = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => this.#load(target)),
    { rootMargin: '1500px' },
  );

  #get;

  /** `get` returns the HTML of an address. */
  constructor(root, get) {
    this.#get = get;
    root.addEventListener('click', ({ target }) => {
      const place = target.closest('[data-more] > button')?.parentElement;
      if (place) this.#load(place);
    });
    const open = ({ target }) => target.open && target.dataset.more && this.#load(target);
    root.addEventListener('toggle', open, { capture: true }); // it does not bubble
    addEventListener('beforeprint', () => {
      for (let end; (end = root.querySelector('.more-below')); ) this.#insert(end, loadAtOnce(end.dataset.more));
    });
  }

  /** Go on with the lists inside an element as the reader comes near. */
  watch(element) {
    this.#observer.disconnect();
    for (const end of element.querySelectorAll('.more-below')) this.#observer.observe(end);
  }

  async #load(place) {
    this.#observer.unobserve(place);
    const button = place.querySelector(':scope > button');
    if (button) button.disabled = true;
    try {
      this.#insert(place, await this.#get(place.dataset.more));
    } catch {
      const problem = 'This could not be loaded. Please try again.';
      place.querySelector(':scope > .problem')?.remove();
      place.append(el('p', { class: 'problem', role: 'alert' }, problem));
      if (button) button.disabled = false;
    }
  }

  #insert(place, html) {
    const elements = parsePanel(html);
    if (place.matches('details')) {
      delete place.dataset.more;
      place.append(...elements);
    } else {
      const [list, next] = elements;
      const wasFocused = place.contains(document.activeElement);
      place.previousElementSibling.append(...list.children);
      place.replaceWith(...(next ? [next] : []));
      if (wasFocused) next?.querySelector('button')?.focus();
    }
    for (const end of document.querySelectorAll('.more-below')) this.#observer.observe(end);
  }
}

/** An answer that is waited for: a page is printed as it stands when this returns. */
function loadAtOnce(url) {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.setRequestHeader('accept', 'text/html');
  request.send();
  return request.responseText;
}
