import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashNewPassword, verifyPassword, rejectCommonPassword } from './passwords.ts';

test('hashes with argon2id and a random salt', async () => {
  const hash = await hashNewPassword('a password');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.notEqual(await hashNewPassword('a password'), hash);
  assert.equal(await verifyPassword(hash, 'a password'), true);
  assert.equal(await verifyPassword(hash, 'A password'), false);
  assert.equal(await verifyPassword(undefined, 'a password'), false);
});

test('queues a hundred passwords and refuses more at once', async () => {
  const hashes = await Promise.allSettled(Array.from({ length: 110 }, () => hashNewPassword('a password')));
  const refused = hashes.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 8);
  for (const { reason } of refused as PromiseRejectedResult[]) {
    assert.deepEqual([reason.code, reason.retryAfterSeconds], ['UNAVAILABLE', 5]);
  }
});

test('refuses a common password in any letter case, and names its field', async () => {
  for (const password of ['password', 'Qwertyuiop', 'BASEBALL', '12345678', 'iloveyou']) {
    await assert.rejects(rejectCommonPassword(password, 'body.password'), (error: Error) => {
      assert.ok('errors' in error);
      assert.deepEqual((error.errors as readonly { path: string }[])[0]?.path, 'body.password');
      return true;
    });
  }
});

test('accepts a password that is not common', async () => {
  for (const password of ['a password of mine', 'k3gw-vn8x-q2ma-tz7c', 'Zug nach Winterthur']) {
    await rejectCommonPassword(password, 'body.password');
  }
});
