import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOneTimeCode } from './oneTimeCode.ts';

const signIn = async (userId: string): Promise<string> => `signed in: ${userId}`;

const fail = async (): Promise<string> => {
  throw new Error('the database is unavailable');
};

test('signs in the user of the code once and rejects wrong codes', async () => {
  const codes = createOneTimeCode();
  assert.equal(await codes.redeem('', signIn), undefined);
  const code = codes.issue('ada');
  assert.match(code, /^[\w-]{43}$/);
  for (const wrong of ['', `${code} `, code.slice(1), 'ada']) {
    assert.equal(await codes.redeem(wrong, signIn), undefined);
  }
  assert.equal(await codes.redeem(code, signIn), 'signed in: ada');
  assert.equal(await codes.redeem(code, signIn), undefined);
});

test('signs in only one of two concurrent requests with the same code', async () => {
  const codes = createOneTimeCode();
  const code = codes.issue('ada');
  const results = await Promise.all([codes.redeem(code, signIn), codes.redeem(code, signIn)]);
  assert.deepEqual(results, ['signed in: ada', undefined]);
});

test('accepts a code for 24 hours, until the next code is issued or until a sign-in', async () => {
  let time = Date.parse('2026-11-23T08:00:00Z');
  const codes = createOneTimeCode(() => time);
  const [early, late] = [codes.issue('ada'), codes.issue('ada')];
  assert.notEqual(early, late);
  assert.equal(await codes.redeem(early, signIn), undefined);
  time += 24 * 60 * 60 * 1_000;
  assert.equal(await codes.redeem(late, signIn), undefined);
  const inTime = codes.issue('ada');
  time += 24 * 60 * 60 * 1_000 - 1;
  assert.equal(await codes.redeem(inTime, signIn), 'signed in: ada');
  const revoked = codes.issue('ada');
  codes.revoke();
  assert.equal(await codes.redeem(revoked, signIn), undefined);
});

test('accepts a code again after a failed sign-in, unless someone signed in meanwhile', async () => {
  const codes = createOneTimeCode();
  const code = codes.issue('ada');
  await assert.rejects(codes.redeem(code, fail), /unavailable/);
  assert.equal(await codes.redeem(code, signIn), 'signed in: ada');
  const next = codes.issue('ada');
  const failLate = async (): Promise<string> => {
    codes.revoke();
    throw new Error('the database is unavailable');
  };
  await assert.rejects(codes.redeem(next, failLate), /unavailable/);
  assert.equal(await codes.redeem(next, signIn), undefined);
});
