// Choosing who sits at a seat: people, programs, the models of players.toml, and a model by its address. The server
// says which there are and refuses whoever may not sit there; this only offers.
import { el } from '/web/core/dom.js';
import { SEATING } from '/web/core/words.js';

const TYPED = 'address'; // the choice of writing an address oneself

/** Why a model cannot sit where pictures are shown or not; null when it can. */
export const absence = ({ unusable, sees }, pictures) =>
  unusable || (pictures && sees === false ? 'cannot see, and pictures are shown here' : null);

const facts = ({ weak, loads, costs }) =>
  [weak && 'weak', loads && 'runs here', costs && 'costs money'].filter(Boolean).join(', ');

/**
 * A field that asks who sits somewhere. `people` and `programs` are names of words.js, `models` what the server offers,
 * `addresses` says whether one may be typed. `value` is read and set; `changed` is called after a choice.
 */
export function playerChooser({
  id,
  label,
  people,
  programs,
  models = [],
  addresses = false,
  value,
  changed = () => {},
}) {
  const option = (name, words) => el('option', { value: name }, words);
  const known = (name) => option(name, SEATING[name] ?? name);
  const group = (title, options) => (options.length ? el('optgroup', { label: title }, options) : null);
  const listed = models.map((model) => option(model.name, [model.name, facts(model)].filter(Boolean).join(' · ')));
  if (addresses) listed.push(option(TYPED, 'Another model …'));
  const plain = [...people, ...programs].map(known);
  const groups = [group('People', people.map(known)), group('Programs', programs.map(known)), group('Models', listed)];
  const select = el('select', { id }, listed.length ? groups : plain);
  const hint = el('p', { class: 'hint', id: `${id}-about` });
  const box = el('input', {
    type: 'text',
    id: `${id}-address`,
    placeholder: 'openai/MODEL',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: 300,
    'aria-label': 'Address of the model',
  });
  const typed = el('div', { class: 'typed', hidden: true }, box, el('p', { class: 'hint' }, TYPED_HINT));
  const paint = () => {
    typed.hidden = select.value !== TYPED;
    const model = models.find(({ name }) => name === select.value);
    hint.textContent = model?.summary ?? '';
    hint.hidden = !hint.textContent;
    select.setAttribute('aria-describedby', model ? hint.id : '');
  };
  const field = {
    node: el('div', { class: 'field' }, el('label', { for: id }, label), select, hint, typed),
    get value() {
      return select.value === TYPED ? box.value.trim() : select.value;
    },
    set value(name) {
      select.value = name;
      if (select.selectedIndex < 0) {
        select.value = addresses ? TYPED : programs[0];
        box.value = addresses ? name : '';
      }
      paint();
    },
    /** What is missing before this can be sent; null when nothing is. */
    missing: () => (field.value ? null : 'Write the address of the model, such as openai/MODEL.'),
  };
  select.addEventListener('change', () => {
    paint();
    if (select.value === TYPED) box.focus();
    changed();
  });
  box.addEventListener('input', changed);
  field.value = value ?? [...people, ...programs][0];
  return field;
}

const TYPED_HINT = 'openai/MODEL, anthropic/MODEL or a server of players.toml; parameters after a ?';

/** The models that cannot sit here, each with the reason, folded; null when there are none. */
export function absentees(models, pictures) {
  const absent = models.map((model) => [model.name, absence(model, pictures)]).filter(([, why]) => why);
  if (!absent.length) return null;
  return el(
    'details',
    { class: 'settings absent' },
    el(
      'summary',
      {},
      absent.length === 1 ? 'A model that cannot play here' : `${absent.length} models that cannot play here`,
    ),
    el(
      'ul',
      {},
      absent.map(([name, why]) => el('li', {}, el('b', {}, name), `: ${why}`)),
    ),
  );
}
