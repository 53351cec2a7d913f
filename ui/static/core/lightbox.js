// A picture over the whole window: as large as it fits, zoomed by click, wheel, buttons and keys, and moved by dragging or
// with the arrow keys.
import { el } from '/web/core/dom.js';

const ZOOMS = [1, 1.5, 2, 3, 4];

/** Open `sheet` (the picture with its marks, {title, alt, width, height, credit}) in a dialog. */
export function openPicture(item, parts, startZoom = 1) {
  const sheet = el('div', { class: 'sheet' }, ...parts);
  const view = el(
    'div',
    { class: 'view', tabindex: '0', role: 'group', 'aria-label': `${item.title}, movable` },
    sheet,
  );
  sheet.style.setProperty('--ratio', String(item.width / item.height));
  const scale = el('span', { class: 'scale', role: 'status' });
  let zoom = 1;

  /** Zoom so that the point (x, y), as shares of the picture, comes to the middle. */
  function setZoom(next, [x, y] = middle()) {
    zoom = Math.max(ZOOMS[0], Math.min(ZOOMS[ZOOMS.length - 1], next));
    sheet.style.setProperty('--zoom', String(zoom));
    scale.textContent = `${Math.round(zoom * 100)} %`;
    view.scrollLeft = x * view.scrollWidth - view.clientWidth / 2;
    view.scrollTop = y * view.scrollHeight - view.clientHeight / 2;
  }
  const middle = () => [
    (view.scrollLeft + view.clientWidth / 2) / view.scrollWidth,
    (view.scrollTop + view.clientHeight / 2) / view.scrollHeight,
  ];
  const zoomBy = (steps) => {
    const place = ZOOMS.findLastIndex((value) => value <= zoom);
    setZoom(ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, place + steps))]);
  };
  const button = (label, text, onclick) =>
    el('button', { type: 'button', class: 'button', 'aria-label': label, title: label, onclick }, text);
  const dialog = el(
    'dialog',
    { class: 'ludens lightbox', 'aria-label': item.title },
    el(
      'div',
      { class: 'row' },
      scale,
      button('Zoom out', '−', () => zoomBy(-1)),
      button('Zoom in', '+', () => zoomBy(1)),
      el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Close'),
    ),
    view,
    el(
      'p',
      { class: 'hint' },
      item.credit || 'Click or press + to zoom in, − to zoom out. Drag or use the arrow keys to move.',
    ),
  );
  listen(view, sheet, { setZoom, zoomBy, getZoom: () => zoom });
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === '+' || key === '=') zoomBy(1);
    if (key === '-') zoomBy(-1);
    if (key === '0') setZoom(1);
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  view.focus();
  setZoom(startZoom);
}

/** Zoom by click and wheel, move by dragging. A drag is no click. */
function listen(view, sheet, { setZoom, zoomBy, getZoom }) {
  const point = ({ clientX, clientY }) => {
    const { left, top, width, height } = sheet.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  };
  let hasMoved = false;
  /** @type {PointerEvent | null} */
  let last = null;
  view.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch') return; // a finger scrolls by itself
    last = event;
    hasMoved = false;
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener('pointermove', (event) => {
    if (!last) return;
    view.scrollLeft -= event.clientX - last.clientX;
    view.scrollTop -= event.clientY - last.clientY;
    if (Math.abs(event.clientX - last.clientX) + Math.abs(event.clientY - last.clientY) > 1) hasMoved = true;
    last = event;
  });
  for (const kind of ['pointerup', 'pointercancel']) view.addEventListener(kind, () => (last = null));
  view.addEventListener('click', (event) => {
    if (!hasMoved) setZoom(getZoom() > 1 ? 1 : 2, point(event));
    hasMoved = false;
  });
  view.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
  );
}
