import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { claimRun, listRuns } from '@hearth/core/runs/componentRuns.ts';
import { openDiskSpace } from '@hearth/core/disk/diskSpace.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import { restartOutdatedRuns } from '@hearth/api/housekeeping/runs/outdatedRuns.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { previewKey } from '@hearth/core/objects/keys.ts';
import { ObjectNotFoundError, StoreError } from '@hearth/core/objects/objectErrors.ts';
import { components as builtPipeline, componentsIn, getComponentVersion } from '@hearth/core/config/pipeline.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import type { Component } from '../context/component.ts';
import { components } from './components.ts';
import { DecodeError } from '../media/errors/decodeError.ts';
import { NoSpaceError } from '../media/errors/noSpace.ts';
import { runItem, runPool, type Components } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';

const worker = await openTestWorker();
after(async () => worker[Symbol.asyncDispose]());
const { deps } = worker;

const withMetadataRun = (run: Component['run']): Components => ({
  ...components,
  METADATA: { ...components.METADATA, run },
});

const findMetadataRun = async ({ id }: MediaItemRow) =>
  (await listRuns(deps.db, id)).find(({ component }) => component === 'METADATA');

/** Node's error for a full disk. */
const diskFullError = await writeFile('/dev/full', 'x').catch((error: unknown) => error);

test('processes the item of a job in the queue', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 1 }));
  const consumer = runPool(deps, 'media', components);
  await deps.queues.enqueue('media', [{ mediaItemId: item.id }], 'upload');
  const isReady = async () => (await getMediaItem(deps.db, worker.user.id, item.id)).status === 'READY';
  try {
    await waitUntil('the photo is READY', isReady);
  } finally {
    await consumer.close(10_000);
  }
});

const failures = [
  { name: 'damage', error: new DecodeError('CORRUPT', 'damaged'), state: 'FAILED', reason: 'CORRUPT', attempts: 1 },
  {
    name: 'a decode that took too long',
    error: new DecodeError('TIMED_OUT', 'slow'),
    state: 'PENDING',
    reason: 'TIMED_OUT',
    attempts: 1,
  },
  { name: 'an unexpected error', error: new TypeError('a bug'), state: 'PENDING', reason: 'INTERNAL', attempts: 1 },
  {
    name: 'a missing original',
    error: new ObjectNotFoundError('a/b'),
    state: 'PENDING',
    reason: 'ORIGINAL_MISSING',
    attempts: 1,
  },
  {
    name: 'an unavailable store',
    error: new StoreError('away'),
    state: 'PENDING',
    reason: 'STORAGE_UNREACHABLE',
    attempts: 0,
  },
  { name: 'a full disk', error: diskFullError, state: 'PENDING', reason: 'NO_SPACE', attempts: 0 },
  {
    name: 'a full disk while the original is fetched',
    error: new StoreError('download a/b', { cause: diskFullError }),
    state: 'PENDING',
    reason: 'NO_SPACE',
    attempts: 0,
  },
  {
    name: 'a disk filled by a transcode',
    error: new NoSpaceError('could not be written'),
    state: 'PENDING',
    reason: 'NO_SPACE',
    attempts: 0,
  },
];

for (const [index, { name, error, ...expected }] of failures.entries()) {
  test(`sets the run to ${expected.state} after ${name}, counts ${expected.attempts} attempts, and continues other runs`, async () => {
    const item = await worker.store(await makeTestPhoto({ seed: 20 + index }));
    const failing = withMetadataRun(async () => {
      throw error;
    });
    await runItem({ ...deps, log: deps.log.child({}, { level: 'silent' }) }, 'media', failing, {
      mediaItemId: item.id,
    });
    const run = await findMetadataRun(item);
    assert.deepEqual({ state: run?.state, reason: run?.reason, attempts: run?.attempts }, expected);
    assert.equal(
      (await listRuns(deps.db, item.id)).find(({ component }) => component === 'PREVIEW_THUMBNAIL')?.state,
      'DONE',
    );
  });
}

test('drops the result of a run whose lease was lost to another worker', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 3 }));
  const stolen = withMetadataRun(async () => {
    await deps.db
      .updateTable('component_runs')
      .set({ claim_id: worker.user.id })
      .where('media_item_id', '=', item.id)
      .execute();
    return { state: 'DONE', changes: { camera_make: 'nobody' }, warnings: [] };
  });
  await runItem(deps, 'media', stolen, { mediaItemId: item.id });
  assert.equal((await findMetadataRun(item))?.state, 'RUNNING');
  assert.equal((await getMediaItem(deps.db, worker.user.id, item.id)).camera_make, null);
});

test('does not restore an item that is removed while it is processed', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 4 }));
  const removing = withMetadataRun(async () => {
    await setTrashed(deps.db, worker.user.id, [item.id], true);
    await markForRemoval(deps.db, worker.user.id, item.id);
    return { state: 'DONE', changes: { camera_make: 'nobody' }, warnings: [] };
  });
  await runItem(deps, 'media', removing, { mediaItemId: item.id });
  await assert.rejects(getMediaItem(deps.db, worker.user.id, item.id), { code: 'NOT_FOUND' });
});

test('executes each run once when an item has several jobs at the same time', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 5 }));
  await Promise.all([1, 2, 3].map(() => runItem(deps, 'media', components, { mediaItemId: item.id })));
  const runs = await listRuns(deps.db, item.id);
  assert.deepEqual(
    runs.map(({ component, state, attempts }) => `${component} ${state} ${attempts}`).toSorted(),
    [
      'METADATA DONE 1',
      'PLACES SKIPPED 1',
      'PREVIEW_THUMBNAIL DONE 1',
      ...componentsIn('ml').map(({ name }) => `${name} PENDING 0`),
    ].toSorted(),
  );
});

test('finishes its active run and starts no other on shutdown, and another worker continues', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 8 }));
  const stopping = new AbortController();
  const stoppingRun = withMetadataRun(async () => {
    stopping.abort();
    return { state: 'DONE', changes: { camera_make: 'finished' }, warnings: [] };
  });
  const states = async () =>
    Object.fromEntries(
      (await listRuns(deps.db, item.id)).map(({ component, state, attempts }) => [component, [state, attempts]]),
    );
  const ending = { ...deps, stopping: stopping.signal };
  await runItem(ending, 'media', stoppingRun, { mediaItemId: item.id });
  const statesAtShutdown = { ...(await states()), METADATA: ['DONE', 1], PREVIEW_THUMBNAIL: ['PENDING', 0] };
  assert.deepEqual(await states(), statesAtShutdown);
  assert.equal((await getMediaItem(deps.db, worker.user.id, item.id)).camera_make, 'finished');
  // A job that was dequeued at the last moment.
  await runItem(ending, 'media', stoppingRun, { mediaItemId: item.id });
  assert.deepEqual(await states(), statesAtShutdown);
  await runItem(deps, 'media', components, { mediaItemId: item.id });
  assert.deepEqual((await states())['PREVIEW_THUMBNAIL'], ['DONE', 1]);
});

test('renews the lease of a long run', async () => {
  await using other = await openTestWorker({ HEARTH_LEASE_SECONDS: '2' });
  const item = await other.store(await makeTestPhoto({ seed: 6 }));
  const leaseUntil = async (): Promise<number> => {
    const run = await other.deps.db
      .selectFrom('component_runs')
      .select('lease_until')
      .where('media_item_id', '=', item.id)
      .where('component', '=', 'METADATA')
      .executeTakeFirstOrThrow();
    return run.lease_until!.getTime();
  };
  const slow = withMetadataRun(async () => {
    const begun = await leaseUntil();
    const seen = new Set<number>();
    await waitUntil('the lease was renewed twice, and would have expired otherwise', async () => {
      seen.add(await leaseUntil());
      return seen.size > 2 && Date.now() > begun;
    });
    const options = { components: builtPipeline.filter(({ name }) => name === 'METADATA') };
    assert.equal(await claimRun(other.deps.db, item.id, 'media', 2_000, options), undefined);
    return { state: 'DONE', changes: { camera_make: 'slow' }, warnings: [] };
  });
  await runItem(other.deps, 'media', slow, { mediaItemId: item.id });
  assert.equal((await getMediaItem(other.deps.db, other.user.id, item.id)).camera_make, 'slow');
});

test('reprocesses outdated metadata and previews, while the item stays READY', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 9 }));
  await runItem(deps, 'media', components, { mediaItemId: item.id });
  const done = await getMediaItem(deps.db, worker.user.id, item.id);
  // Makes the item look as an earlier version left it: with fewer values, and another preview key.
  await deps.db
    .updateTable('media_items')
    .set({ camera_make: null, preview_key: previewKey(worker.user.id, item.id, 1) })
    .where('id', '=', item.id)
    .execute();
  await deps.db.updateTable('component_runs').set({ version: 1 }).where('media_item_id', '=', item.id).execute();
  // Runs of other pools are still pending, so they are not outdated.
  const finished = new Set(
    (await listRuns(deps.db, item.id)).filter(({ state }) => state !== 'PENDING').map(({ component }) => component),
  );
  for (const component of builtPipeline) {
    const redone = await restartOutdatedRuns(deps.db, component, 1_000);
    assert.equal(
      redone.some(({ mediaItemId }) => mediaItemId === item.id),
      component.version > 1 && finished.has(component.name),
      component.name,
    );
  }
  assert.equal((await getMediaItem(deps.db, worker.user.id, item.id)).status, 'READY');
  await runItem(deps, 'media', components, { mediaItemId: item.id });
  const redone = await getMediaItem(deps.db, worker.user.id, item.id);
  assert.deepEqual({ ...redone, updated_at: done.updated_at }, done);
  for (const name of ['METADATA', 'PREVIEW_THUMBNAIL'] as const) {
    const run = (await listRuns(deps.db, item.id)).find(({ component }) => component === name);
    assert.deepEqual([run?.state, run?.version], ['DONE', getComponentVersion(name)]);
  }
});

test('ignores runs of components that only a newer version has', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 7 }));
  const later = 'LATER' as ComponentName;
  const insertingRun = withMetadataRun(async () => {
    await deps.db
      .insertInto('component_runs')
      .values({ media_item_id: item.id, user_id: item.user_id, component: later, type: 'PHOTO', version: 1 })
      .execute();
    return { state: 'DONE', warnings: [] };
  });
  await runItem(deps, 'media', insertingRun, { mediaItemId: item.id });
  assert.equal((await getMediaItem(deps.db, worker.user.id, item.id)).status, 'READY');
});

const leaveHardlyAnySpace = async () => ({ totalBytes: 2 ** 40, freeBytes: 99 });

test('postpones work below the disk reserve, and does it once there is space', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 77 }));
  const disk = openDiskSpace({
    folders: [{ name: 'scratch', path: '/' }],
    reserveBytes: 100,
    log: deps.log,
    read: leaveHardlyAnySpace,
  });
  await runItem({ ...deps, disk }, 'media', components, { mediaItemId: item.id });
  const runs = await listRuns(deps.db, item.id);
  assert.deepEqual(
    runs.filter(({ reason }) => reason === 'NO_SPACE').map(({ state, attempts }) => `${state} ${attempts}`),
    ['PENDING 0', 'PENDING 0'],
  );
  await queryOnce(deps.config.databaseUrl, 'update component_runs set next_attempt_at = now()');
  assert.equal((await worker.process(item)).status, 'READY');
});
