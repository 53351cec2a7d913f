// What every page does first: style sheet, the reader's choice of light or dark, the name of the house. Then the page's
// own module is mounted into the element Gradio made for it.
import { el } from '/web/dom.js';

const CHOICE = 'ludens.theme';

export async function start(page, element) {
  const [module] = await Promise.all([import(`/web/${page}.js`), styled()]);
  element.classList.add('ludens', `page-${page}`);
  shell();
  module.mount(element);
}

function styled() {
  if (document.querySelector('link[data-ludens]')) return null;
  return new Promise((done) => {
    const link = el('link', {
      rel: 'stylesheet',
      href: '/web/ludens.css',
      'data-ludens': true,
      onload: done,
      onerror: done,
    });
    document.head.append(link, el('link', { rel: 'icon', href: '/web/icon.svg', type: 'image/svg+xml' }));
  });
}

function shell() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => localStorage.getItem(CHOICE);
  const dark = () => (chosen() ? chosen() === 'dark' : system.matches);
  const button = el('button', { type: 'button', class: 'theme-switch' });
  const paint = () => {
    document.body.classList.toggle('dark', dark());
    document.documentElement.style.colorScheme = dark() ? 'dark' : 'light';
    button.textContent = dark() ? '☀' : '☾';
    button.title = button.ariaLabel = dark() ? 'Switch to light colours' : 'Switch to dark colours';
  };
  button.addEventListener('click', () => {
    const wanted = dark() ? 'light' : 'dark';
    // Choosing what the system says anyway means: follow the system again.
    if ((wanted === 'dark') === system.matches) localStorage.removeItem(CHOICE);
    else localStorage.setItem(CHOICE, wanted);
    paint();
  });
  system.addEventListener('change', () => setTimeout(paint));
  paint();
  const nav = document.querySelector('.nav-holder nav');
  if (nav && !nav.querySelector('.theme-switch')) {
    nav.prepend(el('a', { class: 'brand', href: '/' }, 'Ludens'));
    nav.append(button);
  }
}
