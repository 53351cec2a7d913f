// What every page does first: light or dark as the reader chose, the brand in the navigation bar. Then the page's own
// module is mounted into its element.
import { el } from '/web/core/dom.js';
import { loadStyle } from '/web/core/styles.js';

const THEME_KEY = 'ludens.theme';

export async function start(page, element) {
  const module = await import(`/web/${page}/${page}.js`);
  // Gradio's client, on pages that need it, brings its styles after ours.
  if (document.querySelector('gradio-app')) await loadStyle(`/web/pages/${page}.css`);
  element.classList.add('ludens', `page-${page}`);
  setUpNavigation();
  module.mount(element);
}

/** Put the brand and the switch between light and dark into the navigation bar. */
function setUpNavigation() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => {
    const choice = localStorage.getItem(THEME_KEY);
    return choice ? choice === 'dark' : system.matches;
  };
  const button = el('button', { type: 'button', class: 'theme-switch' });
  const paint = () => {
    const dark = isDark();
    document.body.classList.toggle('dark', dark);
    button.textContent = dark ? '☀' : '☾';
    button.title = button.ariaLabel = dark ? 'Switch to light colours' : 'Switch to dark colours';
  };
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    // Choosing what the system says anyway means: follow the system again.
    if ((theme === 'dark') === system.matches) localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
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
