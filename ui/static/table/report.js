// What the browser reports with a reply: how it was written, and on what screen. No text is in it. The server stores it
// with the reply, marked as reported by the browser, and sends it to no other player.

const MODIFIERS = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'ScrollLock', 'Fn'];
const PASTES = ['insertFromPaste', 'insertFromPasteAsQuotation', 'insertFromDrop', 'insertFromYank'];
const BLOCKED = 'Pasting is switched off in this game. Please type your reply.';

/** How many characters `event` would bring into a box. */
const pastedLength = (event) => [...(event.data ?? event.dataTransfer?.getData('text/plain') ?? '')].length;

/** What a change of a box does: "paste", "edit" (it deletes or replaces), both or neither. */
export function classifyInput({ inputType, isComposing = false, target }) {
  const replaces = inputType.startsWith('insert') && !isComposing && target?.selectionStart !== target?.selectionEnd;
  const deletes = inputType.startsWith('delete') || inputType === 'insertReplacementText';
  return { paste: PASTES.includes(inputType), edit: deletes || replaces || inputType.startsWith('history') };
}

/** How large each picture in front of the seat is drawn, the largest if it is drawn twice; [0, 0] if it is folded away. */
export function drawnSizes(exhibits, images) {
  const round = (side) => Math.round(side * 10) / 10;
  const pictures = exhibits.filter(({ picture }) => picture);
  return pictures.map(({ picture }) => {
    const drawn = images.filter((image) => image.getAttribute('src') === picture && image.checkVisibility());
    const boxes = drawn.map((image) => image.getBoundingClientRect());
    const { width, height } = boxes.sort((a, b) => b.width - a.width)[0] ?? { width: 0, height: 0 };
    return [round(width), round(height)];
  });
}

function pointer() {
  if (matchMedia('(pointer: fine)').matches) return 'fine';
  return matchMedia('(pointer: coarse)').matches ? 'coarse' : 'none';
}

/**
 * Count what happens in `node`, which holds the reply form. `state()` gives what the page knows (`pinned`, `pastes`),
 * `images()` the pictures on the page, `notify(text)` says something below the form.
 */
export function createReport(seat, node, { state, images, notify }) {
  const storageKey = `ludens.report.${seat}`; // so that a reload does not begin anew
  const none = { keystrokes: 0, edits: 0, pastes: 0, pasted_characters: 0, hidden: 0, unfocused: 0 };
  /** @type {{ask: string, since: number, firstKey: number | null, [count: string]: any}} */
  let counts = { ask: '', since: Date.now(), firstKey: null, ...none };
  let presence = 'here'; // here, hidden, unfocused
  let presentSince = Date.now();
  let isNotified = false;

  /** Add the time since the last change to what the page was until now. */
  function settle() {
    const now = Date.now();
    if (presence !== 'here') counts[presence] += Math.max(0, now - presentSince);
    presence = document.hidden ? 'hidden' : document.hasFocus() ? 'here' : 'unfocused';
    presentSince = now;
  }

  function say(text) {
    if (!text && !isNotified) return;
    isNotified = Boolean(text);
    notify(text);
  }

  function onKey(event) {
    if (event.repeat || MODIFIERS.includes(event.key)) return;
    counts.firstKey ??= Math.max(0, Date.now() - counts.since);
    counts.keystrokes += 1;
  }

  function onInput(event) {
    const { paste, edit } = classifyInput(event);
    const isBlocked = state().pastes === 'blocked' && (paste || event.inputType === 'deleteByDrag');
    if (isBlocked) event.preventDefault();
    if (paste) {
      counts.pastes += 1;
      counts.pasted_characters += pastedLength(event);
    }
    if (edit && !isBlocked) counts.edits += 1;
    say(isBlocked ? BLOCKED : '');
  }

  node.addEventListener('keydown', onKey, { capture: true });
  node.addEventListener('beforeinput', onInput, { capture: true });
  document.addEventListener('visibilitychange', settle);
  addEventListener('blur', settle);
  addEventListener('focus', settle);
  addEventListener('pagehide', () => {
    settle();
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(counts));
    } catch {
      // storage full or forbidden: the counting begins anew
    }
  });

  function stored() {
    try {
      return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    } catch {
      return null;
    }
  }

  return {
    /** Something is asked, or asked again after a reply that the rules refused: count from here. */
    begin({ id, reminders }) {
      const ask = `${id}.${reminders ?? 0}`;
      if (counts.ask === ask) return;
      settle(); // until now it belonged to what was asked before
      const before = stored();
      counts = before?.ask === ask ? before : { ask, since: Date.now(), firstKey: null, ...none };
    },
    /** The report for the reply that is sent now. */
    read() {
      settle();
      const { pinned = [], pastes } = state();
      const sizes = drawnSizes(pinned, images());
      return {
        ...(counts.firstKey === null ? {} : { first_key_ms: counts.firstKey }),
        keystrokes: counts.keystrokes,
        edits: counts.edits,
        pastes: counts.pastes,
        pasted_characters: counts.pasted_characters,
        pasting: pastes === 'blocked' ? 'blocked' : 'allowed',
        hidden_seconds: counts.hidden / 1000,
        unfocused_seconds: counts.unfocused / 1000,
        viewport_width: innerWidth,
        viewport_height: innerHeight,
        pixel_ratio: devicePixelRatio,
        zoom: visualViewport?.scale,
        pointer: pointer(),
        ...(sizes.length ? { pictures: sizes } : {}),
      };
    },
  };
}
