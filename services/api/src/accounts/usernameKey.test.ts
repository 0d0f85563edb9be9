import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUsernameKey } from './usernameKey.ts';

for (const [name, ...lookalikes] of [
  ['ada', 'ADA', 'Ada', 'аdа', 'ａｄａ', '𝐚𝐝𝐚'],
  ['paypal', 'paypa1', 'PayPaI', 'раураl'],
  ['olga0', 'olgao', 'oIga0'],
  ['straße', 'STRASSE', 'strasse'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ', 'οδυσσευς'],
  ['émile', 'ÉMILE', 'E\u0301mile'],
  [
    'bob',
    'bo\u200bb',
    'b\u202eob',
    '\u2066bob\u2069',
    'bo\u200db',
    'bob\ufe0f',
    'bo\u00adb',
    'bob\u3164',
    'b\u{e0061}ob',
  ],
] as const) {
  test(`returns the same key for lookalikes of ${name}`, () => {
    for (const each of lookalikes) assert.equal(toUsernameKey(each), toUsernameKey(name), each);
  });
}

test('gives different keys to names that look different', () => {
  const names = ['ada', 'adam', 'eda', 'émile', 'emile', 'ольга', 'olga', '小林', '小森', 'ada lovelace'];
  assert.equal(new Set(names.map(toUsernameKey)).size, names.length);
});

test('is idempotent', () => {
  for (const name of ['paypa1', 'Ærøskøbing', 'ﬁ', 'İstanbul', 'modern']) {
    assert.equal(toUsernameKey(toUsernameKey(name)), toUsernameKey(name), name);
  }
});
