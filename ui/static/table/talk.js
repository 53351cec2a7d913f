// The conversation on a seat's page. What the rules beside it say already is folded; where somebody plays alone, past turns
// are folded to a line each.
import { seatBadge, seatName } from '/web/core/company.js';
import { conversation } from '/web/core/conversation.js';
import { displayText, el, messageText } from '/web/core/dom.js';

const TALL = 700; // pixels of a window in which the form is in sight below the first screen of the rules
const LONG_STATEMENT = 120; // characters after which a statement is cut beside a choice; the conversation has it all
const LONG_INSTRUCTION = 140; // characters from which a message before the first reply explains the game

/** What partners do, by the stored labels of their messages; other labels name parts of a reply and are not shown. */
const SPEAKING = { Description: 'describes', Question: 'asks', Answer: 'answers', Command: 'says' };

/** `dock` covers the lower edge of the window; `onUnseen` hears whether there are new lines out of sight. */
export function tableTalk(state, dock, onUnseen) {
  const isAlone = state.others.length === 0;
  const hasRules = (state.game.rules ?? []).length > 0;
  let hasUnseen = false;
  const log = conversation(
    'Conversation',
    (item) => (item.lines ? foldedItem(item) : messageItem(item, state)),
    () => dock,
  );
  const notify = (isUnseen) => {
    hasUnseen = isUnseen;
    onUnseen(isUnseen);
  };
  addEventListener('scroll', () => log.atEnd() && notify(false), { passive: true });
  return {
    node: log.node,
    toEnd() {
      log.toEnd();
      notify(false);
    },
    update(lines) {
      log.hold(innerHeight > TALL && lines.every(({ who }) => who === 'gm')); // a newcomer reads from the top
      const said = joinAnswers(state.others.length === 1 ? dropRepeats(lines) : lines);
      const items = foldTurns(hasRules ? foldInstructions(said) : said, isAlone);
      const isNew = log.update(items);
      notify(isNew || (hasUnseen && !log.atEnd()));
    },
  };
}

/** Fold what the game master explains before the first reply into one item: the rules on the page say the same. */
export function foldInstructions(lines) {
  const firstReply = lines.findIndex(({ who }) => who === 'you');
  const isInstruction = ({ who, text }, index) =>
    who === 'gm' && text.length > LONG_INSTRUCTION && (firstReply < 0 || index < firstReply);
  const instructions = lines.filter(isInstruction);
  if (!instructions.length) return lines;
  return [{ title: 'The game master’s instructions, word for word', lines: instructions }].concat(
    lines.filter((line, index) => !isInstruction(line, index)),
  );
}

/** Leave out what the game master has said before to a pair, which the form says in each turn; never why a reply was refused. */
export function dropRepeats(lines) {
  const said = new Set();
  return lines.filter(({ who, text }) => {
    if (who !== 'gm' || text.startsWith('That reply')) return true;
    const isNew = !said.has(text);
    said.add(text);
    return isNew;
  });
}

/** What a seat has said in its own words. What it did is left out: the label of that says more than its name. */
export const statementsOf = (player, lines) =>
  lines
    .filter(({ who, seat, label }) => who === 'partner' && seat === player && (!label || label === player))
    .map(({ text }) => (text.length > LONG_STATEMENT ? `${text.slice(0, LONG_STATEMENT).trimEnd()} …` : text));

/** Put an answer to a question of the form into the line of the same reply: {...line, answers: [line]}. */
export function joinAnswers(lines) {
  const isAnswer = ({ label }) => label?.endsWith('?');
  const isOwn = (line) => line?.who === 'you' && !line.private;
  /** @type {any[]} */
  const joined = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (isOwn(line) && isOwn(last) && (isAnswer(line) || isAnswer(last))) {
      const [main, answer] = isAnswer(line) ? [last, line] : [line, last];
      joined[joined.length - 1] = { ...main, answers: [...(last.answers ?? []), answer] };
    } else joined.push(line);
  }
  return joined;
}

/** Fold each turn but the latest of somebody who plays alone: {title, lines}, the title says what was done and came of it. */
export function foldTurns(items, isAlone) {
  if (!isAlone) return items;
  const starts = items.flatMap(({ who }, index) => (who === 'you' && items[index - 1]?.who !== 'you' ? [index] : []));
  if (starts.length < 2) return items;
  const turns = starts.slice(0, -1).map((start, number) => {
    const lines = items.slice(start, starts[number + 1]);
    const action = lines.findLast(({ who }) => who === 'you')?.text ?? '';
    const effect = lines.find(({ who }) => who === 'gm')?.text ?? '';
    return { title: `${number + 1}. ${[action, effect].filter(Boolean).join(' ')}`, lines };
  });
  return [...items.slice(0, starts[0]), ...turns, ...items.slice(starts.at(-1))];
}

const foldedItem = ({ title, lines }) =>
  el(
    'li',
    { class: 'folded' },
    el(
      'details',
      {},
      el('summary', { dir: 'auto' }, displayText(title)),
      lines.map(({ text }) => messageText(text)),
    ),
  );

function messageItem(line, { seat, others }) {
  const isOneOfMany = others.length > 1 && line.who === 'partner';
  const seats = [seat, ...others.map((other) => other.seat)].sort();
  return el(
    'li',
    { class: `bubble ${line.who}${line.private ? ' private' : ''}${isOneOfMany ? ' faced' : ''}` },
    isOneOfMany && seatBadge(line.seat, seats),
    el(
      'p',
      { class: 'who' },
      speakerText(line, others.length),
      line.private && el('span', { class: 'only' }, ' · only you and the game master see this'),
    ),
    messageText(line.text),
    (line.answers ?? []).map(({ label, text }) =>
      el('p', { class: 'hint' }, `${label} `, el('b', {}, displayText(text))),
    ),
  );
}

/** Whose line it is, and what it does where that helps: "You", "Partner asks", "Rose", "Rose votes for Tom". */
export function speakerText({ who, seat, label }, otherCount) {
  if (who === 'gm') return 'Game master';
  if (who === 'you') return label?.includes(seatName(seat)) ? label : 'You';
  const name = otherCount > 1 ? seatName(seat) : 'Partner';
  if (label?.includes(name)) return label;
  return SPEAKING[label] ? `${name} ${SPEAKING[label]}` : name;
}
