import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setRuns } from '@hearth/testkit/rows/libraryJobs.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());

test('reports pending and failed runs, and retries them', async () => {
  const [damaged, unknown] = [await user.uploadPhoto(), await user.uploadPhoto()];
  const initial = (await user.call('getProcessing')).body;
  assert.deepEqual([initial.failed, initial.blocked], [[], []]);
  assert.ok(initial.waiting.every(({ count }) => count === 2));

  await setRuns(api.deps.db, [damaged, unknown], { state: 'DONE' });
  await setRuns(api.deps.db, [damaged], { state: 'FAILED', reason: 'CORRUPT' }, 'PREVIEW_THUMBNAIL');
  await setRuns(api.deps.db, [unknown], { state: 'BLOCKED', reason: 'NO_DECODER' }, 'PREVIEW_THUMBNAIL');
  const component = 'PREVIEW_THUMBNAIL';
  assert.deepEqual((await user.call('getProcessing')).body, {
    waiting: [],
    failed: [{ component, reason: 'CORRUPT', count: 1, examples: [damaged] }],
    blocked: [{ component, reason: 'NO_DECODER', count: 1, examples: [unknown] }],
  });

  const other = await api.signUp();
  assert.deepEqual((await other.call('retryProcessing', { body: {} })).body, { retried: 0, isComplete: true });
  assert.deepEqual((await user.call('retryProcessing', { body: { reason: 'timed_out' } })).body.retried, 0);
  assert.deepEqual((await user.call('retryProcessing', { body: { reason: 'corrupt' } })).body.retried, 1);
  const { waiting, failed } = (await user.call('getProcessing')).body;
  assert.deepEqual([waiting, failed], [[{ component, count: 1 }], []]);
});

test('rejects an unknown reason or component', async () => {
  for (const body of [{ reason: 'BAD_LUCK' }, { component: 'LUCK' }, { all: true }])
    assert.equal((await user.call('retryProcessing', { body })).status, 400);
});
