// The lobby: one click to play, tables set up seat by seat, what is open, what is running, what is over.

import { seatName } from '/web/core/company.js';
import { api, el, formatAge } from '/web/core/dom.js';
import { answerButtons } from '/web/core/joining.js';
import { connect } from '/web/core/live.js';
import { playerChooser, unavailableModels, unavailableReason } from '/web/core/player_chooser.js';
import { privacyDetails } from '/web/core/privacy.js';
import { fileAddress } from '/web/core/styles.js';
import { playerName, RECORDING_NOTICE } from '/web/core/words.js';

const ME = 'person';
const INVITE = 'invite';
const ANY = '*'; // a seat drawn for me
const FOLD = 3; // so many open games are shown at once
const MANY = 2; // more seats than this are set in one go, and each by itself only on demand

export function mount(root) {
  const lists = el('div', { class: 'lists' });
  const cards = el('div', { class: 'cards' });
  const openGamesSection = el('section', { class: 'open-games', 'aria-labelledby': 'mine', hidden: true });
  const askingSection = el('section', { class: 'asking', 'aria-labelledby': 'asking', hidden: true });
  const hero = el('div', { class: 'actions' });
  const shelf = el('nav', { class: 'shelf', 'aria-label': 'Games' });
  root.replaceChildren(
    el(
      'section',
      { class: 'hero' },
      el(
        'div',
        { class: 'words' },
        el('h1', {}, 'Play'),
        el(
          'p',
          { class: 'lead' },
          'Ludens is a table at which people and language models play the same dialogue games, by the same rules, judged the same way.',
        ),
        hero,
        el('p', { class: 'recorded' }, RECORDING_NOTICE),
      ),
      el('img', { src: fileAddress('/web/lobby/table.svg'), alt: '', width: 320, height: 260 }),
    ),
    askingSection,
    openGamesSection,
    shelf,
    cards,
    lists,
    privacyDetails(),
  );
  /** @type {Record<string, any>} */
  let state = { games: [], mine: [], opened: [], running: [], finished: [] };
  let drawnRequests = '';
  const paint = () => {
    const requests = JSON.stringify(state.asking ?? []);
    if (requests !== drawnRequests) drawRequests(askingSection, state.asking ?? []); // else a focused button would go
    drawnRequests = requests;
    drawOpenGames(openGamesSection, state.mine, state.opened);
    lists.replaceChildren(runningGames(state.running), finishedGames(state.finished));
  };

  async function load() {
    try {
      state = { ...state, ...(await api('/api/lobby')) };
    } catch (error) {
      hero.replaceChildren(
        el('p', { class: 'problem', role: 'alert' }, error.message),
        el('button', { type: 'button', class: 'button', onclick: load }, 'Try again'),
      );
      return;
    }
    drawActions(hero, state.games[0]);
    cards.replaceChildren(...state.games.map((game) => gameCard(game, state)));
    shelf.replaceChildren(...state.games.map(({ name, title }) => el('a', { href: `#game-${name}` }, title)));
    paint();
  }

  load();
  connect('/ws/lobby', {
    onState() {},
    onMessage(message) {
      state = { ...state, ...message };
      paint();
    },
  });
  addEventListener('pageshow', (event) => event.persisted && load());
}

/** Create a table and go there; says what went wrong in `problem`. */
async function openTable(body, button, problem) {
  problem.textContent = '';
  button.disabled = true;
  try {
    location.assign((await api('/api/tables', body)).go);
  } catch (error) {
    problem.textContent = [error.message, error.why].filter(Boolean).join('. ');
  }
  // Also after success: people come back to this page with the browser's Back button.
  setTimeout(() => (button.disabled = false), 1500);
}

function drawActions(place, game) {
  if (!game)
    return place.replaceChildren(
      el('p', { class: 'problem' }, 'No game is installed. `ludens doctor` says what is missing.'),
    );
  const seats = game.variants[0].seats;
  const [first, ...rest] = seats;
  const others = Object.fromEntries(rest.map((seat) => [seat, 'scripted']));
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = (label, kind, body) => {
    const element = el('button', { type: 'button', class: `button ${kind}` }, label);
    element.addEventListener('click', () => openTable(body, element, problem));
    return element;
  };
  place.replaceChildren(
    el(
      'div',
      { class: 'row' },
      button(`Play ${game.title} now`, 'primary big', {
        game: game.name,
        variant: null,
        seats: { [first]: ME, ...others },
      }),
      button('Watch two scripted players', 'big', {
        game: game.name,
        variant: null,
        seats: { [first]: 'scripted', ...others },
      }),
    ),
    problem,
  );
}

/** A game's card. `models` and `addresses` say which models this browser may seat, `choose` whether it may choose what is played. */
function gameCard(game, { models = [], addresses = false, choose = true }) {
  const id = `game-${game.name}`;
  const problem = el('p', { class: 'problem', role: 'alert' });
  const seatRows = el('div', { class: 'seats' });
  const preview = el('p', { class: 'preview', role: 'status' });
  const start = el('button', { type: 'submit', class: 'button primary' });
  const practice = el('input', { type: 'checkbox', name: 'practice' });
  const instance = instanceChooser(id, () => paint());
  let variant = game.variants[0];
  let seatPlayers = {};
  let rows = {}; // the chooser of each seat
  const absent = el('div', {});
  const company = el('div', { class: 'company' });
  const fold = el('details', { class: 'settings' }, el('summary', {}, 'Set each seat'), seatRows);
  /** @type {(() => void) | null} */
  let draw = null; // draws my seat anew, as long as any will do

  const variants = el(
    'fieldset',
    { class: 'pick' },
    el('legend', {}, 'Variant'),
    el(
      'div',
      { class: 'choices' },
      game.variants.map((each, index) => {
        const radio = el('input', {
          type: 'radio',
          name: `${id}-variant`,
          value: each.name,
          ...(index === 0 ? { checked: true } : {}),
        });
        radio.addEventListener('change', () => setVariant(each));
        return el('label', {}, radio, el('span', {}, each.title));
      }),
    ),
  );
  const settings = (game.settings ?? []).map((setting) => {
    const select = el(
      'select',
      { name: setting.name, id: `${id}-${setting.name}` },
      setting.options.map(({ value, label }) => el('option', { value: JSON.stringify(value) }, label)),
    );
    select.value = JSON.stringify(setting.value);
    return {
      setting,
      select,
      row: el('div', { class: 'field' }, el('label', { for: select.id }, setting.label), select),
    };
  });

  function setVariant(next) {
    variant = next;
    seatPlayers = Object.fromEntries(
      next.seats.map((seat, index) => [seat, seatPlayers[seat] ?? (index === 0 ? ME : 'scripted')]),
    );
    const usable = models.filter((model) => !unavailableReason(model, next.pictures));
    const unusable = models.filter((model) => !usable.includes(model)).map((model) => model.name);
    for (const seat of next.seats) if (unusable.includes(seatPlayers[seat])) seatPlayers[seat] = 'scripted';
    rows = Object.fromEntries(next.seats.map((seat) => [seat, seatRow(seat, usable)]));
    company.replaceChildren(...(next.seats.length > MANY ? [manySeatsForm(next.seats, usable), fold] : [seatRows]));
    seatRows.replaceChildren(...Object.values(rows).map(({ node }) => node));
    absent.replaceChildren(...[unavailableModels(models, next.pictures)].filter(Boolean));
    instance.offer(choose ? (next.experiments ?? []) : []);
    paint();
  }

  /** My seat and the player of all others, for tables of many seats; the fold below sets each by itself. */
  function manySeatsForm(seats, usable) {
    const mySeatSelect = el(
      'select',
      { id: `${id}-mine` },
      el('option', { value: ANY }, 'Any seat'),
      seats.map((seat) => el('option', { value: seat }, seatName(seat))),
      el('option', { value: '' }, 'None, I watch'),
    );
    mySeatSelect.value = ANY;
    const others = playerChooser({
      id: `${id}-others`,
      label: seats.length > 6 ? `The other ${seats.length - 1}` : 'All others',
      people: [INVITE],
      programs: variant.players.filter((player) => player !== ME),
      models: usable,
      addresses,
      value: 'scripted',
      changed: () => set(),
    });
    const set = () => {
      const at = mySeatSelect.value === ANY ? seats[Math.floor(Math.random() * seats.length)] : mySeatSelect.value;
      draw = mySeatSelect.value === ANY ? set : null;
      for (const seat of seats) rows[seat].value = seatPlayers[seat] = seat === at ? ME : others.value;
      paint();
    };
    mySeatSelect.addEventListener('change', set);
    queueMicrotask(set);
    return el(
      'div',
      { class: 'seats' },
      el('div', { class: 'field' }, el('label', { for: mySeatSelect.id }, 'My seat'), mySeatSelect),
      others.node,
    );
  }

  function seatRow(seat, usable) {
    const changed = () => {
      seatPlayers[seat] = rows[seat].value;
      draw = null;
      // I can sit at one seat only.
      const otherSeats = variant.seats.filter(
        (other) => other !== seat && seatPlayers[other] === ME && seatPlayers[seat] === ME,
      );
      for (const other of otherSeats) rows[other].value = seatPlayers[other] = 'scripted';
      paint();
    };
    const programs = variant.players.filter((player) => player !== ME);
    const people = variant.players.includes(ME) ? [ME, INVITE] : [];
    const value = seatPlayers[seat];
    return playerChooser({
      id: `${id}-${seat}`,
      label: seatName(seat),
      people,
      programs,
      models: usable,
      addresses,
      value,
      changed,
    });
  }

  function paint() {
    const values = variant.seats.map((seat) => seatPlayers[seat]);
    const people = values.includes(ME) || values.includes(INVITE);
    instance.company(values.includes(ME) ? 'me' : people ? 'others' : 'programs');
    start.textContent = values.includes(ME) ? 'Start game' : people ? 'Open the table' : 'Watch them play';
    preview.textContent = values.includes(INVITE)
      ? 'You get a link for each invited seat, to send on or to scan.'
      : people
        ? ''
        : 'Both sides are visible, live, to everybody here.';
    practice.disabled = !people;
  }

  const form = el(
    'form',
    { class: 'setup' },
    game.variants.length > 1 && variants,
    company,
    absent,
    instance.node,
    settings.length > 0 &&
      el(
        'details',
        { class: 'settings' },
        el('summary', {}, 'Settings'),
        settings.map(({ row }) => row),
      ),
    el('label', { class: 'practice-choice' }, practice, el('span', {}, 'Practice round, not counted')),
    preview,
    el('div', { class: 'row' }, start),
    problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    draw?.();
    problem.textContent =
      Object.values(rows)
        .map((row) => row.missing())
        .find(Boolean) ?? '';
    if (problem.textContent) return;
    const body = { game: game.name, variant: variant.name, seats: { ...seatPlayers }, ...instance.chosen() };
    if (practice.checked && !practice.disabled) body.practice = true;
    const changed = settings.filter(({ setting, select }) => select.value !== JSON.stringify(setting.value));
    if (changed.length)
      body.settings = Object.fromEntries(
        changed.map(({ setting, select }) => [setting.name, JSON.parse(select.value)]),
      );
    openTable(body, start, problem);
  });
  setVariant(variant);
  return el(
    'section',
    { class: 'card', 'aria-labelledby': id },
    el(
      'div',
      { class: 'blurb' },
      el('h2', { id }, game.title),
      el('p', {}, game.blurb),
      game.rules?.length &&
        el(
          'details',
          { class: 'card-rules', open: innerWidth > 820 },
          el('summary', {}, 'How it is played'),
          el(
            'ol',
            { 'aria-label': 'Rules' },
            game.rules.map((rule) => el('li', {}, rule)),
          ),
        ),
      el(
        'p',
        {},
        el(
          'a',
          { href: `/rules?game=${encodeURIComponent(game.name)}`, 'aria-label': `${game.title}: rules in 20 seconds` },
          'Rules in 20 seconds',
        ),
      ),
    ),
    form,
  );
}

const COMPANY_TEXTS = {
  me: {
    summary: 'Choose the instance (the game is then not counted)',
    dropped:
      'You take a seat now: the instance you chose is not kept. Choose it anew below if you want to play informed.',
    words:
      'You are dealt a random instance because the kind of instance often is the answer. A game whose instance you chose counts as informed and is left out of baselines.',
  },
  others: {
    summary: 'Choose the instance',
    dropped: 'Others play now: the instance you chose is not kept. Choose it anew below if you want them to play it.',
    words:
      'Whoever you invite is not told what you choose here. Do not tell them: the kind of instance often is the answer.',
  },
};

const DROPPED_TEXT = 'Only programs play now: the instance you chose is not kept. Choose it anew.';

/**
 * Which instance is played: any, unless the reader chooses. In the open when only programs play; folded, with what it
 * means, when people do. `changed` is called after a choice.
 */
function instanceChooser(id, changed) {
  const experiment = el('select', { id: `${id}-experiment`, name: 'experiment' });
  const number = el('select', { id: `${id}-instance`, name: 'instance' });
  const field = (label, select) => el('div', { class: 'field' }, el('label', { for: select.id }, label), select);
  const fields = el('div', { class: 'seats which' }, field('Experiment', experiment), field('Instance', number));
  const summary = el('summary');
  const words = el('p', { class: 'hint' });
  const folded = el('details', { class: 'settings' }, summary, words);
  const node = el('div', {});
  let offered = [];
  let company = null;
  const note = el('p', { class: 'hint', role: 'status' });

  const any = (select, options) => select.replaceChildren(el('option', { value: '' }, 'any'), ...options);
  function numbers() {
    const count = offered.find(({ name: each }) => each === experiment.value)?.instances ?? 0;
    any(
      number,
      Array.from({ length: count }, (_, index) => el('option', { value: String(index) }, String(index))),
    );
    number.disabled = count === 0;
  }
  function forget() {
    experiment.value = '';
    numbers();
  }
  experiment.addEventListener('change', () => {
    numbers();
    note.textContent = '';
    changed();
  });

  return {
    node,
    /** Offer a variant's experiments. */
    offer(experiments) {
      offered = experiments;
      node.hidden = offered.length === 0;
      any(
        experiment,
        offered.map(({ name: each, title }) => el('option', { value: each }, title)),
      );
      numbers();
    },
    /** Say who sits at the table: "me" among others, only "others", or "programs". A choice does not move along. */
    company(now) {
      if (now === company) return;
      company = now;
      note.textContent = experiment.value ? (COMPANY_TEXTS[now]?.dropped ?? DROPPED_TEXT) : '';
      forget();
      if (now === 'programs') return node.replaceChildren(fields, note);
      summary.textContent = COMPANY_TEXTS[now].summary;
      words.textContent = COMPANY_TEXTS[now].words;
      folded.open = false;
      folded.append(fields);
      node.replaceChildren(note, folded);
    },
    /** What to ask the server for. */
    chosen: () => ({
      ...(experiment.value && { experiment: experiment.value }),
      ...(number.value && { instance: Number(number.value) }),
    }),
  };
}

const name = (game) =>
  el('span', { class: 'what' }, `${game.title ?? game.game}, ${game.variant_title ?? game.variant}`);

/** Browsers that wait for a seat, to the owner of the server: where the first browser is gone, nobody else can answer. */
function drawRequests(place, requests) {
  place.hidden = requests.length === 0;
  place.replaceChildren(
    el('h2', { id: 'asking' }, 'Somebody asks to come in'),
    el(
      'p',
      { class: 'hint' },
      'Another browser has opened the link of a seat that is taken. The person who plays there is asked as well. Let it in only if you know who it is: it then sees all of that seat.',
    ),
    el(
      'ul',
      { class: 'rows' },
      requests.map((waiting) => {
        const id = `asks-${waiting.request}`;
        const words = el(
          'span',
          { id },
          name(waiting),
          el('span', { class: 'meta' }, ` seat ${waiting.seat} · ${formatAge(waiting.since)}`),
        );
        return el('li', {}, words, ...answerButtons(waiting.id, waiting.request, id));
      }),
    ),
  );
}

function drawOpenGames(place, games, opened) {
  const hostedRows = opened.map((game) =>
    el(
      'li',
      {},
      name(game),
      el('span', { class: 'meta' }, `${describePlayers(game.seats)} · opened by you ${formatAge(game.started)}`),
      game.stalled
        ? el('span', { class: 'badge' }, 'waits')
        : game.free.map((seat) => el('span', { class: 'badge' }, `nobody at ${seat} yet`)),
      el('a', { class: 'button', href: `/watch?episode=${encodeURIComponent(game.episode)}` }, 'Watch and invite'),
    ),
  );
  const playing = games.map((game) =>
    el(
      'li',
      {},
      name(game),
      el('span', { class: 'meta' }, `seat ${game.seat} · started ${formatAge(game.started)}`),
      game.stalled
        ? el('span', { class: 'badge' }, 'waits')
        : game.turn === 'you' && el('span', { class: 'badge on' }, 'your turn'),
      el('a', { class: 'button', href: `/table?seat=${encodeURIComponent(game.id)}` }, 'Continue'),
    ),
  );
  const rows = [...playing, ...hostedRows];
  const unfolded = place.querySelector('details')?.open ?? false;
  place.hidden = rows.length === 0;
  place.replaceChildren(
    el('h2', { id: 'mine' }, rows.length === 1 ? 'Your open game' : 'Your open games'),
    el('ul', { class: 'rows' }, rows.slice(0, FOLD)),
  );
  const rest = rows.slice(FOLD);
  if (rest.length)
    place.append(
      el('details', { open: unfolded }, el('summary', {}, `${rest.length} more`), el('ul', { class: 'rows' }, rest)),
    );
}

/** Who plays, seat by seat; where many sit, how many of each. */
function describePlayers(seats) {
  const all = Object.entries(seats ?? {}).map(([seat, player]) => [seat, playerName(player)]);
  if (all.length <= MANY) return all.map(([seat, player]) => `${seat}: ${player}`).join(' · ');
  const counts = new Map();
  for (const [, player] of all) counts.set(player, (counts.get(player) ?? 0) + 1);
  return [...counts].map(([player, count]) => (count > 1 ? `${count} × ${player}` : player)).join(' · ');
}

function runningGames(games) {
  return el(
    'section',
    { 'aria-labelledby': 'running' },
    el('h2', { id: 'running' }, 'Playing now'),
    games.length === 0
      ? el(
          'p',
          { class: 'none' },
          'No programs are playing at the moment. Seat two of them above, or start ',
          el('code', {}, 'ludens run'),
          ' in a terminal: it shows up here and can be watched live.',
        )
      : el(
          'ul',
          { class: 'rows' },
          games.map((game) =>
            el(
              'li',
              {},
              name(game),
              el(
                'span',
                { class: 'meta' },
                `${describePlayers(game.seats)} · ${game.asks} asks · ${formatAge(game.started)}${game.by === 'run' ? ' · from a run' : ''}`,
              ),
              el('a', { class: 'button', href: `/watch?episode=${encodeURIComponent(game.episode)}` }, 'Watch'),
            ),
          ),
        ),
  );
}

function finishedGames(games) {
  return el(
    'section',
    { 'aria-labelledby': 'finished' },
    el('h2', { id: 'finished' }, 'Recently finished'),
    games.length === 0
      ? el(
          'p',
          { class: 'none' },
          'You have finished no game in this browser yet, and no programs have finished one. Finished games can be replayed here step by step.',
        )
      : el(
          'ul',
          { class: 'rows' },
          games.map((game) =>
            el(
              'li',
              {},
              name(game),
              el('span', { class: 'meta' }, `${describePlayers(game.seats)} · ${formatAge(game.ended)}`),
              game.mixed && el('span', { class: 'badge', title: 'More than one player sat at a seat' }, 'mixed'),
              el('span', { class: `badge ${game.outcome?.kind ?? ''}` }, game.outcome?.kind ?? ''),
              el('a', { class: 'button', href: `/watch?episode=${encodeURIComponent(game.episode)}&step=0` }, 'Replay'),
              el('a', { href: `/e/${encodeURIComponent(game.episode)}` }, 'Episode'),
            ),
          ),
        ),
  );
}
