import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentDisposition } from './contentDisposition.ts';

test('a file is saved under what a person sees of its name', () => {
  assert.equal(contentDisposition(undefined), 'inline');
  assert.equal(contentDisposition("it's (1).jpg"), "inline; filename*=UTF-8''it%27s%20%281%29.jpg");
  assert.equal(contentDisposition('invoice\u202egpj.exe'), "inline; filename*=UTF-8''invoicegpj.exe");
  assert.equal(contentDisposition('a\r\nb\u200b.jpg'), "inline; filename*=UTF-8''ab.jpg");
});
