// The reply form: drawn from the declaration of what is asked right now, nothing else can be sent. Text stays in its
// box until the server has taken it. Knows forms, not games: fields of kinds that a game brings are loaded widgets.
import { copyButton, el, messageText } from '/web/core/dom.js';
import { areLoaded, loadWidgets, widget } from '/web/core/widgets.js';
import { createField as createChoiceField, sendsAtOnce } from '/web/table/fields/choice.js';
import { createField as createPhrasesField } from '/web/table/fields/phrases.js';
import { createField as createTextField } from '/web/table/fields/text.js';
import { createField as createTilesField } from '/web/table/fields/tiles.js';

const GUARD = 300; // milliseconds in which a new choice takes no click: it was meant for what stood there before
const isTouch = () => matchMedia('(pointer: coarse)').matches;
const isMac = /mac|iphone|ipad/i.test(navigator.platform);
/** Whether a key belongs to an input method: Enter then chooses a word. Safari says it by the code alone. */
const isComposing = (event) => event.isComposing || event.keyCode === 229;
let serial = 0;

/**
 * `send(ask, values, onTrouble)` delivers and resolves to {ok, error, why}; `keep(ask, values)` stores a draft,
 * `load(ask)` gives one back, `forget(askId)` drops it; `exhibits()` gives the exhibits in front of the seat,
 * `goal()` what it is to reach; `begin(ask)` hears that something is asked, or asked again.
 */
export function replyForm({ send, keep, load, forget, exhibits = () => [], begin = (_ask) => {}, goal = () => '' }) {
  const node = el('div', { class: 'replybox' });
  const rescued = el('div', { class: 'rescued' });
  /** @type {Ask | null} */
  let ask = null;
  /** @type {ReturnType<typeof createAlternative>[]} */
  let parts = []; // one per alternative, see `createAlternative` below
  let active = 0;
  let state = 'idle'; // idle → sending → sent (the next message from the table takes it from there)
  /** @type {Ask | null} */
  let pendingAsk = null; // the ask that is to be shown, perhaps once its widgets are loaded
  let lateTimer = 0;
  let guardTimer = 0;

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
        button.disabled = busy || button.hasAttribute('data-closed'); // what a widget has closed stays closed
      const main = form.querySelector('button.send');
      if (main) main.textContent = busy ? 'Sending…' : main.dataset.label;
    }
    if (!busy) note.textContent = '';
  }

  function showProblem(message) {
    problem.textContent = message ?? '';
    const box = parts[active]?.form.querySelector('input[type=text], textarea, select');
    if (!box) return;
    if (message) box.setAttribute('aria-invalid', 'true');
    else box.removeAttribute('aria-invalid');
  }

  async function submit(reply) {
    if (state !== 'idle' || !ask) return;
    const invalid = parts[active].validate(reply);
    if (invalid) {
      showProblem(invalid);
      return parts[active].focus();
    }
    showProblem(null);
    const answered = ask;
    const part = parts[active];
    const refusals = answered.reminders ?? 0;
    setState('sending');
    const answer = await send(answered, reply, () => {
      note.textContent = 'No connection at the moment. Your reply is kept and sent again until it arrives.';
    });
    if (answer.ok) {
      // The table's next message may be here already: the next ask, or the same one because the rules refused.
      if (ask === answered && (answered.reminders ?? 0) !== refusals) return;
      forget(answered.id);
      if (ask !== answered) return;
      setState('sent');
      lateTimer = setTimeout(() => (note.textContent = 'Sent. Waiting for the table to go on …'), 3000);
      return;
    }
    if (ask !== answered) return rescue(part.text(reply), 'Your reply came too late and was not taken:');
    setState('idle');
    showProblem([answer.error, answer.why].filter(Boolean).map(asSentence).join(' '));
    parts[active].focus();
  }

  /** Give back what somebody wrote for an ask that is gone. */
  function rescue(text, reason) {
    if (!text.trim()) return;
    const dismiss = el('button', { type: 'button', class: 'quiet' }, 'Dismiss');
    const box = el(
      'div',
      { class: 'rescue', role: 'status' },
      el('p', {}, reason),
      messageText(text),
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
    const hadFocus = node.contains(document.activeElement);
    const forms = next.form.either ?? [next.form];
    const draft = load(next) ?? {};
    ask = next;
    parts = forms.map((form) =>
      createAlternative(form, forms.length > 1, submit, () => parts[active] && keep(next.id, values()), {
        exhibits: exhibits(),
        goal: goal(),
      }),
    );
    active = Math.max(
      0,
      parts.findIndex((part) => part.name === draft.form),
    );
    parts[active].write(draft);
    setState('idle');
    begin(next);
    const tabs = forms.length > 1 ? alternativeTabs(forms) : null;
    node.replaceChildren(...[tabs, problem, ...parts.map((part) => part.form), note].filter(Boolean));
    node.scrollTop = 0; // a form begins at its top
    reveal();
    guard();
    showProblem(next.why);
    if (hadFocus || !document.activeElement || document.activeElement === document.body)
      parts[active].focus({ gently: true });
  }

  /** Let the choices that have just appeared take no click for a moment (the style sheet does it). */
  function guard() {
    clearTimeout(guardTimer);
    node.classList.add('fresh');
    guardTimer = setTimeout(() => node.classList.remove('fresh'), GUARD);
  }

  function alternativeTabs(forms) {
    const name = `either-${(serial += 1)}`;
    const options = forms.map((form, index) => {
      const radio = el('input', { type: 'radio', name, value: index, ...(index === active ? { checked: true } : {}) });
      radio.addEventListener('change', () => {
        active = index;
        showProblem(null);
        reveal();
        keep(ask?.id, values());
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
    /** Say something below the form, or nothing. */
    notify(message) {
      if (state === 'idle') note.textContent = message;
    },
    /**
     * Show the form for `next` (an ask, or null). An update for the same ask never touches what is in the boxes.
     * `sent` holds the texts that this seat has sent, also from other tabs.
     */
    show(next, sent = []) {
      pendingAsk = next;
      const kinds = next ? widgetKinds(next.form) : [];
      if (!areLoaded('fields', kinds)) {
        loadWidgets('fields', kinds).then(() => pendingAsk === next && this.show(next, sent));
        return;
      }
      if (ask && next && ask.id === next.id) {
        const refused = (next.reminders ?? 0) !== (ask.reminders ?? 0) || (next.why && next.why !== ask.why);
        ask = Object.assign(ask, { why: next.why, reminders: next.reminders });
        if (!refused) return;
        clearTimeout(lateTimer);
        setState('idle');
        begin(ask);
        showProblem(next.why);
        keep(ask.id, values());
        parts[active].focus({ gently: true });
        return;
      }
      if (ask && state === 'idle') {
        const text = parts[active].text(values());
        if (!sent.includes(text)) rescue(text, 'This turn is already over. Your text was not sent:');
        forget(ask.id);
      }
      clearTimeout(lateTimer);
      if (next) build({ ...next });
      else clear();
    },
  };
}

const asSentence = (message) => {
  const text = String(message).trim();
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…:]$/.test(capital) ? capital : `${capital}.`;
};

/** One form of fields with its submit button. */
function createAlternative(declared, named, submit, onInput, surroundings) {
  const id = `reply-${(serial += 1)}`;
  const only = declared.fields.length === 1 ? declared.fields[0] : null;
  const atOnce = only !== null && sendsAtOnce(only);
  /** @type {Record<string, Control>} */
  const controls = {}; // by name: a field may look at what another holds
  const fields = declared.fields.map((field, index) =>
    createControl(field, { id: `${id}-${index}`, alone: only !== null, controls, ...surroundings }),
  );
  for (const field of fields) controls[field.name] = field;
  const submits = fields.some((field) => field.submits);
  const read = () => {
    const values = Object.fromEntries(fields.map((field) => [field.name, field.read()]));
    return named ? { form: declared.name, ...values } : values;
  };
  // Notes to oneself come last and folded: what is asked for comes first.
  const notes = fields.filter((_, index) => declared.fields[index].private && declared.fields[index].optional);
  const required = fields.filter((field) => !notes.includes(field));
  const folded = required.length > 0 ? notes : [];
  const form = el(
    'form',
    { class: 'ask', novalidate: true },
    (folded.length ? required : fields).map((field) => field.node),
    folded.map((field) => notebook(field)),
  );
  if (!atOnce && !submits) {
    const boxes = fields.filter((field) => field.multiline);
    const keys = boxes.every((field) => field.enterSends) ? 'Enter' : `${isMac ? '⌘' : 'Ctrl'} + Enter`;
    const hint = !isTouch() && boxes.length ? el('span', { class: 'hint', id: `${id}-keys` }, `${keys} sends`) : null;
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
    if (event.key !== 'Enter' || isComposing(event) || event.shiftKey) return;
    const field = fields.find(({ node }) => node.contains(event.target));
    const isForced = event.ctrlKey || event.metaKey;
    if (!isForced && !(field?.enterSends && event.target instanceof HTMLTextAreaElement && !isTouch())) return;
    event.preventDefault();
    if (event.repeat || atOnce) return;
    const next = fields[fields.indexOf(field) + 1];
    if (!isForced && next?.submits)
      next.node.focus(); // a direction is still to be chosen
    else submit(read());
  });
  form.addEventListener('input', onInput);
  return {
    name: declared.name,
    form,
    read,
    write(values) {
      for (const field of fields) if (values[field.name] !== undefined) field.write(values[field.name]);
      for (const details of form.querySelectorAll('details.notebook'))
        details.open = Boolean(details.querySelector('textarea, input')?.value);
    },
    text: (values) => writtenText(declared.fields, values),
    validate: (values) => fields.map((field) => field.validate(values[field.name])).find(Boolean) ?? null,
    focus({ gently = false } = {}) {
      // Choices get the group, not a button: a key still held down must not decide anything. On a touch screen the
      // keyboard would jump up and cover the conversation.
      const target = form.querySelector('input[type=text], textarea, select, fieldset');
      if (gently && isTouch() && target?.tagName !== 'FIELDSET') return;
      target?.focus({ preventScroll: true });
      requestAnimationFrame(() => target?.scrollIntoView({ block: 'nearest' })); // never out of sight
    },
  };
}

/** What somebody wrote in their own words, without choices. */
export const writtenText = (fields, values) =>
  fields
    .filter((field) => field.kind === 'text' || field.kind === 'phrases')
    .map((field) => values[field.name] ?? '')
    .join('\n')
    .trim();

/** A private field that may stay empty, folded. */
function notebook(field) {
  const title = field.node.querySelector('label')?.textContent ?? 'Notes to yourself';
  return el('details', { class: 'notebook' }, el('summary', {}, title), field.node);
}

/**
 * Field kinds that the pages know themselves; others are widgets that games bring.
 *
 * @type {Record<string, (field: Field, context: FieldContext) => Control>}
 */
const FIELDS = {
  text: createTextField,
  choice: createChoiceField,
  phrases: createPhrasesField,
  shown: createTilesField,
};

/**
 * The kinds of fields in a form that only a game's widget can draw.
 *
 * @param {Form} form
 */
const widgetKinds = (form) =>
  (form.either ?? [form])
    .flatMap(({ fields }) => fields.map(({ kind }) => kind))
    .filter((kind) => !Object.hasOwn(FIELDS, kind));

/**
 * A field as a control: {name, node, read(), write(value), validate(value)}, and `submits` if its own buttons send the
 * form, `multiline` if one writes lines into it. `context` is {id, alone, controls, exhibits}.
 *
 * @param {Field} field
 * @param {FieldContext} context
 * @returns {Control}
 */
function createControl(field, context) {
  if (FIELDS[field.kind]) return FIELDS[field.kind](field, context);
  const module = widget('fields', field.kind);
  if (module?.createField) return module.createField(field, context);
  return module ? createMissingField(field) : createTextField(field, context);
}

/** What stands for a field whose widget could not be loaded. */
function createMissingField(field) {
  const message = 'A part of this form could not be loaded. Reload the page to try again.';
  return {
    name: field.name,
    node: el('p', { class: 'problem' }, message),
    read: () => '',
    write() {},
    validate: () => message,
  };
}
