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
 * The form of a seat. `send(ask, values, onTrouble)` delivers and resolves to {ok, error, why}; `keep(ask, values)` stores a
 * draft, `load(ask)` gives one back, `forget(askId)` drops it; `exhibits()` gives the exhibits in front of the seat, `goal()`
 * what it is to reach, `statements(seat)` what another seat has said; `begin(ask)` hears that something is asked, or asked
 * again.
 */
export class ReplyForm {
  /** @type {Ask | null} */
  #ask = null;
  /** @type {ReturnType<typeof createAlternative>[]} */
  #parts = []; // one per alternative, see `createAlternative` below
  #active = 0;
  #state = 'idle'; // idle → sending → sent (the next message from the table takes it from there)
  /** @type {Ask | null} */
  #pendingAsk = null; // the ask that is to be shown, perhaps once its widgets are loaded
  #lateTimer = 0;
  #guardTimer = 0;
  #isInvalid = false; // whether the problem is what this form lacks, not what the server answered
  #problem = el('p', { class: 'problem', role: 'alert' });
  #note = el('p', { class: 'note', role: 'status' });

  constructor({
    send,
    keep,
    load,
    forget,
    exhibits = () => [],
    begin = (_ask) => {},
    goal = () => '',
    statements = (_seat) => [],
  }) {
    this.node = el('div', { class: 'replybox' });
    this.node.addEventListener('input', () => this.#isInvalid && this.#showProblem('')); // it may hold no longer
    this.rescued = el('div', { class: 'rescued' });
    this.page = { send, keep, load, forget, exhibits, begin, goal, statements };
  }

  get #values() {
    return this.#parts[this.#active].read();
  }

  #setState(next) {
    this.#state = next;
    const busy = next !== 'idle';
    for (const { form } of this.#parts) {
      form.classList.toggle('busy', busy);
      for (const box of form.querySelectorAll('input[type=text], textarea')) box.readOnly = busy;
      for (const button of form.querySelectorAll('button, select, input[type=radio]'))
        button.disabled = busy || button.hasAttribute('data-closed'); // what a widget has closed stays closed
      const main = form.querySelector('button.send');
      if (main) main.textContent = busy ? 'Sending…' : main.dataset.label;
    }
    if (!busy) this.#note.textContent = '';
  }

  #showProblem(message) {
    this.#isInvalid = false;
    this.#problem.textContent = message ?? '';
    const box = this.#parts[this.#active]?.form.querySelector('input[type=text], textarea, select');
    if (!box) return;
    if (message) box.setAttribute('aria-invalid', 'true');
    else box.removeAttribute('aria-invalid');
  }

  async #submit(reply) {
    if (this.#state !== 'idle' || !this.#ask) return;
    const part = this.#parts[this.#active];
    const invalid = part.validate(reply);
    this.#showProblem(invalid);
    this.#isInvalid = Boolean(invalid);
    if (invalid) return part.focus();
    const answered = this.#ask;
    const refusals = answered.reminders ?? 0;
    this.#setState('sending');
    const answer = await this.page.send(answered, reply, () => {
      this.#note.textContent = 'No connection at the moment. Your reply is kept and sent again until it arrives.';
    });
    const isSame = this.#ask === answered;
    if (answer.ok) {
      // The table's next message may be here already: the next ask, or the same one because the rules refused.
      if (isSame && (answered.reminders ?? 0) !== refusals) return;
      this.page.forget(answered.id);
      if (!isSame) return;
      this.#setState('sent');
      const late = 'Sent. Waiting for the table to go on …';
      this.#lateTimer = setTimeout(() => (this.#note.textContent = late), 3000);
      return;
    }
    if (!isSame) return this.#rescue(part.text(reply), 'Your reply came too late and was not taken:');
    this.#setState('idle');
    this.#showProblem([answer.error, answer.why].filter(Boolean).map(asSentence).join(' '));
    part.focus();
  }

  /** Give back what somebody wrote for an ask that is gone. */
  #rescue(text, reason) {
    if (!text.trim()) return;
    const dismiss = el('button', { type: 'button', class: 'quiet' }, 'Dismiss');
    const buttons = el(
      'div',
      { class: 'row' },
      copyButton('Copy', () => text),
      dismiss,
    );
    const box = el('div', { class: 'rescue', role: 'status' }, el('p', {}, reason), messageText(text), buttons);
    dismiss.addEventListener('click', () => box.remove());
    this.rescued.replaceChildren(box);
  }

  #build(next) {
    const hadFocus = this.node.contains(document.activeElement);
    const forms = next.form.either ?? [next.form];
    const draft = this.page.load(next) ?? {};
    const surroundings = {
      exhibits: this.page.exhibits(),
      goal: this.page.goal(),
      statements: this.page.statements,
    };
    const onInput = () => this.#parts[this.#active] && this.page.keep(next.id, this.#values);
    this.#ask = next;
    this.#parts = forms.map((form) =>
      createAlternative(form, forms.length > 1, (reply) => this.#submit(reply), onInput, surroundings),
    );
    this.#active = Math.max(
      0,
      this.#parts.findIndex((part) => part.name === draft.form),
    );
    this.#parts[this.#active].write(draft);
    this.#setState('idle');
    this.page.begin(next);
    const tabs = forms.length > 1 ? this.#alternativeTabs(forms) : null;
    this.node.replaceChildren(
      ...[tabs, this.#problem, ...this.#parts.map((part) => part.form), this.#note].filter((part) => part !== null),
    );
    this.node.scrollTop = 0; // a form begins at its top
    this.#reveal();
    this.#guard();
    this.#showProblem(next.why);
    if (hadFocus || !document.activeElement || document.activeElement === document.body)
      this.#parts[this.#active].focus({ gently: true });
  }

  /** Let the choices that have just appeared take no click for a moment (the style sheet does it). */
  #guard() {
    clearTimeout(this.#guardTimer);
    this.node.classList.add('fresh');
    this.#guardTimer = setTimeout(() => this.node.classList.remove('fresh'), GUARD);
  }

  #alternativeTabs(forms) {
    const name = `either-${(serial += 1)}`;
    const options = forms.map((form, index) => {
      const isActive = index === this.#active;
      const radio = el('input', { type: 'radio', name, value: index, ...(isActive ? { checked: true } : {}) });
      radio.addEventListener('change', () => {
        this.#active = index;
        this.#showProblem(null);
        this.#reveal();
        this.page.keep(this.#ask?.id, this.#values);
      });
      return el('label', {}, radio, el('span', {}, form.title));
    });
    const legend = el('legend', { class: 'visually-hidden' }, 'What do you want to do?');
    return el('fieldset', { class: 'either' }, legend, options);
  }

  #reveal() {
    this.#parts.forEach(({ form }, index) => (form.hidden = index !== this.#active));
  }

  #clear() {
    this.#ask = null;
    this.#parts = [];
    this.#state = 'idle';
    this.#problem.textContent = this.#note.textContent = '';
    this.node.replaceChildren();
  }

  /** Say something below the form, or nothing. */
  notify(message) {
    if (this.#state === 'idle') this.#note.textContent = message;
  }

  /**
   * Show the form for `next` (an ask, or null). An update for the same ask never touches what is in the boxes.
   * `sent` holds the texts that this seat has sent, also from other tabs.
   */
  show(next, sent = []) {
    this.#pendingAsk = next;
    const kinds = next ? widgetKinds(next.form) : [];
    if (!areLoaded('fields', kinds)) {
      loadWidgets('fields', kinds).then(() => this.#pendingAsk === next && this.show(next, sent));
      return;
    }
    if (this.#ask && next && this.#ask.id === next.id) return this.#showAgain(this.#ask, next);
    if (this.#ask && this.#state === 'idle') {
      const text = this.#parts[this.#active].text(this.#values);
      if (!sent.includes(text)) this.#rescue(text, 'This turn is already over. Your text was not sent:');
      this.page.forget(this.#ask.id);
    }
    clearTimeout(this.#lateTimer);
    if (next) this.#build({ ...next });
    else this.#clear();
  }

  /** The same is asked: again because the rules refused the reply, or with nothing new. */
  #showAgain(ask, next) {
    const refused = (next.reminders ?? 0) !== (ask.reminders ?? 0) || (next.why && next.why !== ask.why);
    Object.assign(ask, { why: next.why, reminders: next.reminders });
    if (!refused) return;
    clearTimeout(this.#lateTimer);
    this.#setState('idle');
    this.page.begin(ask);
    this.#showProblem(next.why);
    this.page.keep(ask.id, this.#values);
    this.#parts[this.#active].focus({ gently: true });
  }
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
  const isNote = (field) => Boolean(field.private && field.optional);
  const single = declared.fields.filter((field) => !isNote(field)).length === 1;
  /** @type {Record<string, Control>} */
  const controls = {}; // by name: a field may look at what another holds
  const fields = declared.fields.map((field, index) =>
    createControl(field, { id: `${id}-${index}`, alone: only !== null, single, controls, ...surroundings }),
  );
  for (const field of fields) controls[field.name] = field;
  const submits = fields.some((field) => field.submits);
  const read = () => {
    const values = Object.fromEntries(fields.map((field) => [field.name, field.read()]));
    return named ? { form: declared.name, ...values } : values;
  };
  // Notes to oneself come last and folded: what is asked for comes first.
  const notes = fields.filter((_, index) => isNote(declared.fields[index]));
  const required = fields.filter((field) => !notes.includes(field));
  const folded = required.length > 0 ? notes : [];
  const form = el(
    'form',
    { class: 'ask', novalidate: true },
    (folded.length ? required : fields).map((field) => field.node),
    folded.map((field) => notebook(field)),
  );
  if (!atOnce && !submits) {
    const boxes = (folded.length ? required : fields).filter((field) => field.multiline);
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
      requestAnimationFrame(() => {
        form.scrollIntoView({ block: 'nearest' }); // with its button, where it fits into the window
        target?.scrollIntoView({ block: 'nearest' });
      });
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
 * form, `multiline` if one writes lines into it.
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
