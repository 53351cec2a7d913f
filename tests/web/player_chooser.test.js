// Tests of what the choice of a player says about a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelFacts } from '/web/core/player_chooser.js';

test('an offer of a local model says how long a reply takes, in whole seconds', () => {
  assert.equal(
    modelFacts({ weak: true, loads: true, reply_seconds: 3.2, costs: false }),
    'weak, runs here, about 4 s a reply',
  );
});

test('an offer of a paid model says that it costs money, and no seconds that are not known', () => {
  assert.equal(modelFacts({ weak: false, loads: false, reply_seconds: null, costs: true }), 'costs money');
});
