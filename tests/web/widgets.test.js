// Widgets are loaded once, when they are needed; one that fails stops nothing.
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';

import { areLoaded, loadWidgets, widget } from '/web/core/widgets.js';

const module = (code) => ({ module: `data:text/javascript,${encodeURIComponent(code)}`, styles: [] });
const MANIFEST = {
  fields: { dial: module('export const createField = () => "dial";'), broken: module('not JavaScript') },
  exhibits: {},
};
afterEach(() => mock.restoreAll());

test('while the list of widgets cannot be fetched, a widget is an error', async () => {
  mock.method(console, 'error', () => {});
  mock.method(globalThis, 'fetch', async () => new Response('', { status: 503 }));
  await loadWidgets('fields', ['early']);
  assert.ok(widget('fields', 'early') instanceof Error);
});

test('widgets are loaded by kind, and the list of them is fetched once', async () => {
  const fetch = mock.method(globalThis, 'fetch', async () => Response.json(MANIFEST));
  assert.equal(areLoaded('fields', ['dial']), false);
  await loadWidgets('fields', ['dial', 'unknown']);
  await loadWidgets('exhibits', ['dial']);
  assert.equal(areLoaded('fields', ['dial', 'unknown']), true);
  assert.equal(widget('fields', 'dial').createField(), 'dial');
  assert.equal(widget('fields', 'unknown'), null);
  assert.equal(widget('exhibits', 'dial'), null, 'a field is no exhibit');
  assert.equal(fetch.mock.callCount(), 1);
});

test('a module that cannot be loaded is an error, and the others work', async () => {
  mock.method(console, 'error', () => {});
  await loadWidgets('fields', ['broken', 'dial']);
  assert.ok(widget('fields', 'broken') instanceof Error);
  assert.equal(widget('fields', 'dial').createField(), 'dial');
});
