// The page of a participant: one step of a study after the other, as the server says. It keeps nothing but what is
// being typed: a reload or another browser shows the same step.

import { drawBriefing, loadBriefing } from '/web/core/briefing.js';
import { api, el, messageText, refusalNotice } from '/web/core/dom.js';
import { polledMessages } from '/web/core/messages.js';
import { questionField } from '/web/participate/questions.js';

const POLL = 2000; // milliseconds between questions whether a partner is there
const ENDINGS = {
  completed: ['Thank you!', 'You have completed the study.'],
  declined: ['You did not agree', 'You do not take part, and nothing was recorded. Please return your submission.'],
  screened_out: ['Thank you for your interest', 'The questions about the rules were not all answered right.'],
  full: ['The study is full', 'There is no game left for you. Please return your submission.'],
  no_partner: ['Nobody came', 'There was no partner for you. You are paid for the time you waited.'],
  partner_left: ['Your partner left', 'The study cannot go on without a partner. You are paid for your time.'],
  technical_fault: ['Something went wrong', 'The fault is on our side. You are paid for your time.'],
  wrong_device: [
    'This device does not fit',
    'The study cannot be shown on this device. Please return your submission.',
  ],
  withdrawn: ['You have withdrawn'],
};

const PRACTICE = 'Here you can try the game. It does not count, and your partner is a computer program.';
/** What is said of a game, by how it ended. */
const RESULTS = {
  counts: 'This game is over.',
  'taken over': 'This game is over.',
  'partner left': 'Your partner left, so the game ended. It does not change your payment.',
  'no reply in time': 'No reply came in time, so this game ended for you.',
  'technical fault': 'The game could not go on because of a fault on our side. It does not change your payment.',
  left: 'You left this game.',
};

export function mount(root) {
  document.body.classList.add('in-study');
  const id = new URLSearchParams(location.search).get('id') ?? '';
  let timer = 0;
  const refuse = (error) =>
    root.replaceChildren(refusalNotice(error.message, error.why ?? 'Open the link of the study again.'));
  const messages = polledMessages(id, refuse);

  async function load() {
    clearTimeout(timer);
    try {
      show(await api(`/api/participation?id=${encodeURIComponent(id)}`));
    } catch (error) {
      const failure = /** @type {Error & {status?: number}} */ (error);
      if ([403, 404, 410].includes(failure.status ?? 0)) return refuse(failure);
      timer = setTimeout(load, POLL); // the server is busy or restarting
    }
  }

  async function send(step, answers) {
    const attempt = step.attempt ? { attempt: step.attempt } : {}; // the same one when it is sent again
    try {
      show(await api('/api/participation', { id, step: step.id, answers, ...attempt }));
    } catch (error) {
      if (step.attempt && /** @type {Error & {status?: number}} */ (error).status === 422) step.attempt += 1;
      throw error;
    }
  }

  let shown = '';

  /** Show a page. One that was asked for again and only waits is not drawn anew: the focus would be lost. */
  function show(page) {
    clearTimeout(timer);
    const { step } = page;
    if (step.kind === 'waiting' || step.kind === 'ready') timer = setTimeout(load, POLL);
    const what = JSON.stringify({ ...page, step: { ...step, seconds: null } });
    const counter = root.querySelector('[data-seconds]');
    if (what === shown && counter) {
      counter.textContent = step.seconds;
      return;
    }
    shown = what;
    const isTooSmall = !fits(page.minimum_viewport);
    const describe = isTooSmall ? smallWindow : STEPS[step.kind];
    const parts = describe(
      step,
      (answers) => send(step, answers),
      page,
      () => withdrawDialog(id, show),
    );
    const heading = el('h1', { tabindex: -1 }, isTooSmall ? 'This window is too small' : stepTitle(step, page));
    root.replaceChildren(
      step.kind === 'consent' ? '' : el('p', { class: 'study-name' }, page.title),
      el('progress', { max: 1, value: page.progress, 'aria-label': 'How much of the study you have done' }),
      messages,
      el('div', { class: `step ${step.kind}` }, heading, ...parts.filter(Boolean)),
      footer(page, id, show),
    );
    document.title = `${page.title} · Ludens`;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  root.replaceChildren(el('p', { class: 'quiet-line', role: 'status' }, 'One moment …'));
  addEventListener('resize', () => {
    const page = shown && JSON.parse(shown);
    if (page && Boolean(root.querySelector('.too-small')) === fits(page.minimum_viewport)) {
      shown = '';
      load();
    }
  });
  load();
}

/** Whether the window has the width and height that a study asks for before it begins. */
const fits = (least) => !least || (innerWidth >= least[0] && innerHeight >= least[1]);

/** What is shown in place of the first step until the window is large enough. */
function smallWindow(_, send, page) {
  const [width, height] = page.minimum_viewport;
  return [
    el(
      'p',
      { class: 'too-small', role: 'status' },
      `The games of this study need a window of at least ${width} × ${height} pixels; this one has ${innerWidth} × ${innerHeight}. Please make it larger, turn the device, or open the link of the study on a larger one.`,
    ),
    el('p', {}, 'The study begins as soon as the window is large enough.'),
    stepForm('I cannot make it larger', [], () => ({ too_small: true }), send),
  ];
}

function stepTitle(step, page) {
  if (step.kind === 'survey') return step.title;
  if (step.kind === 'end') return (ENDINGS[step.state] ?? ['The study has ended'])[0];
  const titles = {
    consent: page.title,
    rules: 'The rules',
    debriefing: 'About this study',
    waiting: 'Your partner',
    ready: step.pressed ? 'Waiting for your partner' : 'Your partner is here. Ready?',
    missed: 'You were not there',
  };
  if (step.practice) return step.of > 1 ? `Practice game ${step.number} of ${step.of}` : 'Practice game';
  return titles[step.kind] ?? `Game ${step.number} of ${step.of}`;
}

const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => messageText(part.trim(), 'p'));

/** A form whose button sends answers; what the server refuses is shown above the button, and nothing is lost. */
function stepForm(label, fields, read, send, ...others) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { type: 'submit', class: 'button primary' }, label);
  const form = el('form', { novalidate: true }, ...fields, problem, el('p', { class: 'row' }, button, ...others));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = '';
    try {
      await send(read());
    } catch (error) {
      const failure = /** @type {Error & {why?: string}} */ (error);
      problem.textContent = [failure.message, failure.why].filter(Boolean).join(' ');
    }
    button.disabled = false;
  });
  return form;
}

function questionForm(questions, label, send) {
  const fields = questions.map(questionField);
  const read = () => Object.fromEntries(fields.map((field) => [field.name, field.read()]));
  return stepForm(
    label,
    fields.map((field) => field.node),
    read,
    send,
  );
}

/** What each kind of step shows, below its heading. */
const STEPS = {
  consent(step, send, page) {
    const box = el('input', { type: 'checkbox', id: 'agree' });
    const decline = el('button', { type: 'button', class: 'button' }, 'I do not want to take part');
    decline.addEventListener('click', () => send({ agree: false }));
    const facts = [
      ['How long it takes', `about ${step.minutes} minutes`],
      ['Who is responsible', step.controller],
      ['Questions', page.contact],
      ['Ethics', step.ethics],
      ['Legal basis', step.legal_basis],
      ['Who else gets what you write', step.disclosure || 'nobody'],
      ['Your identifiers are deleted by', step.until],
    ];
    const read = () => ({ agree: box.checked || null });
    const agreement = el('p', { class: 'agreement' }, el('label', { for: 'agree' }, box, el('span', {}, step.agree)));
    const again =
      'The information about this study has changed since you agreed. Please read it again. If you do not agree, you withdraw; the games you have finished are kept.';
    return [
      step.again && el('p', { class: 'notice' }, again),
      ...paragraphs(step.text),
      el('dl', { class: 'facts' }, ...facts.flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
      stepForm('Continue', [agreement], read, send, decline),
    ];
  },
  survey: (step, send) => [questionForm(step.questions, 'Continue', send)],
  rules(step, send) {
    const games = step.games.map(gameRules);
    const count = `You will play ${step.count === 1 ? 'one game' : `${step.count} games`}.`;
    const about =
      step.questions.length > 0 &&
      el('p', {}, `Please answer these questions about the rules. You have ${step.attempts_left} attempts.`);
    const partner = step.partner && el('p', {}, step.partner);
    return [...games, el('p', {}, count), partner, about, questionForm(step.questions, 'Continue', send)];
  },
  waiting: (step) => [
    el('p', { role: 'status' }, 'We are looking for a partner for you. Please keep this page open.'),
    el('p', {}, 'You have waited ', seconds(step), ` of at most ${Math.round(step.limit)} seconds.`),
  ],
  ready: (step, send) =>
    step.pressed
      ? [
          el('p', { role: 'status' }, 'You are ready. Your partner has been asked, too. Please keep this page open.'),
          el(
            'p',
            {},
            'There are ',
            seconds(step),
            ' seconds left. If nobody answers, you keep your place and wait on.',
          ),
        ]
      : [
          el('p', {}, 'Press the button to begin the game. You have ', seconds(step), ' seconds.'),
          stepForm('I am ready', [], () => ({}), send),
        ],
  missed: (_, send) => [
    el('p', {}, 'A partner was here, but you did not press the button in time. Press Continue to wait again.'),
    stepForm('Continue', [], () => ({}), send),
  ],
  game: (step) => [
    el('p', {}, step.practice ? PRACTICE : 'Your game is ready. Press the button to go to the table.'),
    el(
      'p',
      { class: 'row' },
      el('a', { class: 'button primary', href: step.url }, step.practice ? 'Practise' : `Play game ${step.number}`),
    ),
  ],
  result(step, send) {
    if (step.practice)
      return [el('p', {}, 'You have finished a practice game.'), stepForm('Continue', [], () => ({}), send)];
    const words = RESULTS[step.ending] ?? 'This game ended early. It does not change your payment.';
    const score = typeof step.score === 'number' && `Your score: ${Math.round(step.score)} of 100.`;
    return [
      el('p', {}, words),
      score && el('p', {}, score),
      step.url && el('p', {}, el('a', { href: step.url }, 'Look at what both of you had')),
      stepForm('Continue', [], () => ({}), send),
    ];
  },
  debriefing: (step, send, _, withdraw) => [
    ...(step.text ? paragraphs(step.text) : []),
    step.partners?.length > 0 && partnerList(step.partners),
    step.withdrawal && el('p', { class: 'notice' }, step.withdrawal),
    stepForm(
      'Continue',
      [],
      () => ({}),
      send,
      step.withdrawal &&
        el('button', { type: 'button', class: 'button', onclick: withdraw }, 'Withdraw from the study …'),
    ),
  ],
  end(step) {
    const words = step.text ?? ENDINGS[step.state]?.[1] ?? 'Nothing more is asked of you.';
    return [el('p', {}, words), step.code && endCode(step.code)];
  },
};

const PARTNERS = { person: 'a person', program: 'a computer program', both: 'a person and a computer program' };

/** Who sat opposite in each game, where that was hidden until now. */
function partnerList(partners) {
  const items = partners.map(({ game, partner }) =>
    el('li', {}, `Game ${game}: you played with ${PARTNERS[partner]}.`),
  );
  return el('section', {}, el('h2', {}, 'Who played with you'), el('ul', {}, ...items));
}

/** The rules of a game in words, and above them its briefing, once that is here and if it has one. */
function gameRules({ game, variant, title, rules }) {
  const words = el('div', {}, ...rules.flatMap((rule) => paragraphs(rule)));
  const section = el('section', {}, el('h2', {}, title), words);
  loadBriefing({ game, variant })
    .then((briefing) => briefing?.diagram && words.before(drawBriefing(briefing)))
    .catch(() => null); // the words are there
  return section;
}

/** The number of seconds of a step that counts them, which changes in place. */
const seconds = (step) => el('span', { 'data-seconds': '' }, String(step.seconds));

function endCode(code) {
  if (/^https:\/\//.test(code))
    return el('p', { class: 'row' }, el('a', { class: 'button primary', href: code }, 'Finish'));
  return el('p', {}, 'Your code: ', el('code', { class: 'end-code' }, code));
}

function footer(page, id, show) {
  const contact = el('p', {}, `Questions? ${page.contact}`);
  if (page.is_over && page.step.state !== 'completed') return el('footer', {}, contact);
  const button = el('button', { type: 'button', class: 'quiet' }, 'Withdraw from the study …');
  button.addEventListener('click', () => withdrawDialog(id, show));
  return el('footer', {}, contact, button);
}

function withdrawDialog(id, show) {
  const keep = el('button', { value: 'keep', class: 'button' }, 'Withdraw, keep finished games');
  const remove = el('button', { value: 'delete', class: 'button danger' }, 'Withdraw, delete games and answers');
  const dialog = el(
    'dialog',
    { class: 'ludens ask-first', 'aria-labelledby': 'withdraw-title' },
    el('h2', { id: 'withdraw-title' }, 'Withdraw from the study'),
    el(
      'p',
      {},
      'You may withdraw at any time and need not say why. A game that you are playing ends. Deleting removes your games, with what your partners wrote in them, and your answers. What identifies you to those who run the study, such as a participant number, is stored apart; ask them to delete it, too. Copies that others already have, such as earlier exports, backups and what a provider of a model received, cannot be deleted from here.',
    ),
    el(
      'form',
      { method: 'dialog', class: 'row end' },
      el('button', { value: 'no', class: 'button', autofocus: true }, 'Go on with the study'),
      keep,
      remove,
    ),
  );
  dialog.addEventListener('close', async () => {
    const choice = dialog.returnValue;
    dialog.remove();
    if (choice === 'keep' || choice === 'delete')
      show(await api('/api/participation/withdraw', { id, delete: choice === 'delete' }));
  });
  document.body.append(dialog);
  dialog.showModal();
}
