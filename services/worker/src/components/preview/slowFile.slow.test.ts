import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { makeScannedJpeg } from '@hearth/testkit/media/makeScannedJpeg.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

test('retries a photo that times out once with a longer limit, then marks it FAILED', async () => {
  await using worker = await openTestWorker({}, { timeoutMs: 150 });
  const item = await worker.store(makeScannedJpeg({ width: 20_000, height: 7_000, scans: 100 }));
  const preview = async () => {
    const { state, reason, attempts } = (await listRuns(worker.deps.db, item.id)).find(
      ({ component }) => component === 'PREVIEW_THUMBNAIL',
    )!;
    return { state, reason, attempts };
  };
  const processNow = async () => {
    await worker.deps.db
      .updateTable('component_runs')
      .set({ next_attempt_at: new Date(0) })
      .where('state', '=', 'PENDING')
      .execute();
    const begin = performance.now();
    await worker.process(item);
    return performance.now() - begin;
  };
  await processNow();
  assert.deepEqual(await preview(), { state: 'PENDING', reason: 'TIMED_OUT', attempts: 1 });
  const secondMs = await processNow();
  assert.ok(secondMs >= 450, `the second attempt took ${secondMs} ms`);
  const { state, reason, attempts } = await preview();
  assert.deepEqual({ state, attempts }, { state: 'FAILED', attempts: 2 });
  assert.match(reason ?? '', /^(TIMED_OUT|TOO_LARGE)$/);
});

test('does not add a third attempt when the store fails between two timeouts', async () => {
  await using worker = await openTestWorker({}, { timeoutMs: 150 });
  const item = await worker.store(makeScannedJpeg({ width: 20_000, height: 7_000, scans: 100 }));
  const due = { next_attempt_at: new Date(0) };
  const preview = async () =>
    (await listRuns(worker.deps.db, item.id)).find(({ component }) => component === 'PREVIEW_THUMBNAIL')!;
  const processNow = async (deps = worker.deps) => {
    await worker.deps.db.updateTable('component_runs').set(due).where('state', '=', 'PENDING').execute();
    await worker.process(item, { deps });
  };
  await processNow();
  await processNow({ ...worker.deps, disk: { ...worker.deps.disk, isLow: () => Promise.resolve(true) } });
  assert.deepEqual([(await preview()).state, (await preview()).attempts], ['PENDING', 1]);
  await processNow();
  assert.deepEqual([(await preview()).state, (await preview()).attempts], ['FAILED', 2]);
});
