import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOneTimeCode } from './oneTimeCode.ts';

const signIn = async (userId: string): Promise<string> => `signed in: ${userId}`;

const fail = async (): Promise<string> => {
  throw new Error('the database is away');
};

test('a code signs its user in once, and another one nobody', async () => {
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

test('of two that use a code at once one signs in', async () => {
  const codes = createOneTimeCode();
  const code = codes.issue('ada');
  const answers = await Promise.all([codes.redeem(code, signIn), codes.redeem(code, signIn)]);
  assert.deepEqual(answers, ['signed in: ada', undefined]);
});

test('a code works for 24 hours, until the next one is made, and until somebody has signed in', async () => {
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

test('a code that came to nothing can be tried again, unless somebody has signed in meanwhile', async () => {
  const codes = createOneTimeCode();
  const code = codes.issue('ada');
  await assert.rejects(codes.redeem(code, fail), /away/);
  assert.equal(await codes.redeem(code, signIn), 'signed in: ada');
  const next = codes.issue('ada');
  const failLate = async (): Promise<string> => {
    codes.revoke();
    throw new Error('the database is away');
  };
  await assert.rejects(codes.redeem(next, failLate), /away/);
  assert.equal(await codes.redeem(next, signIn), undefined);
});
