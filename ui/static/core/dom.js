// Makes elements and shows text. Everything that comes from players or models is set as textContent; no module writes
// innerHTML.

/** Make an element: `el('p', {class: 'who', onclick: f}, 'text', node, null)`. Children other than strings and nodes are ignored. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => typeof child === 'string' || child instanceof Node));
  return node;
}

/** Make a part of a drawing: `svg('path', {d: 'M0 0'}, 'text', node)`. Attributes that are null are left out. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const ICONS = {
  first: 'M3 3h2.5v14H3zM17 3v14L7 10z',
  back: 'M14 3v14L4 10z',
  play: 'M5 2.5v15l12-7.5z',
  pause: 'M4 3h4.5v14H4zM11.5 3H16v14h-4.5z',
  on: 'M6 3v14l10-7z',
  last: 'M14.5 3H17v14h-2.5zM3 3v14l10-7z',
};

/** A small icon. The label of the button around it says what it means. */
export function icon(name) {
  const attributes = { class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true' };
  return svg('svg', attributes, svg('path', { d: ICONS[name] }));
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A text as it may be shown: line ends made alike, control characters replaced by their pictures (␀ ␛ ␡). */
export function displayText(text) {
  return String(text)
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, (c) => (c === '\x7f' ? '␡' : String.fromCharCode(0x2400 + c.charCodeAt(0))));
}

const COLLAPSE_AT = 2000;
const SIGN_GRID = /^(\S {1,2}){2,}\S(\n(\S {1,2}){2,}\S)+$/u; // a grid of signs: its columns are to stand below each other

/** A paragraph that a player wrote: text direction and line breaks kept, long texts folded. */
export function messageText(text, tag = 'div') {
  const fullText = displayText(text);
  const body = el(tag, { class: 'said', dir: 'auto' });
  if (SIGN_GRID.test(fullText.trim())) body.classList.add('signs');
  if (fullText.length <= COLLAPSE_AT + 200) {
    body.textContent = fullText;
    return body;
  }
  let cut = COLLAPSE_AT;
  if (/[\ud800-\udbff]/.test(fullText[cut - 1])) cut -= 1; // never through the middle of an emoji
  const count = (fullText.length - cut).toLocaleString('en');
  const words = document.createTextNode('');
  const button = el('button', { type: 'button', class: 'quiet unfold' });
  let open = false;
  const paint = () => {
    words.data = open ? fullText : fullText.slice(0, cut) + '…';
    button.textContent = open ? 'Show less' : `Show all (${count} more characters)`;
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => {
    open = !open;
    paint();
    if (!open) body.scrollIntoView({ block: 'nearest' });
  });
  paint();
  body.append(words);
  return el('div', {}, body, button);
}

/** Whether an event comes from inside an element that matches a selector. */
export const comesFrom = (event, selector) =>
  event.target instanceof Element && event.target.closest(selector) !== null;

/** A random identifier, also where crypto.randomUUID is missing (plain http on a local network). */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Put a text on the clipboard; also without the clipboard interface (plain http). Returns whether it worked. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = el('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
    box.value = text;
    document.body.append(box);
    box.select();
    const isCopied = document.execCommand('copy');
    box.remove();
    return isCopied;
  }
}

/** A button that copies `text()` and says so in its own label for a moment. */
export function copyButton(label, text, attributes = {}) {
  const button = el('button', { type: 'button', class: 'quiet', 'aria-live': 'polite', ...attributes }, label);
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(text())) ? 'Copied' : 'Select the text and copy it';
    setTimeout(() => (button.textContent = label), 2000);
  });
  return button;
}

/** What a page says where it has nothing to show to this browser. */
export const refusalNotice = (title, words) =>
  el(
    'section',
    { class: 'notice' },
    el('h1', {}, title),
    el('p', {}, words),
    el('a', { class: 'button primary', href: '/' }, 'Go to the lobby'),
  );

/** Ask before something; `below` is shown under the text. Resolves to true for yes; Escape and the first button mean no. */
export function askToConfirm({
  title,
  text,
  yes,
  no,
  below = /** @type {HTMLElement | null} */ (null),
  isHarmless = false,
}) {
  return new Promise((resolve) => {
    const dialog = el(
      'dialog',
      { class: 'ludens ask-first', 'aria-labelledby': 'ask-first-title' },
      el('h2', { id: 'ask-first-title' }, title),
      el('p', {}, text),
      below,
      el(
        'form',
        { method: 'dialog', class: 'row end' },
        el('button', { class: 'button', value: 'no', autofocus: true }, no),
        el('button', { class: `button ${isHarmless ? 'primary' : 'danger'}`, value: 'yes' }, yes),
      ),
    );
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Send JSON and read JSON, or HTML; a refusal throws an Error with the server's words and its `status`.
 *
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function api(path, body, { html = false } = {}) {
  /** @type {RequestInit} */
  const init =
    body === undefined
      ? { headers: html ? { accept: 'text/html' } : {} }
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, init);
  } catch {
    throw Object.assign(new Error('The server does not answer. Is it running? Try again in a moment.'), { status: 0 });
  }
  /** @type {any} */
  let answer = null;
  try {
    answer = await (html && response.ok ? response.text() : response.json());
  } catch {
    // no JSON: the status says enough
  }
  if (!response.ok) {
    const words = answer?.error ?? answer?.detail ?? `The server refused (${response.status}).`;
    throw Object.assign(new Error(String(words)), { status: response.status, why: answer?.why });
  }
  return answer;
}

/** "just now", "5 min ago", "2 h ago", "3 days ago" for a UTC time in milliseconds. */
export function formatAge(ms) {
  const minutes = Math.max(0, Math.round((Date.now() - ms) / 60000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1440)} days ago`;
}
