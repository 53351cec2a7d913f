// The reply form: drawn from the declaration of what is asked right now, nothing else can be sent. Text stays in its
// box until the server has taken it. Knows forms, not games.
import { compass } from '/web/compass.js';
import { copyButton, el, said } from '/web/dom.js';
import { mapEditor } from '/web/mapedit.js';
import { tiles } from '/web/tiles.js';
import { paint } from '/web/paint.js';
import { phrases } from '/web/phrases.js';
import { sentence as sentenceField } from '/web/sentence.js';

const LONGEST = 200_000; // characters; the server refuses more
const GUARD = 300; // milliseconds in which a new choice takes no click: it was meant for what stood there before
const FEW = 6; // up to so many choices are buttons, more are a list
const FEW_RADIOS = 8; // beside other fields a choice takes less room
const touch = () => matchMedia('(pointer: coarse)').matches;
const mac = /mac|iphone|ipad/i.test(navigator.platform);
let serial = 0;

/**
 * `send(ask, values, onTrouble)` delivers and resolves to {ok, error, why}; `keep(ask, values)` stores a draft,
 * `load(ask)` gives one back, `forget(askId)` drops it; `lying()` gives the exhibits that lie before the seat.
 */
export function replyForm({ send, keep, load, forget, lying = () => [] }) {
  const node = el('div', { class: 'replybox' });
  const rescued = el('div', { class: 'rescued' });
  let ask = null;
  let parts = []; // an alternative each, see `alternative` below
  let active = 0;
  let state = 'idle'; // idle → sending → sent (the next message from the table takes it from there)
  let late = 0;
  let guarded = 0;

  const values = () => parts[active].read();
  const problem = el('p', { class: 'problem', role: 'alert' });
  const note = el('p', { class: 'note', role: 'status' });

  function setState(next) {
    state = next;
    const busy = next !== 'idle';
    for (const { form } of parts) {
      form.classList.toggle('busy', busy);
      for (const box of form.querySelectorAll('input[type=text], textarea')) box.readOnly = busy;
      for (const button of form.querySelectorAll('button, select, input[type=radio]'))
        button.disabled = busy || button.hasAttribute('data-closed'); // a closed direction stays closed
      const main = form.querySelector('button.send');
      if (main) main.textContent = busy ? 'Sending…' : main.dataset.label;
    }
    if (!busy) note.textContent = '';
  }

  function complain(words) {
    problem.textContent = words ?? '';
    const box = parts[active]?.form.querySelector('input[type=text], textarea, select');
    if (!box) return;
    if (words) box.setAttribute('aria-invalid', 'true');
    else box.removeAttribute('aria-invalid');
  }

  async function submit(given) {
    if (state !== 'idle' || !ask) return;
    const wrong = parts[active].wrong(given);
    if (wrong) {
      complain(wrong);
      return parts[active].focus();
    }
    complain(null);
    const mine = ask;
    const part = parts[active];
    const refusals = mine.reminders ?? 0;
    setState('sending');
    const answer = await send(mine, given, () => {
      note.textContent = 'No connection at the moment. Your reply is kept and sent again until it arrives.';
    });
    if (answer.ok) {
      // The table's next message may be here already: the next ask, or the same one because the rules refused.
      if (ask === mine && (mine.reminders ?? 0) !== refusals) return;
      forget(mine.id);
      if (ask !== mine) return;
      setState('sent');
      late = setTimeout(() => (note.textContent = 'Sent. Waiting for the table to go on …'), 3000);
      return;
    }
    if (ask !== mine) return rescue(part.text(given), 'Your reply came too late and was not taken:');
    setState('idle');
    complain([answer.error, answer.why].filter(Boolean).map(sentence).join(' '));
    parts[active].focus();
  }

  /** What somebody wrote for an ask that is gone is handed back to them, not thrown away. */
  function rescue(text, why) {
    if (!text.trim()) return;
    const dismiss = el('button', { type: 'button', class: 'quiet' }, 'Dismiss');
    const box = el(
      'div',
      { class: 'rescue', role: 'status' },
      el('p', {}, why),
      said(text),
      el(
        'div',
        { class: 'row' },
        copyButton('Copy', () => text),
        dismiss,
      ),
    );
    dismiss.addEventListener('click', () => box.remove());
    rescued.replaceChildren(box);
  }

  function build(next) {
    const had = node.contains(document.activeElement);
    const forms = next.form.either ?? [next.form];
    const draft = load(next) ?? {};
    ask = next;
    parts = forms.map((form) =>
      alternative(form, forms.length > 1, submit, () => parts[active] && keep(ask.id, values()), lying()),
    );
    const wanted = parts.findIndex((part) => part.name === draft.form);
    active = Math.max(0, wanted);
    parts[active].write(draft);
    setState('idle');
    const tabs = forms.length > 1 ? chooser(forms) : null;
    node.replaceChildren(...[tabs, problem, ...parts.map((part) => part.form), note].filter(Boolean));
    reveal();
    guard();
    complain(next.why);
    if (had || !document.activeElement || document.activeElement === document.body)
      parts[active].focus({ gently: true });
  }

  /** Let the choices that have just appeared take no click for a moment (the style sheet does it). */
  function guard() {
    clearTimeout(guarded);
    node.classList.add('fresh');
    guarded = setTimeout(() => node.classList.remove('fresh'), GUARD);
  }

  function chooser(forms) {
    const name = `either-${(serial += 1)}`;
    const options = forms.map((form, index) => {
      const radio = el('input', { type: 'radio', name, value: index, ...(index === active ? { checked: true } : {}) });
      radio.addEventListener('change', () => {
        active = index;
        complain(null);
        reveal();
        keep(ask.id, values());
      });
      return el('label', {}, radio, el('span', {}, form.title));
    });
    return el(
      'fieldset',
      { class: 'either' },
      el('legend', { class: 'visually-hidden' }, 'What do you want to do?'),
      options,
    );
  }

  function reveal() {
    parts.forEach(({ form }, index) => (form.hidden = index !== active));
  }

  function clear() {
    ask = null;
    parts = [];
    state = 'idle';
    problem.textContent = note.textContent = '';
    node.replaceChildren();
  }

  return {
    node,
    rescued,
    /**
     * Show the form for `next` (an ask, or null). An update for the same ask never touches what is in the boxes.
     * `sent` holds the texts that this seat has sent, also from other tabs.
     */
    show(next, sent = []) {
      if (ask && next && ask.id === next.id) {
        const refused = (next.reminders ?? 0) !== (ask.reminders ?? 0) || (next.why && next.why !== ask.why);
        ask = Object.assign(ask, { why: next.why, reminders: next.reminders });
        if (!refused) return;
        clearTimeout(late);
        setState('idle');
        complain(next.why);
        keep(ask.id, values());
        parts[active].focus({ gently: true });
        return;
      }
      if (ask && state === 'idle') {
        const text = parts[active].text(values());
        if (!sent.includes(text)) rescue(text, 'This was no longer asked, so what you had written was not sent:');
        forget(ask.id);
      }
      clearTimeout(late);
      if (next) build({ ...next });
      else clear();
    },
  };
}

const sentence = (words) => {
  const text = String(words).trim();
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…:]$/.test(capital) ? capital : `${capital}.`;
};

/** One form of fields with its submit button. */
function alternative(declared, named, submit, changed, lying) {
  const id = `reply-${(serial += 1)}`;
  const only = declared.fields.length === 1 ? declared.fields[0] : null;
  const atOnce = only?.kind === 'choice' && only.options.length <= FEW;
  const others = {};
  const fields = declared.fields.map((field, index) => control(field, `${id}-${index}`, atOnce, others, lying));
  for (const field of fields) others[field.name] = field;
  const sends = fields.some((field) => field.sends); // a field whose buttons send the whole form
  const read = () => {
    const given = Object.fromEntries(fields.map((field) => [field.name, field.read()]));
    return named ? { form: declared.name, ...given } : given;
  };
  // Notes to oneself come last and folded: what is asked for comes first.
  const notes = fields.filter((_, index) => declared.fields[index].private && declared.fields[index].optional);
  const asked = fields.filter((field) => !notes.includes(field));
  const aside = asked.length > 0 && notes.length > 0 ? notes : [];
  const form = el(
    'form',
    { class: 'ask', novalidate: true },
    (aside.length ? asked : fields).map((field) => field.node),
    aside.map((field) => notebook(field)),
  );
  if (!atOnce && !sends) {
    const shortcut = `${mac ? '⌘' : 'Ctrl'} + Enter sends`;
    const hint =
      !touch() && fields.some((field) => field.many) ? el('span', { class: 'hint', id: `${id}-keys` }, shortcut) : null;
    form.append(
      el(
        'div',
        { class: 'row end' },
        hint,
        el('button', { type: 'submit', class: 'button primary send', 'data-label': declared.submit }, declared.submit),
      ),
    );
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { choice: pressed, field } = event.submitter?.dataset ?? {};
    submit(pressed === undefined ? read() : { ...read(), [field ?? only.name]: pressed });
  });
  form.addEventListener('click', (event) => {
    // The second click of a double click on "Send" must not fall through to a button that has just appeared.
    if (atOnce && event.detail > 1) event.preventDefault();
  });
  // A button that appears under a resting pointer must not look chosen: only a pointer that moves lights it up.
  form.addEventListener('pointermove', ({ movementX, movementY }) => {
    if (movementX || movementY) form.classList.add('pointed');
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat && !atOnce) submit(read());
  });
  form.addEventListener('input', changed);
  return {
    name: declared.name,
    form,
    read,
    write(given) {
      for (const field of fields) if (given[field.name] !== undefined) field.write(given[field.name]);
      for (const folded of form.querySelectorAll('details.notebook')) folded.open = Boolean(folded.querySelector('textarea, input')?.value);
    },
    text: (given) =>
      declared.fields
        .filter((field) => field.kind === 'text' || field.kind === 'phrases')
        .map((field) => given[field.name] ?? '')
        .join('\n')
        .trim(),
    wrong: (given) => fields.map((field) => field.wrong(given[field.name])).find(Boolean) ?? null,
    focus({ gently = false } = {}) {
      // Choices get the group, not a button: a key still held down must not decide anything. On a touch screen the
      // keyboard would jump up and cover the conversation.
      const target = form.querySelector('input[type=text], textarea, select, fieldset');
      if (gently && touch() && target?.tagName !== 'FIELDSET') return;
      target?.focus({ preventScroll: gently });
    },
  };
}

/** A private field that may stay empty, behind a word. */
function notebook(field) {
  const title = field.node.querySelector('label')?.textContent ?? 'Notes to yourself';
  return el('details', { class: 'notebook' }, el('summary', {}, title), field.node);
}

/** `others` are the form's fields by name: one may look at what another holds; `lying` what lies before the seat. */
function control(field, id, atOnce, others, lying) {
  if (field.kind === 'compass') return compass(field);
  if (field.kind === 'map') return mapEditor(field, id, others);
  if (field.kind === 'shown') return tiles(field, id, lying);
  if (field.kind === 'sentence') return sentenceField(field, id);
  if (field.kind === 'paint') return paint(field, id);
  if (field.kind === 'phrases') return phrases(field, text(field, id));
  return field.kind === 'choice' ? choice(field, id, atOnce) : text(field, id);
}

function text(field, id) {
  const many = (field.lines ?? 1) > 1;
  const hints = [
    field.hint ?? field.words,
    field.private && 'Private: the others never see this.',
    field.optional && 'May stay empty.',
  ].filter(Boolean);
  const described = [hints.length && `${id}-hint`].filter(Boolean).join(' ') || null;
  const shared = { id, name: field.name, dir: 'auto', autocomplete: 'off', 'aria-describedby': described };
  const box = many
    ? el('textarea', { ...shared, rows: field.lines })
    : el('input', { ...shared, type: 'text', enterkeyhint: 'send' });
  if (many) box.style.setProperty('--lines', field.lines);
  const node = el(
    'div',
    { class: field.private ? 'field private' : 'field' },
    el('label', { for: id }, field.label),
    box,
    field.suggestions ? offered(field.suggestions, box) : null,
    hints.length ? el('p', { class: 'hint', id: `${id}-hint` }, hints.join(' ')) : null,
  );
  return {
    name: field.name,
    node,
    many,
    read: () => box.value,
    write: (value) => (box.value = value),
    wrong(value) {
      if (!field.optional && !value.trim()) return 'Nothing is written yet.';
      if (value.length > LONGEST && [...value].length > LONGEST) {
        return `That is ${[...value].length.toLocaleString('en')} characters; at most ${LONGEST.toLocaleString('en')} can be sent. Your text is still here.`;
      }
      return null;
    },
  };
}

/** Buttons that write a sentence into a box: [[label, text]]. What is written can still be changed. */
function offered(suggestions, box) {
  const write = (text) => () => {
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    if (!touch()) box.focus();
  };
  const buttons = suggestions.map(([label, text]) =>
    el('button', { type: 'button', class: 'button offer', title: text, onclick: write(text) }, label),
  );
  return el('div', { class: 'offers', role: 'group', 'aria-label': 'Write for me' }, buttons);
}

function choice(field, id, atOnce) {
  const legend = el('legend', {}, field.label);
  if (atOnce) {
    const buttons = field.options.map(({ value, label }) =>
      el('button', { type: 'submit', class: 'button choice', 'data-choice': value }, label),
    );
    const node = el('fieldset', { class: 'field', tabindex: '-1' }, legend, el('div', { class: 'choices' }, buttons));
    return {
      name: field.name,
      node,
      read: () => '',
      write() {},
      wrong: (value) => (value ? null : 'Press one of the buttons.'),
    };
  }
  if (field.options.length > FEW_RADIOS) {
    const options = field.options.map(({ value, label }) => el('option', { value }, label));
    const select = el('select', { id, name: field.name }, el('option', { value: '' }, 'Choose…'), options);
    const node = el('div', { class: 'field' }, el('label', { for: id }, field.label), select);
    return {
      name: field.name,
      node,
      read: () => select.value,
      write: (value) => (select.value = value),
      wrong: (value) => (value ? null : `Choose: ${field.label}.`),
    };
  }
  const radios = field.options.map(({ value }) => el('input', { type: 'radio', name: `${id}-${field.name}`, value }));
  const labels = field.options.map(({ label }, index) => el('label', {}, radios[index], el('span', {}, label)));
  const node = el('fieldset', { class: 'field pick', tabindex: '-1' }, legend, el('div', { class: 'choices' }, labels));
  return {
    name: field.name,
    node,
    read: () => radios.find((radio) => radio.checked)?.value ?? '',
    write: (value) => radios.forEach((radio) => (radio.checked = radio.value === value)),
    wrong: (value) => (value ? null : `Choose: ${field.label}.`),
  };
}
