// What a seat's page makes of the lines of a conversation, and how it says counts and series.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seriesText } from '/web/core/series.js';
import { counterText } from '/web/table/fields/text.js';
import { rematchText } from '/web/table/rematch.js';
import { dropRepeats, foldInstructions, foldTurns, joinAnswers, speakerText, statementsOf } from '/web/table/talk.js';

const gm = (text) => ({ who: 'gm', seat: null, label: null, text, private: false });
const you = (text, label = null) => ({ who: 'you', seat: 'walker', label, text, private: false });

test('what explains the game before the first reply is folded, and nothing later', () => {
  const long = 'word '.repeat(60);
  const lines = [gm(long), gm('You are in a hall.'), you('Go north.'), gm(long)];
  const items = foldInstructions(lines);
  assert.deepEqual(
    items.map((item) => item.lines?.length ?? item.text),
    [1, 'You are in a hall.', 'Go north.', long],
  );
  assert.equal(foldInstructions([gm('Short.')])[0].text, 'Short.');
});

test('past turns of somebody alone take a line each; the latest stays open', () => {
  const lines = [
    gm('You are in a hall.'),
    you('Go north.'),
    gm('You go north.'),
    you('A room.', 'Description'),
    you('Go east.', 'Action'),
    gm('You go east.'),
  ];
  const items = foldTurns(lines, true);
  assert.deepEqual(
    items.map(({ title, text }) => title ?? text),
    ['You are in a hall.', '1. Go north. You go north.', 'A room.', 'Go east.', 'You go east.'],
  );
  assert.equal(foldTurns(lines, false), lines);
});

test('a pair hears a request once, and why a reply was refused each time', () => {
  const refused = 'That reply could not be used: it is empty.';
  const lines = [gm('Answer.'), you('Yes.'), gm(refused), you('No.'), gm('Answer.'), gm(refused)];
  assert.deepEqual(
    dropRepeats(lines).map(({ text }) => text),
    ['Answer.', 'Yes.', refused, 'No.', refused],
  );
});

test('an answer to a question of the form stands in the line of its reply, whichever comes first', () => {
  const vote = [gm('Vote.'), you('It is too vague.', 'Why?!'), you('Tom', 'Who is the spy?'), gm('Tom is out.')];
  const items = joinAnswers(vote);
  assert.deepEqual(
    items.map(({ text, answers = [] }) => [text, ...answers.map((answer) => answer.text)]),
    [['Vote.'], ['It is too vague.', 'Tom'], ['Tom is out.']],
  );
  const [question] = joinAnswers([you('Cleo', 'Who do you ask?'), you('What is your identity?', 'Your question')]);
  assert.deepEqual([question.text, question.answers[0].text], ['What is your identity?', 'Cleo']);
  const thought = { ...you('Hm.', 'Who is it?'), private: true };
  assert.equal(joinAnswers([you('Tom'), thought]).length, 2); // what only the writer sees stays apart
  assert.equal(joinAnswers([you('A hall.', 'Description'), you('Go north.', 'Action')]).length, 2);
});

test('what a player has said stands beside the choice of that player, without votes', () => {
  const said = (seat, text, label = seat) => ({ who: 'partner', seat, label, text });
  const lines = [said('Tom', 'It barks.'), said('Rose', 'It is old.'), said('Tom', 'Rose!', 'Tom votes for Rose')];
  assert.deepEqual(statementsOf('Tom', lines), ['It barks.']);
  assert.deepEqual(statementsOf('Jack', lines), []);
  assert.equal(statementsOf('Tom', [said('Tom', 'x'.repeat(500))])[0].length, 122);
});

test('own lines have no names of parts; others say what they do where that helps', () => {
  assert.equal(speakerText({ who: 'you', seat: 'Tom', label: 'Speak' }, 5), 'You');
  assert.equal(speakerText({ who: 'partner', seat: 'B', label: 'Question' }, 1), 'Partner asks');
  assert.equal(speakerText({ who: 'partner', seat: 'speaker', label: 'Expression' }, 1), 'Partner');
  assert.equal(speakerText({ who: 'partner', seat: 'Tom', label: 'Tom votes for Nancy' }, 5), 'Tom votes for Nancy');
  assert.equal(speakerText({ who: 'gm', seat: null, label: null }, 1), 'Game master');
});

test('words are counted, and a long text is told so without a cut', () => {
  assert.equal(counterText('  '), '');
  assert.equal(counterText('ring'), '1 word');
  assert.equal(counterText('word '.repeat(61)), '61 words: a sentence or two is enough');
});

test('a series is counted to five against each other, and without an end together', () => {
  assert.equal(seriesText([true], true), '');
  assert.equal(seriesText([true, false, true], true), 'Game 3 of 5, 2–1.');
  assert.equal(seriesText([true, false, true, false, true], true), 'Game 5 of 5: you won the series 3–2.');
  assert.equal(seriesText([true, false], false), '2 games in a row: 1 won, 1 lost.');
});

test('a rematch is said from the side of the reader', () => {
  const offer = { asked_by: 'A', is_mine: false, swapped: true, has_agreed: false, declined_by: null, pair: true };
  assert.equal(rematchText(offer), 'Your partner asks for a rematch with the seats swapped.');
  assert.match(rematchText({ ...offer, is_mine: true, has_agreed: true }), /^Asked for a rematch\. Waiting/);
  assert.match(rematchText({ ...offer, declined_by: 'Tom', pair: false }), /^Tom does not want/);
});
