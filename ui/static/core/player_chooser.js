// Choosing who sits at a seat: people, programs, the models of players.toml, and a model by its address. The server
// decides who may sit there; this module only shows the options.
import { el } from '/web/core/dom.js';
import { SEAT_OPTIONS } from '/web/core/words.js';

const ADDRESS = 'address'; // the choice of writing an address oneself

/** Why a model cannot sit where pictures are shown or not; null when it can. */
export const unavailableReason = ({ unusable, sees }, pictures) =>
  unusable || (pictures && sees === false ? 'cannot see, and pictures are shown here' : null);

/** What to know of a model before it is chosen: how good, where it runs, how long a reply takes, what it costs. */
export const modelFacts = ({ weak, loads, costs, reply_seconds: seconds }) =>
  [weak && 'weak', loads && 'runs here', seconds && `about ${Math.ceil(seconds)} s a reply`, costs && 'costs money']
    .filter(Boolean)
    .join(', ');

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
  changed: onChange = () => {},
}) {
  const option = (name, words) => el('option', { value: name }, words);
  const playerOption = (name) => option(name, SEAT_OPTIONS[name] ?? name);
  const group = (title, options) => (options.length ? el('optgroup', { label: title }, options) : null);
  const modelOptions = models.map((model) =>
    option(model.name, [model.name, modelFacts(model)].filter(Boolean).join(' · ')),
  );
  if (addresses) modelOptions.push(option(ADDRESS, 'Another model …'));
  const allOptions = [...people, ...programs].map(playerOption);
  const groups = [
    group('People', people.map(playerOption)),
    group('Programs', programs.map(playerOption)),
    group('Models', modelOptions),
  ];
  const select = el('select', { id }, modelOptions.length ? groups : allOptions);
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
  const addressBox = el('div', { class: 'typed', hidden: true }, box, el('p', { class: 'hint' }, ADDRESS_HINT));
  const paint = () => {
    addressBox.hidden = select.value !== ADDRESS;
    const model = models.find(({ name }) => name === select.value);
    hint.textContent = model?.summary ?? '';
    hint.hidden = !hint.textContent;
    select.setAttribute('aria-describedby', model ? hint.id : '');
  };
  const field = {
    node: el('div', { class: 'field' }, el('label', { for: id }, label), select, hint, addressBox),
    get value() {
      return select.value === ADDRESS ? box.value.trim() : select.value;
    },
    set value(name) {
      select.value = name;
      if (select.selectedIndex < 0) {
        select.value = addresses ? ADDRESS : programs[0];
        box.value = addresses ? name : '';
      }
      paint();
    },
    /** What is missing before this can be sent; null when nothing is. */
    missing: () => (field.value ? null : 'Write the address of the model, such as openai/MODEL.'),
  };
  select.addEventListener('change', () => {
    paint();
    if (select.value === ADDRESS) box.focus();
    onChange();
  });
  box.addEventListener('input', onChange);
  field.value = value ?? [...people, ...programs][0];
  return field;
}

const ADDRESS_HINT = 'openai/MODEL, anthropic/MODEL or a server of players.toml; parameters after a ?';

/** The models that cannot sit here, each with the reason, folded; null when there are none. */
export function unavailableModels(models, pictures) {
  const unavailable = models
    .map((model) => [model.name, unavailableReason(model, pictures)])
    .filter(([, reason]) => reason);
  if (!unavailable.length) return null;
  return el(
    'details',
    { class: 'settings absent' },
    el(
      'summary',
      {},
      unavailable.length === 1 ? 'A model that cannot play here' : `${unavailable.length} models that cannot play here`,
    ),
    el(
      'ul',
      {},
      unavailable.map(([name, reason]) => el('li', {}, el('b', {}, name), `: ${reason}`)),
    ),
  );
}
