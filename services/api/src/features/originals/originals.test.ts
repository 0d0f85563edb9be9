import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { startScrubFixture } from '@hearth/testkit/api/scrubFixture.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { db, objects } = api.deps;
after(() => api.stop());

test('returns the totals of all checks to the administrator only', async () => {
  const { store, put, scrub, readState } = await startScrubFixture(api);
  const user = await api.signUp();
  const { id: userId } = await buildUser(db);
  const [, damaged, gone] = [await store(userId), await store(user.id), await store(userId)];
  const none = { ok: 0, unchecked: 3, damaged: 0, missing: 0, repairedRenditions: 0 };
  assert.deepEqual((await api.callAsAdmin('getOriginals')).body, none);
  await put(originalKey(user.id, damaged.id), 'damaged');
  await objects.remove([originalKey(userId, gone.id)]);
  await scrub();
  const completedAt = (await readState())!.completed_at!.toISOString();
  const sums = { ok: 1, unchecked: 0, damaged: 1, missing: 1, repairedRenditions: 0, completedAt };
  assert.deepEqual((await api.callAsAdmin('getOriginals')).body, sums);
  assert.equal((await user.call('getOriginals')).status, 401);
});
