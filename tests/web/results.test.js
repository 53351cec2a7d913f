// The Results page: lists and boxes change the address, which keeps everything else.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changedAddress } from '/web/results/results.js';

const changed = (address, control) =>
  changedAddress(new URLSearchParams(address), { dataset: { clears: '' }, ...control });

test('a list sets its parameter and clears what depended on it', () => {
  const game = { name: 'game', dataset: { clears: 'variant experiment' } };
  assert.equal(
    changed('game=matchit&variant=text&view=heatmap', { ...game, value: 'mapworld' }),
    '/results?view=heatmap&game=mapworld',
  );
  assert.equal(changed('game=matchit&experiment=same', { ...game, value: '' }), '/results');
});

test('a box adds its value or takes it away, a list of players adds one', () => {
  const box = { type: 'checkbox', name: 'kind', value: 'people' };
  assert.equal(changed('kind=models', { ...box, checked: true }), '/results?kind=models&kind=people');
  assert.equal(changed('kind=models&kind=people', { ...box, checked: false }), '/results?kind=models');
  const player = { name: 'player', value: 'b?c=1', dataset: { clears: '', adds: '' } };
  assert.equal(changed('player=a', player), '/results?player=a&player=b%3Fc%3D1');
  assert.equal(changed('player=a', { ...player, value: '' }), '/results?player=a');
});
