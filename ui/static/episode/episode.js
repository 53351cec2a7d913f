// One episode whole: who played, how it ended, every word and picture of all seats, the debriefing, numbers turn by turn,
// raw events, files to take along, other episodes of the same instance. It shows what is logged and changes nothing.

import { formatValue, lineChart } from '/web/core/charts.js';
import { seatBadge, seatName } from '/web/core/company.js';
import { showDebriefing } from '/web/core/debriefing.js';
import { api, copyButton, displayText, el, messageText, refusalNotice } from '/web/core/dom.js';
import { drawExhibit } from '/web/core/exhibits.js';
import { pageHeader } from '/web/core/page_header.js';
import { drawLine, formatDollars, formatSeconds, isEssential, MANY, mergeLines } from '/web/core/transcript.js';
import { playerName } from '/web/core/words.js';

export async function mount(root) {
  const id = new URLSearchParams(location.search).get('id');
  const showRefusal = (words) => root.replaceChildren(refusalNotice('This episode is private', words));
  if (!id)
    return root.replaceChildren(refusalNotice('There is no such episode', 'No episode is named in this address.'));
  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'Looking for the episode …'));
  let data;
  try {
    data = await api(`/api/episode?id=${encodeURIComponent(id)}`);
  } catch (error) {
    if (error.status === 404)
      return root.replaceChildren(
        refusalNotice('There is no such episode', 'It was removed, or the address is not whole.'),
      );
    return showRefusal([error.message, error.why].filter(Boolean).join('. '));
  }
  draw(root, data);
}

const SECTIONS = {
  dialogue: 'Dialogue',
  debriefing: 'Debriefing',
  turns: 'Turn by turn',
  events: 'Raw events',
  others: 'Other episodes',
};

function draw(root, data) {
  const debrief = el('div', { class: 'after' });
  const turns = el('section', { id: 'turns', 'aria-labelledby': 'turns-title', hidden: true });
  const parts = {
    dialogue: dialogue(data),
    debriefing: data.outcome && debrief,
    turns,
    events: events(data),
    others: data.others.length > 0 && others(data.others),
  };
  const links = new Map(
    Object.keys(parts).map((part) => [
      part,
      el('a', { href: `#${part}`, hidden: !parts[part] || part === 'turns' }, SECTIONS[part]),
    ]),
  );
  const within = el('nav', { class: 'within', 'aria-label': 'On this page' }, [...links.values()]);
  const results = el(
    'a',
    { href: `/results?game=${encodeURIComponent(data.game.name)}` },
    `Results of ${data.game.title}`,
  );
  within.addEventListener('click', (event) => {
    const part = event.target.closest('a')?.hash.slice(1);
    if (!part) return;
    event.preventDefault();
    document.getElementById(part)?.scrollIntoView({ block: 'start' });
  });
  root.replaceChildren(
    header(data),
    el(
      'aside',
      { 'aria-label': 'In short' },
      scores(data),
      data.play && playForm(data.play),
      about(data),
      within,
      results,
    ),
    el('div', { class: 'whole' }, seats(data), ...Object.values(parts)),
  );
  document.title = `${data.game.title} · Episode · Ludens`;
  const showTurns = (curves) => {
    const content = turnsTable(data.scores?.turns, curves);
    turns.replaceChildren(...content);
    turns.hidden = links.get('turns').hidden = content.length === 0;
  };
  showTurns([]);
  if (!data.outcome) return;
  showDebriefing(debrief, `episode=${encodeURIComponent(data.episode)}`, { outcome: data.outcome, apart: true }).then(
    (debriefData) => showTurns(debriefData?.score?.curves ?? []),
  );
}

// ---------------------------------------------------------------------- what it is
function header(data) {
  const { game, outcome, episode } = data;
  const id = encodeURIComponent(episode);
  const file = (label, format) =>
    el('a', { class: 'button', href: `/api/episode/file?id=${id}&format=${format}`, download: true }, label);
  return pageHeader(
    game,
    [
      el('span', { class: `badge ${outcome?.kind ?? ''}` }, outcome?.kind ?? data.status),
      data.flags.map(({ flag }) => el('span', { class: `badge flag ${flag}` }, flag)),
    ],
    el('p', { class: 'ended' }, ended(data)),
    data.flags.length > 0 &&
      el(
        'ul',
        { class: 'flags' },
        data.flags.map(({ words }) => el('li', {}, displayText(words))),
      ),
    el(
      'p',
      { class: 'hint' },
      `${data.experiment_title} · instance ${data.instance} · ${formatTime(data.started)}`,
      data.ended ? `, ${formatDuration(data.ended - data.started)}` : '',
    ),
    el(
      'div',
      { class: 'row' },
      el(
        'a',
        { class: 'button primary', href: `/watch?episode=${id}${outcome ? '&step=0' : ''}` },
        outcome ? 'Replay step by step' : 'Watch it',
      ),
      file('Record (JSON lines)', 'jsonl'),
      file('Transcript (HTML)', 'html'),
      file('Transcript (Markdown)', 'markdown'),
      copyButton('Copy the address', () => new URL(`/e/${id}`, location.origin).href),
    ),
  );
}

const ENDINGS = {
  success: 'Won.',
  lose: 'Lost.',
  aborted: 'Aborted.',
  abandoned: 'Left before the end.',
};

/** How an episode ended, in a sentence or two. */
function ended({ outcome, stalled }) {
  if (!outcome) return stalled ? `It waits: ${stalled}` : 'It is not over: below is what has happened so far.';
  const { kind, reason, seat, winner } = outcome;
  const first = kind === 'decided' ? `The side ${winner} won.` : (ENDINGS[kind] ?? 'Over.');
  const details = [reason && `The reason: ${reason}`, seat && `by seat ${seat}`].filter(Boolean).join(', ');
  return details ? `${first} ${details}.` : first;
}

const formatTime = (ms) => new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** How long something took: "under a second", "42 s", "3 min 20 s", "2 h 5 min". */
function formatDuration(ms) {
  const all = Math.round(ms / 1000);
  if (all < 1) return 'under a second';
  if (all < 60) return `${all} s`;
  const [minutes, rest] = [Math.floor(all / 60), all % 60];
  return minutes < 60 ? `${minutes} min ${rest} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const factsBox = (id, title, ...rest) =>
  el(
    'section',
    { class: `facts ${id}`, 'aria-labelledby': `${id}-title` },
    el('h2', { id: `${id}-title` }, title),
    ...rest,
  );

function seats(data) {
  const sides = data.seats.some(({ side }) => side);
  const hasUsage = data.seats.some(({ used }) => Object.keys(used).length > 0);
  const order = data.seats.map(({ seat }) => seat).toSorted();
  const many = order.length > MANY;
  const head = ['Seat', 'Player', sides && 'Side', 'Replies', 'Refused', hasUsage && 'Took'].filter(Boolean);
  const row = ({ seat, players, side, replies, refused, used }) =>
    el(
      'tr',
      {},
      el(
        'th',
        { scope: 'row' },
        el('span', { class: 'whose' }, many && seatBadge(seat, order), many ? seatName(seat) : seat),
      ),
      el('td', { class: 'player' }, players.map(playerName).join(', then ')),
      sides && el('td', {}, side ?? '–'),
      el('td', { class: 'number' }, String(replies)),
      el('td', { class: 'number' }, String(refused)),
      hasUsage && el('td', {}, usageTotals(used)),
    );
  return factsBox(
    'sat',
    'Who played',
    scrollBox(
      'Who played',
      el(
        'table',
        { class: 'plain' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            head.map((name) => el('th', { scope: 'col' }, name)),
          ),
        ),
        el('tbody', {}, data.seats.map(row)),
      ),
    ),
  );
}

/** Time, tokens and cost of all replies of a seat: "12 s · 812 → 40 tokens · $0.0021". */
function usageTotals({ seconds: duration, tokens_in: tokensIn, tokens_out: tokensOut, cost }) {
  const tokens = [tokensIn, tokensOut].map((count) => count?.toLocaleString('en') ?? '?').join(' → ');
  return (
    [
      duration !== undefined && formatSeconds(duration),
      (tokensIn ?? tokensOut) !== undefined && `${tokens} tokens`,
      cost !== undefined && formatDollars(cost),
    ]
      .filter(Boolean)
      .join(' · ') || '–'
  );
}

const readableName = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

function scores({ scores: result, outcome }) {
  if (!result)
    return factsBox(
      'scored',
      'Scores',
      el(
        'p',
        { class: 'none' },
        outcome ? 'They cannot be computed here.' : 'There are no scores before the game is over.',
      ),
    );
  const sides = Object.entries(result.side_scores ?? {});
  const single = Object.entries(result).filter(([, value]) => value === null || typeof value !== 'object');
  const nested = Object.entries(result).filter(
    ([name, value]) => value !== null && typeof value === 'object' && name !== 'turns' && name !== 'side_scores',
  );
  const main = sides.length
    ? el(
        'ul',
        { class: 'sidescores' },
        sides.map(([side, value]) =>
          el('li', { class: value > 0 ? 'won' : '' }, el('strong', {}, formatValue(value)), el('b', {}, side)),
        ),
      )
    : result.main_score === null
      ? el('p', { class: 'none' }, 'There is no main score.')
      : el(
          'p',
          { class: 'main' },
          el('strong', {}, formatValue(result.main_score)),
          el('span', {}, 'main score, of 100'),
        );
  return factsBox(
    'scored',
    'Scores',
    main,
    el(
      'details',
      {},
      el('summary', {}, 'All scores'),
      el(
        'dl',
        {},
        single.map(([name, value]) =>
          el('div', {}, el('dt', {}, readableName(name)), el('dd', {}, displayText(formatScore(value)))),
        ),
      ),
      nested.map(([name, value]) =>
        el('details', { class: 'nested' }, el('summary', {}, readableName(name)), json(value)),
      ),
    ),
  );
}

/** A value in a table: numbers rounded, yes and no, lists with commas, nothing as a dash. */
function formatScore(value) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length ? value.map(formatScore).join(', ') : '–';
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : formatValue(value);
}

const json = (value) => el('pre', { class: 'json', tabindex: '0' }, displayText(JSON.stringify(value, null, 1)));

function about({ settings, versions, episode }) {
  const list = Object.entries(settings).map(([name, value]) => `${readableName(name)}: ${formatScore(value)}`);
  const entries = { Episode: episode, Settings: list.join('; ') || 'none', ...versions };
  return el(
    'details',
    { class: 'facts' },
    el('summary', {}, 'How it was played'),
    el(
      'dl',
      {},
      Object.entries(entries).map(([name, value]) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, value === null || value === undefined ? '–' : String(value))),
      ),
    ),
  );
}

/** Something wide, to be moved sideways by hand and keyboard. */
const scrollBox = (label, ...inside) =>
  el('div', { class: 'sideways', tabindex: '0', role: 'group', 'aria-label': label }, ...inside);

function playForm({ mate, seats: bodies }) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const names = Object.keys(bodies);
  const many = names.length > MANY;
  const choice = el(
    'select',
    { 'aria-label': 'Your seat' },
    names.map((seat) => el('option', { value: seat }, seatName(seat))),
  );
  const playButton = (label, seat) => {
    const button = el('button', { type: 'button', class: 'button' }, label);
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        location.assign((await api('/api/tables', bodies[seat()])).go);
      } catch (error) {
        problem.textContent = [error.message, error.why].filter(Boolean).join('. ');
        button.disabled = false;
      }
    });
    return button;
  };
  const buttons = many
    ? [choice, playButton('Play', () => choice.value)]
    : names.map((seat) => playButton(names.length > 1 ? `Play as ${seat}` : 'Play', () => seat));
  const others =
    names.length > 1 ? ` ${many ? 'All other seats are' : 'The other seat is'} for the ${playerName(mate)}.` : '';
  return el(
    'details',
    { class: 'facts' },
    el('summary', {}, 'Play this instance yourself'),
    el(
      'p',
      { class: 'hint' },
      `You get a table with exactly what was played here.${others} The game is recorded as informed and as seen before, because this page shows all of it: averages leave it out.`,
    ),
    el('div', { class: 'row' }, buttons),
    problem,
  );
}

// ---------------------------------------------------------------------- the dialogue
function dialogue(data) {
  const order = data.seats.map(({ seat }) => seat);
  const many = order.length > MANY;
  const list = el('ol', { class: 'lines' });
  const state = { seat: null, master: !many, thoughts: true, took: false };

  const buttons = [null, ...order].map((seat) => {
    const words = seat === null ? 'All seats' : seatName(seat);
    const button = el('button', { type: 'button', class: 'button', 'aria-pressed': String(seat === null) }, words);
    button.addEventListener('click', () => {
      state.seat = seat;
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      paint();
    });
    return button;
  });
  const box = (label, name) => {
    const input = el('input', { type: 'checkbox', checked: state[name] });
    input.addEventListener('change', () => {
      state[name] = input.checked;
      paint();
    });
    return el('label', {}, input, el('span', {}, label));
  };

  function paint() {
    const isOneSeat = state.seat !== null;
    const seatLines = isOneSeat ? data.lines.filter(({ seat }) => seat === state.seat || seat === null) : data.lines;
    const lines = many && !isOneSeat ? mergeLines(seatLines) : seatLines;
    const visibleLines = lines.filter(
      (line) => (state.master || isEssential(line)) && (state.thoughts || !line.private),
    );
    const content = { spoken: (line) => spoken(line, isOneSeat), more: (line) => more(line, data.started) };
    list.classList.toggle('with-used', state.took);
    list.replaceChildren(...visibleLines.map((line) => drawLine(line, order, content)));
  }

  paint();
  return el(
    'section',
    { id: 'dialogue', 'aria-labelledby': 'dialogue-title' },
    el('h2', { id: 'dialogue-title' }, 'Dialogue'),
    el(
      'div',
      { class: 'filters' },
      order.length > 1 && el('div', { class: 'row whom', role: 'group', 'aria-label': 'Whose side' }, buttons),
      box('Game master’s words', 'master'),
      data.lines.some((line) => line.private) && box('Private thoughts', 'thoughts'),
      box('Time and tokens', 'took'),
    ),
    list,
  );
}

/** What the game master said, with what it showed; words passed on are in full where one seat's side is read. */
function spoken(line, isOneSeat) {
  const ownerTitle = (words) => words?.replace(/^your /i, `${line.seat}’s `);
  const parts = (line.parts ?? []).map((part) => {
    if (part.quote !== undefined)
      return isOneSeat
        ? relayedMessage(part)
        : el(
            'p',
            { class: 'chip' },
            `passes on ${part.by ? `${part.by}’s` : 'the'} ${(part.label ?? 'words').toLowerCase()}`,
          );
    if (part.exhibit !== undefined)
      return drawExhibit({ title: ownerTitle(part.title), grid: part.exhibit, marked: part.marked });
    return part.text ? messageText(part.text) : null;
  });
  const pictures = (line.pictures ?? []).map((item) =>
    drawExhibit({ ...item, title: ownerTitle(item.title), alt: ownerTitle(item.alt) }),
  );
  return el('div', { class: 'parts' }, parts, pictures.length > 0 && el('div', { class: 'shown' }, pictures));
}

/** Words passed on, in full: whose they are is in front of them, unless their label says so. */
function relayedMessage({ quote, label, by }) {
  const whose = by && !label?.split(' ').includes(by) ? [by, label] : [label];
  return el('blockquote', {}, el('p', { class: 'chip' }, whose.filter(Boolean).join(' · ')), messageText(quote));
}

/** What is shown below a line: what models are told about the form, a reminder, the time. */
function more(line, started) {
  if (line.words)
    return el(
      'details',
      { class: 'form-words' },
      el('summary', {}, 'What models are told about the form'),
      messageText(line.words),
    );
  if (line.reminder)
    return el(
      'details',
      { class: 'form-words', open: true },
      el('summary', {}, 'Reminder'),
      messageText(line.reminder),
    );
  if (line.kind !== 'reply') return null;
  const duration = line.took === undefined ? '' : `${formatSeconds(line.took)} after the ask, `;
  return el('p', { class: 'used' }, `${duration}${formatDuration(line.time - started)} after the start`);
}

// ---------------------------------------------------------------------- numbers turn by turn
const isPresent = (value) => value !== null && value !== undefined;

function turnsTable(turns, curves) {
  const items = Array.isArray(turns) ? turns.filter((turn) => turn !== null && typeof turn === 'object') : [];
  const columns = [...new Set(items.flatMap((turn) => Object.keys(turn)))].filter((name) =>
    items.some((turn) => isPresent(turn[name])),
  );
  const growing = curves.filter(({ values }) => values.length > 1);
  const extra = items.length ? [] : growing;
  const rows = items.length || Math.max(0, ...extra.map(({ values }) => values.length));
  if (rows === 0) return [];
  const head = ['Turn', ...columns.map(readableName), ...extra.map(({ label }) => label)];
  const cells = (turn) => [...columns.map((name) => items[turn][name]), ...extra.map(({ values }) => values[turn])];
  const row = (turn) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, String(turn + 1)),
      cells(turn).map((value) => el('td', {}, displayText(formatScore(value)))),
    );
  return [
    el('h2', { id: 'turns-title' }, 'Turn by turn'),
    growing.length > 0 ? lineChart(growing) : '',
    scrollBox(
      'Scores turn by turn',
      el(
        'table',
        { class: 'plain' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            head.map((name) => el('th', { scope: 'col' }, name)),
          ),
        ),
        el(
          'tbody',
          {},
          Array.from({ length: rows }, (_, turn) => row(turn)),
        ),
      ),
    ),
  ];
}

// ---------------------------------------------------------------------- raw events
function events({ episode, events: total, started }) {
  const list = el('ol', { class: 'raw' });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'button', class: 'button', hidden: true });
  const node = el('details', {}, el('summary', {}, `All ${total} events as they are stored`), list, problem, button);
  let next = 0;

  async function fetchMore() {
    button.disabled = true;
    problem.textContent = '';
    try {
      const page = await api(`/api/episode/events?id=${encodeURIComponent(episode)}&start=${next}`);
      next += page.events.length;
      list.append(...page.events.map((event) => eventItem(event, started)));
      const rest = page.total - next;
      button.hidden = rest <= 0;
      button.textContent = `Show more (${rest} left)`;
    } catch (error) {
      problem.textContent = error.message;
      button.hidden = false;
      button.textContent = 'Try again';
    }
    button.disabled = false;
  }

  button.addEventListener('click', fetchMore);
  node.addEventListener('toggle', () => node.open && next === 0 && fetchMore());
  return el(
    'section',
    { id: 'events', 'aria-labelledby': 'events-title' },
    el('h2', { id: 'events-title' }, 'Raw events'),
    node,
  );
}

function eventItem(event, started) {
  const { n, kind, seat, time } = event;
  const after = `${((time - started) / 1000).toFixed(2)} s`;
  const words = [`${n}`, kind, seat ?? '', after].filter(Boolean).join(' · ');
  const details = el('details', {}, el('summary', {}, words));
  details.addEventListener('toggle', () => details.childElementCount < 2 && details.append(json(event)), {
    once: true,
  });
  return el('li', {}, details);
}

// ---------------------------------------------------------------------- others of the same instance
function others(list) {
  const row = ({ episode, seats: seatPlayers, outcome, winner, main, updated, mixed }) => {
    const players = [...new Set(Object.values(seatPlayers))].map(playerName).join(' · ');
    const score = main !== null && main !== undefined ? `, ${formatValue(main)}` : winner ? `, ${winner}` : '';
    return el(
      'li',
      {},
      el('a', { class: 'what', href: `/e/${encodeURIComponent(episode)}` }, players),
      el('span', { class: 'meta' }, formatTime(updated)),
      mixed && el('span', { class: 'badge' }, 'mixed'),
      el('span', { class: `badge ${outcome}` }, `${outcome}${score}`),
    );
  };
  return el(
    'section',
    { id: 'others', 'aria-labelledby': 'others-title' },
    el('h2', { id: 'others-title' }, 'Other episodes of this instance'),
    el('ul', { class: 'rows' }, list.map(row)),
  );
}
