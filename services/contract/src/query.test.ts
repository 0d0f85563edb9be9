import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MediaItemsQuery, deleteMediaItem } from './mediaItems.ts';

test('returns the first fifteen of all items by default', () => {
  assert.deepEqual(MediaItemsQuery.parse({}), { page: 1, limit: 15 });
});

test('parses values of a query strictly, and words case-insensitively', () => {
  const accepted: readonly [query: object, parsed: object][] = [
    [
      { page: '1', limit: '200' },
      { page: 1, limit: 200 },
    ],
    [{ page: '45035996273704' }, { page: 45035996273704, limit: 15 }],
    [{ type: 'photo' }, { page: 1, limit: 15, type: 'PHOTO' }],
    [
      { category: 'SlOw', status: 'ready' },
      { page: 1, limit: 15, category: 'SLOW', status: 'READY' },
    ],
    [{ cursor: 'eyJ0Ijoi_-' }, { page: 1, limit: 15, cursor: 'eyJ0Ijoi_-' }],
    [{ utm_source: 'mail' }, { page: 1, limit: 15 }],
  ];
  for (const [query, parsed] of accepted) assert.deepEqual(MediaItemsQuery.parse(query), parsed);
});

test('rejects a page or limit that is not a plain integer in range', () => {
  const values = [
    '',
    ' ',
    '0',
    '-1',
    '+1',
    ' 5',
    '5 ',
    '05',
    '1.5',
    '1.0',
    '1e1',
    '0x10',
    '1_0',
    '٣',
    'NaN',
    'Infinity',
    'ten',
  ];
  for (const value of [...values, '9007199254740993', '9'.repeat(400), ['1', '2'], ['1'], { $gt: '1' }, null, true]) {
    for (const name of ['page', 'limit']) assertRefused({ [name]: value });
  }
  assertRefused({ limit: '201' });
  assertRefused({ page: '45035996273705' });
});

test('rejects unknown, empty and repeated words', () => {
  for (const name of ['type', 'category', 'status']) {
    for (const value of ['', 'ALL', 'PHOTO,VIDEO', ' PHOTO', ['PHOTO', 'PHOTO']]) assertRefused({ [name]: value });
  }
});

test('rejects a malformed cursor', () => {
  for (const cursor of ['', 'a b', 'a=', '\0', 'x'.repeat(513), ['a', 'b']]) assertRefused({ cursor });
});

test('deletes permanently only with the value true', () => {
  const { query } = deleteMediaItem;
  assert.deepEqual(query.parse({}), { permanent: false });
  assert.deepEqual(query.parse({ permanent: 'false' }), { permanent: false });
  assert.deepEqual(query.parse({ permanent: 'true' }), { permanent: true });
  for (const permanent of ['', '1', 'yes', 'TRUE', ['true', 'true']]) {
    assert.ok(!query.safeParse({ permanent }).success, JSON.stringify(permanent));
  }
});

test('describes invalid values in words', () => {
  const { error } = MediaItemsQuery.safeParse({ page: '0', limit: 'many', type: 'film' });
  assert.deepEqual(
    error?.issues.map(({ path, message }) => [path.join('.'), message]),
    [
      ['page', 'must be a whole number from 1 to 45035996273704'],
      ['limit', 'must be a whole number from 1 to 200'],
      ['type', 'must be one of UNKNOWN, PHOTO, VIDEO'],
    ],
  );
});

function assertRefused(query: object): void {
  assert.ok(!MediaItemsQuery.safeParse(query).success, JSON.stringify(query));
}
