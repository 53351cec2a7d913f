// What counts as a paste and an edit, and how large a picture is drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { classifyInput, drawnSizes } from '/web/table/report.js';

const box = (start, end = start) => ({ selectionStart: start, selectionEnd: end });
const image = (src, width, height, visible = true) => ({
  getAttribute: () => src,
  checkVisibility: () => visible,
  getBoundingClientRect: () => ({ width, height }),
});

test('typing is no edit, unless it replaces what is selected', () => {
  const classify = (inputType, target, more = {}) => Object.values(classifyInput({ inputType, target, ...more }));
  assert.deepEqual(classify('insertText', box(3)), [false, false]);
  assert.deepEqual(classify('insertText', box(0, 3)), [false, true]);
  assert.deepEqual(classify('insertCompositionText', box(0, 3), { isComposing: true }), [false, false]);
  assert.deepEqual(classify('insertReplacementText', box(3)), [false, true]);
  assert.deepEqual(classify('deleteContentBackward', box(3)), [false, true]);
  assert.deepEqual(classify('deleteByCut', box(0, 3)), [false, true]);
  assert.deepEqual(classify('historyUndo', box(3)), [false, true]);
});

test('pasting and dropping are pastes, and edits where they replace', () => {
  assert.deepEqual(classifyInput({ inputType: 'insertFromPaste', target: box(3) }), { paste: true, edit: false });
  assert.deepEqual(classifyInput({ inputType: 'insertFromDrop', target: box(3) }), { paste: true, edit: false });
  assert.deepEqual(classifyInput({ inputType: 'insertFromPaste', target: box(0, 3) }), { paste: true, edit: true });
});

test('of a picture that is drawn twice the largest counts, and one that is folded away has no size', () => {
  const exhibits = [{ title: 'a grid', grid: 'X' }, { picture: '/p/1' }, { picture: '/p/2' }];
  const images = [image('/p/1', 100, 50), image('/p/1', 300.04, 150.06), image('/p/2', 80, 80, false)];
  assert.deepEqual(drawnSizes(exhibits, images), [
    [300, 150.1],
    [0, 0],
  ]);
});
