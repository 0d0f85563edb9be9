import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingMedia, listMediaFiles } from '@hearth/tests/media/manifest.ts';
import { searchQueryList } from './searchQueries.ts';

test('the held-out list has sixty distinct queries with files of the test media', { skip: missingMedia }, () => {
  const { people, queries } = searchQueryList;
  assert.equal(queries.length, 60);
  assert.equal(new Set(queries.map(({ query }) => query.toLowerCase())).size, 60);
  const files = listMediaFiles();
  const names = new Set(files.map(({ name }) => name));
  for (const { query, expected } of queries) {
    assert.ok(expected.length > 0, query);
    for (const name of expected) assert.ok(names.has(name), `${query}: ${name}`);
  }
  for (const identity of Object.values(people))
    assert.ok(
      files.some(({ expected }) => expected.person === identity),
      identity,
    );
});

test('upload names do not reveal the content of a file', { skip: missingMedia }, () => {
  const words = /\b(cat|dog|zebra|pizza|elephants?|tokyo|iphone|nikon|beer|teapot|person\d+)\b/i;
  const telling = listMediaFiles().filter(
    ({ kind, uploadName }) =>
      kind !== 'raw' && kind !== 'raw-metadata-only' && words.test(uploadName.replaceAll('_', ' ')),
  );
  assert.deepEqual(
    telling.map(({ uploadName }) => uploadName),
    [],
  );
});
