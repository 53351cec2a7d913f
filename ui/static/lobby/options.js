// Setting up a table in a dialog: variant, who sits where, who may join, instance, settings, time for a reply.

import { seatName } from '/web/core/company.js';
import { el } from '/web/core/dom.js';
import { playerChooser, unavailableModels, unavailableReason } from '/web/core/player_chooser.js';
import { instanceChooser } from '/web/lobby/instances.js';
import { openTable } from '/web/lobby/tables.js';

const ME = 'person';
const INVITE = 'invite';
const ANY = '*'; // a seat drawn for me
const MANY = 2; // more seats than this are set in one go, and each by itself only on demand
const TURN_LIMITS = [
  ['', 'No limit'],
  ['60', '1 minute'],
  ['180', '3 minutes'],
  ['600', '10 minutes'],
  ['86400', '1 day'],
];

/** Where the rules are of what Play starts. */
export const rulesAddress = ({ name, start }) =>
  `/rules?${new URLSearchParams({ game: name, variant: start.variant })}`;

/** Open the dialog in which a table of a game is set up. `state` says which models this browser may seat, and more. */
export function chooseOptions(game, state) {
  const id = `setup-${game.name}`;
  const dialog = el(
    'dialog',
    { class: 'ludens options', 'aria-labelledby': id },
    el(
      'div',
      { class: 'heading' },
      el('h2', { id }, game.title),
      el(
        'form',
        { method: 'dialog' },
        el('button', { class: 'quiet close', 'aria-label': 'Close', value: 'close' }, '✕'),
      ),
    ),
    el('p', {}, `${game.blurb} `, el('a', { href: rulesAddress(game) }, 'Rules in 20 seconds')),
    setupForm(game, state),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close()); // beside it
  document.body.append(dialog);
  dialog.showModal();
}

function setupForm(game, state) {
  const id = `game-${game.name}`;
  const problem = el('p', { class: 'problem', role: 'alert' });
  const preview = el('p', { class: 'preview', role: 'status' });
  const start = el('button', { type: 'submit', class: 'button primary' });
  const practice = el('input', { type: 'checkbox', name: 'practice' });
  const seats = seatsPart(id, state, () => paint());
  const instance = instanceChooser(id, () => paint());
  const joining = joiningPart(id);
  const timing = timingPart(id);
  const settings = settingsPart(id, game.settings ?? []);
  let variant = game.variants.find(({ name }) => name === game.start.variant) ?? game.variants[0];

  function setVariant(next) {
    variant = next;
    seats.offer(next, game.start.seat);
    instance.offer(state.choose ? (next.experiments ?? []) : []);
    paint();
  }
  function paint() {
    const values = Object.values(seats.players());
    const isOpen = values.includes(INVITE);
    const people = values.includes(ME) || isOpen;
    instance.company(values.includes(ME) ? 'me' : people ? 'others' : 'programs');
    start.textContent = values.includes(ME) ? 'Start game' : people ? 'Open the table' : 'Watch them play';
    preview.textContent = isOpen
      ? 'You get a link for each invited seat, to send on or to scan.'
      : people
        ? ''
        : 'Both sides are visible, live, to everybody here.';
    joining.node.hidden = !isOpen;
    timing.node.hidden = !people;
    practice.disabled = !people;
  }
  function submit(event) {
    event.preventDefault();
    problem.textContent = seats.missing() ?? '';
    if (problem.textContent) return;
    const body = { game: game.name, variant: variant.name, seats: seats.players(), ...instance.chosen() };
    if (practice.checked && !practice.disabled) body.practice = true;
    if (!joining.node.hidden) Object.assign(body, joining.chosen());
    if (!timing.node.hidden) Object.assign(body, timing.chosen());
    openTable({ ...body, ...settings.chosen() }, start, problem);
  }
  const form = el(
    'form',
    { class: 'setup' },
    game.variants.length > 1 && variantPart(id, game.variants, variant, setVariant),
    seats.node,
    joining.node,
    instance.node,
    timing.node,
    settings.node,
    el('label', { class: 'practice-choice' }, practice, el('span', {}, 'Practice round, not counted')),
    preview,
    el('div', { class: 'row' }, start),
    problem,
  );
  form.addEventListener('submit', submit);
  setVariant(variant);
  return form;
}

function variantPart(id, variants, chosen, onChange) {
  const choice = (each) => {
    const checked = each === chosen;
    const radio = el('input', { type: 'radio', name: `${id}-variant`, value: each.name, checked });
    radio.addEventListener('change', () => onChange(each));
    return el('label', {}, radio, el('span', {}, each.title));
  };
  return el(
    'fieldset',
    { class: 'pick' },
    el('legend', {}, 'Variant'),
    el('div', { class: 'choices' }, variants.map(choice)),
  );
}

/** Who sits where. `offer` draws the seats of a variant, `players` returns the player of each seat. */
function seatsPart(id, { models, addresses, admin }, onChange) {
  const node = el('div', { class: 'company' });
  const each = el('div', { class: 'seats' });
  const fold = el('details', { class: 'settings' }, el('summary', {}, 'Set each seat'), each);
  /** @type {{seats: string[], players: string[], pictures: boolean}} */
  let variant = { seats: [], players: [], pictures: false };
  let usable = models;
  /** @type {Record<string, any>} */
  let rows = {};
  /** @type {(() => void) | null} */
  let draw = null; // draws my seat anew, as long as any will do

  const programs = () => variant.players.filter((player) => player !== ME);
  const fields = (label, people, value, changed, rowId) =>
    playerChooser({ id: rowId, label, people, programs: programs(), models: usable, addresses, value, changed });
  function seatRow(seat, value) {
    const changed = () => {
      draw = null;
      if (rows[seat].value === ME)
        for (const other of variant.seats) // I can sit at one seat only
          if (other !== seat && rows[other].value === ME) rows[other].value = 'scripted';
      onChange();
    };
    const people = variant.players.includes(ME) ? [ME, INVITE] : [];
    return fields(seatName(seat), people, value, changed, `${id}-${seat}`);
  }
  /** My seat and the player of all others, for tables of many seats; the fold below sets each by itself. */
  function manySeatsForm(seats) {
    const options = [
      el('option', { value: ANY }, 'Any seat'),
      ...seats.map((seat) => el('option', { value: seat }, seatName(seat))),
      el('option', { value: '' }, 'None, I watch'),
    ];
    const mine = el('select', { id: `${id}-mine` }, options);
    mine.value = ANY;
    const label = seats.length > 6 ? `The other ${seats.length - 1}` : 'All others';
    const others = fields(label, [INVITE], 'scripted', () => set(), `${id}-others`);
    const set = () => {
      const at = mine.value === ANY ? seats[Math.floor(Math.random() * seats.length)] : mine.value;
      draw = mine.value === ANY ? set : null;
      for (const seat of seats) rows[seat].value = seat === at ? ME : others.value;
      onChange();
    };
    mine.addEventListener('change', set);
    const form = el(
      'div',
      { class: 'seats' },
      el('div', { class: 'field' }, el('label', { for: mine.id }, 'My seat'), mine),
      others.node,
    );
    return { form, set };
  }
  return {
    node,
    offer(next, mySeat) {
      const before = Object.fromEntries(Object.entries(rows).map(([seat, row]) => [seat, row.value]));
      variant = next;
      usable = models.filter((model) => !unavailableReason(model, next.pictures));
      const unusable = models.filter((model) => !usable.includes(model)).map((model) => model.name);
      const first = mySeat ?? next.seats[0];
      const player = (seat) => {
        const kept = before[seat] ?? (seat === first ? ME : 'scripted');
        return unusable.includes(kept) ? 'scripted' : kept;
      };
      rows = Object.fromEntries(next.seats.map((seat) => [seat, seatRow(seat, player(seat))]));
      each.replaceChildren(...Object.values(rows).map((row) => row.node));
      const many = next.seats.length > MANY ? manySeatsForm(next.seats) : null;
      const absent = admin ? unavailableModels(models, next.pictures) : null; // how to set them up is the owner's business
      node.replaceChildren(...[...(many ? [many.form, fold] : [each]), absent].filter((part) => part !== null));
      many?.set();
    },
    players: () => Object.fromEntries(Object.entries(rows).map(([seat, row]) => [seat, row.value])),
    /** What is missing before the table can be opened; draws my seat where any will do. */
    missing() {
      draw?.();
      return Object.values(rows)
        .map((row) => row.missing())
        .find(Boolean);
    },
  };
}

/** Whether free seats are listed in the lobby. */
function joiningPart(id) {
  const radio = (value, words, checked) =>
    el('label', {}, el('input', { type: 'radio', name: `${id}-joining`, value, checked }), el('span', {}, words));
  const node = el(
    'fieldset',
    { class: 'pick', hidden: true },
    el('legend', {}, 'Who can join'),
    el(
      'div',
      { class: 'choices' },
      radio('link', 'Whoever has the link', true),
      radio('listed', 'Everybody here, too', false),
    ),
  );
  const chosen = () => (node.querySelector('input:checked')?.value === 'listed' ? { listed: true } : {});
  return { node, chosen };
}

/** How long a reply may take, and what happens then. */
function timingPart(id) {
  const options = (pairs) => pairs.map(([value, words]) => el('option', { value }, words));
  const limit = el('select', { id: `${id}-limit` }, options(TURN_LIMITS));
  const rules = [
    ['program', 'A program takes the seat'],
    ['abandon', 'The game ends'],
  ];
  const rule = el('select', { id: `${id}-silent` }, options(rules));
  const after = el('div', { class: 'field' }, el('label', { for: rule.id }, 'If somebody is silent'), rule);
  const paint = () => (after.hidden = !limit.value);
  limit.addEventListener('change', paint);
  paint();
  const node = el(
    'details',
    { class: 'settings' },
    el('summary', {}, 'Time for a reply'),
    el(
      'div',
      { class: 'seats' },
      el('div', { class: 'field' }, el('label', { for: limit.id }, 'Each reply has to come within'), limit),
      after,
    ),
  );
  const chosen = () => (limit.value ? { turn_seconds: Number(limit.value), turn_rule: rule.value } : {});
  return { node, chosen };
}

/** The game's own settings; only those that differ from the default are sent. */
function settingsPart(id, settings) {
  const fields = settings.map((setting) => {
    const options = setting.options.map(({ value, label }) => el('option', { value: JSON.stringify(value) }, label));
    const select = el('select', { name: setting.name, id: `${id}-${setting.name}` }, options);
    select.value = JSON.stringify(setting.value);
    return {
      setting,
      select,
      row: el('div', { class: 'field' }, el('label', { for: select.id }, setting.label), select),
    };
  });
  const rows = fields.map(({ row }) => row);
  const node = rows.length > 0 && el('details', { class: 'settings' }, el('summary', {}, 'Settings'), rows);
  const chosen = () => {
    const changed = fields.filter(({ setting, select }) => select.value !== JSON.stringify(setting.value));
    if (!changed.length) return {};
    return {
      settings: Object.fromEntries(changed.map(({ setting, select }) => [setting.name, JSON.parse(select.value)])),
    };
  };
  return { node, chosen };
}
