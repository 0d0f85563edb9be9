import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createRefreshToken, parseRefreshToken, succeedRefreshToken } from './refreshTokens.ts';

test('a token is read back as it was made, and is one word that a header can carry', () => {
  const token = createRefreshToken();
  assert.match(token.text, /^[\w-]{86}$/);
  assert.deepEqual(parseRefreshToken(token.text), token);
});

test('what is no token of ours is not read as one', () => {
  const { text } = createRefreshToken();
  // The last character has four bits that do not count.
  const lastCharacter = String.fromCharCode(text.charCodeAt(85) + 1);
  for (const wrong of ['', 'x', text.slice(1), `${text}A`, `${text}=`, ` ${text}`, text.slice(0, -1) + lastCharacter]) {
    assert.equal(parseRefreshToken(wrong), undefined, wrong);
  }
});

test('a successor is of the same family, the same for the same salt, and another for another', () => {
  const token = createRefreshToken();
  const [salt, otherSalt] = [randomBytes(32), randomBytes(32)];
  const successor = succeedRefreshToken(token, salt);
  assert.deepEqual(successor.familyHash, token.familyHash);
  assert.notDeepEqual(successor.hash, token.hash);
  assert.deepEqual(succeedRefreshToken(token, salt), successor);
  assert.notDeepEqual(succeedRefreshToken(token, otherSalt).hash, successor.hash);
  assert.deepEqual(parseRefreshToken(successor.text), successor);
});

test('no two tokens are of one family by chance', () => {
  assert.notDeepEqual(createRefreshToken().familyHash, createRefreshToken().familyHash);
});
