// Half-written replies: which copy wins, and what reaches the server.
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { createDrafts } from '/web/table/drafts.js';

let storage;
let sent;
let isConnected;

beforeEach(() => {
  storage = new Map();
  sent = [];
  isConnected = true;
  globalThis.localStorage = {
    getItem: (key) => storage.get(key) ?? null,
    setItem: (key, value) => storage.set(key, value),
    removeItem: (key) => storage.delete(key),
  };
});

const drafts = () => createDrafts('seat', () => ({ send: (message) => isConnected && Boolean(sent.push(message)) }));

test('a draft is sent once after a pause in typing', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const draft = drafts();
  draft.keep('ask', { text: 'a' });
  draft.keep('ask', { text: 'ab' });
  assert.deepEqual(sent, []);
  mock.timers.tick(300);
  assert.deepEqual(sent, [{ draft: { ask: 'ask', values: { text: 'ab' } } }]);
  draft.flush();
  assert.equal(sent.length, 1);
  mock.timers.reset();
});

test('what never reached the server wins over the server’s draft', () => {
  isConnected = false;
  const draft = drafts();
  draft.keep('ask', { text: 'here' });
  draft.flush();
  assert.deepEqual(drafts().load({ id: 'ask', draft: { text: 'there' } }), { text: 'here' });
});

test('the server’s draft wins over one that it has heard of: another browser may have gone on', () => {
  const draft = drafts();
  draft.keep('ask', { text: 'here' });
  draft.flush();
  assert.deepEqual(drafts().load({ id: 'ask', draft: { text: 'there' } }), { text: 'there' });
  assert.deepEqual(drafts().load({ id: 'ask' }), { text: 'here' });
});

test('a draft is forgotten with its ask, and spoilt storage is no draft', () => {
  const draft = drafts();
  draft.keep('ask', { text: 'here' });
  draft.forget('ask');
  draft.flush();
  assert.deepEqual(sent, []);
  assert.equal(draft.load({ id: 'ask' }), undefined);
  storage.set('ludens.draft.seat.ask', '{');
  assert.equal(draft.load({ id: 'ask' }), undefined);
});
