// The Results page: what the server sends is unpacked, and addresses keep the filters.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  describeSeats,
  episodesUrl,
  expandRows,
  formatNumber,
  formatSigned,
  withParams,
} from '/web/results/numbers.js';
import { serverQuery } from '/web/results/results.js';

test('numbers have one decimal, signs are typographic, nothing is a dash', () => {
  assert.deepEqual([formatNumber(66.666), formatNumber(50, 0), formatNumber(null)], ['66.7', '50', '–']);
  assert.deepEqual([formatSigned(3.14), formatSigned(-3.14), formatSigned(0)], ['+3.1', '−3.1', '0.0']);
});

test('a compact table becomes rows', () => {
  const table = {
    columns: ['game', 'n'],
    values: [
      [1, 5],
      [0, 7],
    ],
    codes: { game: ['matchit', 'spyfall'] },
  };
  assert.deepEqual(expandRows(table), [
    { game: 'spyfall', n: 5 },
    { game: 'matchit', n: 7 },
  ]);
});

test('the address of episodes leaves out what is null and repeats lists', () => {
  assert.equal(
    episodesUrl({ row: 3, informed: null, player: ['a', 'b?c=1'] }),
    '/results?row=3&player=a&player=b%3Fc%3D1',
  );
});

test('one player at all seats is named once', () => {
  assert.equal(describeSeats({ A: 'scripted', B: 'scripted' }), 'scripted');
  assert.equal(describeSeats({ 'side:spy': 'x', 'side:villagers': 'y' }), 'spy x, villagers y');
});

test('the server is asked for what it can filter, nothing else', () => {
  const params = new URLSearchParams('game=matchit&view=heatmap&player=a&player=b&sort=-n');
  assert.equal(serverQuery(params), '?game=matchit&player=a&player=b');
  assert.equal(serverQuery(new URLSearchParams('view=plots')), '');
});

test('changing a filter keeps the others', () => {
  const params = new URLSearchParams('game=matchit&player=a');
  assert.equal(withParams(params, { player: ['a', 'b'] }), '/results?game=matchit&player=a&player=b');
  assert.equal(withParams(params, { game: null }), '/results?player=a');
  assert.equal(withParams(params, { game: null, player: null }), '/results');
  assert.equal(String(params), 'game=matchit&player=a');
});
