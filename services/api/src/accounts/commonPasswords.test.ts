import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseCommonPassword } from './commonPasswords.ts';

test('a password that many people have is refused in any case, and the place that it stands in is named', async () => {
  for (const password of ['password', 'Qwertyuiop', 'BASEBALL', '12345678', 'iloveyou']) {
    await assert.rejects(refuseCommonPassword(password, 'body.password'), (error: Error) => {
      assert.ok('errors' in error);
      assert.deepEqual((error.errors as readonly { path: string }[])[0]?.path, 'body.password');
      return true;
    });
  }
});

test('a password that nobody else has is taken', async () => {
  for (const password of ['a password of mine', 'k3gw-vn8x-q2ma-tz7c', 'Zug nach Winterthur']) {
    await refuseCommonPassword(password, 'body.password');
  }
});
