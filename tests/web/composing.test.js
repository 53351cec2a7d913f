// What somebody fills in becomes the reply that is sent, and is read back when a draft is restored.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatBoard, parseBoard } from '/web/games/imagegame/painter.js';
import { composeMap, placeRooms, roomNameIn } from '/web/games/mapworld/map_editor.js';
import { composeSentence, findFill } from '/web/games/tofukingdom/sentence.js';
import { sendsAtOnce } from '/web/table/fields/choice.js';
import { composePhrase } from '/web/table/fields/phrases.js';
import { textProblem } from '/web/table/fields/text.js';
import { writtenText } from '/web/table/form.js';

test('a painted board survives being sent and restored', () => {
  const text = '▢ A ▢\nB ▢ ▢';
  assert.deepEqual(parseBoard(text), [
    ['▢', 'A', '▢'],
    ['B', '▢', '▢'],
  ]);
  assert.equal(formatBoard(parseBoard(text)), text);
  assert.equal(formatBoard(parseBoard('  ▢   A \n B  ▢\n')), '▢ A\nB ▢');
});

test('a map is sent as its rooms and, by direction, its doors', () => {
  const [kitchen, hall, attic] = [{ name: 'kitchen' }, { name: 'hall' }, { name: 'attic' }];
  const map = JSON.parse(
    composeMap(
      [kitchen, hall, attic],
      [
        [kitchen, hall, 'north'],
        [hall, attic, 'west'],
      ],
    ),
  );
  assert.deepEqual(map, {
    nodes: ['kitchen', 'hall', 'attic'],
    edges: { north: [['kitchen', 'hall']], south: [], east: [], west: [['hall', 'attic']] },
  });
  assert.deepEqual(JSON.parse(composeMap([], [])).nodes, []);
});

test('rooms of a restored map are placed next to the rooms they are joined to', () => {
  const edges = { north: [['kitchen', 'hall']], south: [], east: [['hall', 'attic']], west: [] };
  const places = placeRooms({ nodes: ['kitchen', 'hall', 'attic', 'cellar'], edges });
  assert.deepEqual(places.get('kitchen'), [0, 0]);
  assert.deepEqual(places.get('hall'), [0, 1]);
  assert.deepEqual(places.get('attic'), [1, 1]);
  assert.equal(new Set([...places.values()].map(String)).size, 4, 'no two rooms at one place');
});

test('rooms that would share a place are put beyond it', () => {
  const edges = {
    north: [
      ['a', 'b'],
      ['a', 'c'],
    ],
    south: [],
    east: [],
    west: [],
  };
  const places = placeRooms({ nodes: ['a', 'b', 'c'], edges });
  assert.deepEqual(
    [places.get('b'), places.get('c')],
    [
      [0, 1],
      [0, 2],
    ],
  );
});

test('the name of a room is suggested from the sentence about it', () => {
  assert.equal(roomNameIn('This is a small kitchen with a stove.'), 'small kitchen');
  assert.equal(roomNameIn("I'm in the hallway"), 'hallway');
  assert.equal(roomNameIn('Nothing to see'), '');
  assert.equal(roomNameIn(undefined), '');
});

test('a sentence with a gap is sent once the gap is filled', () => {
  const sentence = { text: 'Who is {}?', fill: ['the Queen', 'the Chef'] };
  assert.equal(composeSentence(sentence, ''), '');
  assert.equal(composeSentence(sentence, 'the Chef'), 'Who is the Chef?');
  assert.equal(findFill(sentence, 'Who is the Chef?'), 'the Chef');
  assert.equal(findFill(sentence, 'Who is the Prince?'), undefined);
  assert.equal(composeSentence({ text: 'Who is the Princess?' }), 'Who is the Princess?');
});

test('a phrase stands alone, or in front of what is written if it joins', () => {
  assert.equal(composePhrase({ value: 'DONE' }, 'more text'), 'DONE');
  assert.equal(composePhrase({ value: 'No.', joins: true }, '  It is bigger. '), 'No. It is bigger.');
  assert.equal(composePhrase({ value: 'No.', joins: true }, '  '), 'No.');
});

test('an empty text is not sent unless it may be empty, nor one that the server would refuse', () => {
  assert.match(textProblem({}, '  \n'), /Nothing is written/);
  assert.equal(textProblem({ optional: true }, ''), null);
  assert.equal(textProblem({}, 'a clue'), null);
  assert.match(textProblem({}, 'x'.repeat(200_001)), /200,001 characters/);
  assert.equal(textProblem({}, '😀'.repeat(150_000)), null, 'an emoji is one character');
});

test('a few options are buttons that send at once, many are not', () => {
  const options = (count) => ({ kind: 'choice', options: Array(count).fill({}) });
  assert.equal(sendsAtOnce(options(6)), true);
  assert.equal(sendsAtOnce(options(7)), false);
  assert.equal(sendsAtOnce({ kind: 'text' }), false);
});

test('only what was written in own words is given back when an ask is gone', () => {
  const fields = [
    { name: 'thought', kind: 'text' },
    { name: 'vote', kind: 'choice' },
    { name: 'answer', kind: 'phrases' },
  ];
  assert.equal(writtenText(fields, { thought: 'Hm.', vote: 'Tom', answer: 'Yes' }), 'Hm.\nYes');
  assert.equal(writtenText(fields, { vote: 'Tom' }), '');
});
