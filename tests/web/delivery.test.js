// One reply makes one move, however often it has to be sent.
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';

import { deliver } from '/web/table/delivery.js';

const MOVE = { seat: 's', ask: 'a', values: { text: 'hello' } };
const answer = (status, body) => new Response(JSON.stringify(body), { status });
afterEach(() => mock.restoreAll());

/** Let `fetch` give these answers in turn; an Error stands for no answer. Returns the bodies that were sent. */
function serve(...answers) {
  const bodies = [];
  mock.method(globalThis, 'fetch', async (_path, { body }) => {
    bodies.push(JSON.parse(body));
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  });
  mock.method(globalThis, 'setTimeout', (callback) => queueMicrotask(callback));
  return bodies;
}

test('the same move goes out again until somebody answers', async () => {
  const bodies = serve(new Error('offline'), answer(503, {}), answer(200, { ok: true }));
  let troubles = 0;
  const result = await deliver(MOVE, () => {
    troubles += 1;
  });
  assert.equal(result.ok, true);
  assert.equal(troubles, 2);
  assert.equal(bodies.length, 3);
  assert.equal(new Set(bodies.map(({ move }) => move)).size, 1);
  assert.deepEqual(bodies[0].values, MOVE.values);
});

test('a refusal is told with its reason and not sent again', async () => {
  const bodies = serve(answer(409, { error: 'too late', why: 'the game is over' }));
  const result = await deliver(MOVE, assert.fail);
  assert.deepEqual(result, { ok: false, status: 409, error: 'too late', why: 'the game is over' });
  assert.equal(bodies.length, 1);
});

test('two replies are two moves', async () => {
  const bodies = serve(answer(200, {}), answer(200, {}));
  await deliver(MOVE, assert.fail);
  await deliver(MOVE, assert.fail);
  assert.notEqual(bodies[0].move, bodies[1].move);
});
