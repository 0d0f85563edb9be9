import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createRefreshToken, parseRefreshToken, createSuccessorToken } from './refreshTokens.ts';

test('parses a token that it created, which is safe in a header', () => {
  const token = createRefreshToken();
  assert.match(token.text, /^[\w-]{86}$/);
  assert.deepEqual(parseRefreshToken(token.text), token);
});

test('rejects malformed tokens', () => {
  const { text } = createRefreshToken();
  // The last character has four unused bits.
  const lastCharacter = String.fromCharCode(text.charCodeAt(85) + 1);
  for (const wrong of ['', 'x', text.slice(1), `${text}A`, `${text}=`, ` ${text}`, text.slice(0, -1) + lastCharacter]) {
    assert.equal(parseRefreshToken(wrong), undefined, wrong);
  }
});

test('derives a successor of the same family, deterministic per salt', () => {
  const token = createRefreshToken();
  const [salt, otherSalt] = [randomBytes(32), randomBytes(32)];
  const successor = createSuccessorToken(token, salt);
  assert.deepEqual(successor.familyHash, token.familyHash);
  assert.notDeepEqual(successor.hash, token.hash);
  assert.deepEqual(createSuccessorToken(token, salt), successor);
  assert.notDeepEqual(createSuccessorToken(token, otherSalt).hash, successor.hash);
  assert.deepEqual(parseRefreshToken(successor.text), successor);
});

test('creates a new family for each token', () => {
  assert.notDeepEqual(createRefreshToken().familyHash, createRefreshToken().familyHash);
});
