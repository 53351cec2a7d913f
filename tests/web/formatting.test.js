// Numbers, times, names and texts as they are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatValue } from '/web/core/charts.js';
import { seatName } from '/web/core/company.js';
import { displayText, formatAge } from '/web/core/dom.js';
import { isSideBySide, parseGrid } from '/web/core/exhibits.js';
import { applyUpdate } from '/web/core/live.js';
import { audience, formatDollars, formatSeconds, isEssential, mergeLines, usageText } from '/web/core/transcript.js';
import { formatDuration } from '/web/core/waiting.js';
import { unitOf } from '/web/core/words.js';

test('durations grow from seconds to hours', () => {
  assert.equal(formatDuration(12_400), '12 s');
  assert.equal(formatDuration(185_000), '3 min 05 s');
  assert.equal(formatDuration(3_725_000), '1 h 02 min');
  assert.equal(formatSeconds(1.24), '1.2 s');
  assert.equal(formatSeconds(75.4), '75 s');
});

test('one of several units is named by the singular of their plural', () => {
  assert.deepEqual(
    ['clues', 'guesses', 'phrases', 'boxes'].map((units) => unitOf(1, units)),
    ['clue', 'guess', 'phrase', 'box'],
  );
  assert.deepEqual([unitOf(0, 'guesses'), unitOf(2, 'clues')], ['guesses', 'clues']);
});

test('ages are rounded to what matters', () => {
  const ago = (minutes) => formatAge(Date.now() - minutes * 60_000);
  assert.deepEqual([ago(0), ago(5), ago(120), ago(3 * 1440)], ['just now', '5 min ago', '2 h ago', '3 days ago']);
  assert.equal(ago(-5), 'just now');
});

test('values and money are short', () => {
  assert.deepEqual([33.333, 50, null, undefined, 'yes'].map(formatValue), ['33.3', '50', '–', '–', 'yes']);
  assert.deepEqual([0.00213, 1.2].map(formatDollars), ['$0.0021', '$1.20']);
});

test('what a reply took names only what is known', () => {
  assert.equal(
    usageText({ model: 'm', seconds: 1.2, tokens_in: 812, tokens_out: 40, cost: 0.0021, attempts: 2 }),
    'm · 1.2 s · 812 → 40 tokens · $0.0021 · 2 attempts',
  );
  assert.equal(usageText({ model: 'm', cached: true, cost: 1, attempts: 1 }), 'm · from the cache');
  assert.equal(usageText({ tokens_in: 5, attempts: 1, finish: 'length' }), '5 → ? tokens · cut off at its limit');
});

test('control characters are made visible and line ends alike', () => {
  assert.equal(displayText('a\r\nb\rc'), 'a\nb\nc');
  assert.equal(displayText('\u0000\u001b\u007f\t'), '␀␛␡\t');
});

test('a grid is equal rows of single signs', () => {
  assert.deepEqual(parseGrid('A ▢\n▢ B'), [
    ['A', '▢'],
    ['▢', 'B'],
  ]);
  assert.equal(parseGrid('A ▢\n▢'), null);
  assert.equal(parseGrid('two words\nof text'), null);
  assert.equal(parseGrid('A'), null);
  assert.equal(isSideBySide([{ picture: 'a' }, { grid: 'A B\nC D' }, { picture: 'b' }]), true);
  assert.equal(isSideBySide([{ picture: 'a' }, { grid: 'a word' }, { picture: 'b' }]), false);
});

test('seats of one letter are called seats, others by their name', () => {
  assert.deepEqual([seatName('A'), seatName('walker')], ['Seat A', 'Walker']);
});

test('an update replaces parts and adds lines from where it says', () => {
  const state = { lines: ['a', 'b', 'c'], turn: 1, left: 2 };
  assert.deepEqual(applyUpdate(state, { from: 2, lines: ['C', 'd'], turn: 5 }), {
    from: 2,
    lines: ['a', 'b', 'C', 'd'],
    turn: 5,
    left: 2,
  });
  assert.deepEqual(applyUpdate(state, { turn: 7 }).lines, state.lines);
  assert.deepEqual(applyUpdate(state, { from: 0, lines: [] }).lines, []);
});

test('what several seats are told is one line, and lines that only relay words are none', () => {
  const tell = (seat, text) => ({ kind: 'tell', seat, parts: [{ text }] });
  const reply = { kind: 'reply', seat: 'A', text: 'hello' };
  const lines = [
    tell('A', 'x'),
    tell('B', 'x'),
    tell('B', 'y'),
    reply,
    { kind: 'tell', seat: 'B', parts: [{ quote: 'hello' }] },
  ];
  const merged = mergeLines(lines);
  assert.deepEqual(
    merged.map((line) => line.seats ?? line.seat),
    [['A', 'B'], ['B'], 'A'],
  );
  assert.deepEqual([reply, tell('A', 'x'), { ...tell('A', 'x'), seats: ['A', 'B', 'C'] }].map(isEssential), [
    true,
    false,
    true,
  ]);
});

test('the audience of a line is named the short way', () => {
  const order = ['ann', 'bob', 'eve', 'joe'];
  assert.equal(audience({ seat: null }, order), 'all');
  assert.equal(audience({ seat: 'ann', seats: order }, order), 'all');
  assert.equal(audience({ seat: 'ann', seats: ['ann', 'bob', 'eve'] }, order), 'all but Joe');
  assert.equal(audience({ seat: 'ann' }, order), 'Ann');
  assert.equal(audience({ seat: 'A' }, ['A', 'B']), 'A');
});
