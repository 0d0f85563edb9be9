import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { maxProcessingCount } from '@hearth/contract/limits.ts';
import { sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { buildReadyItems, setRuns } from '@hearth/testkit/rows/libraryJobs.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { claimRun } from '@hearth/core/runs/componentRuns.ts';
import { listRunGroups, retryFailedRuns } from './queries.ts';
import { setTrashed } from '../../lists/trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

test('counts pending and active runs by component, but not finished ones', async () => {
  const user = await buildUser(db);
  const ids = await buildReadyItems(db, user.id, 3);
  assert.deepEqual(await listRunGroups(db, user.id), []);
  await setRuns(db, ids, { state: 'PENDING' }, 'METADATA');
  await claimRun(db, ids[0]!, 'media', 60_000);
  const waiting = { state: 'PENDING', component: 'METADATA', reason: null, count: 3, examples: [] };
  assert.deepEqual(await listRunGroups(db, user.id), [waiting]);
});

test('counts failed and blocked runs of one library by component and reason', async () => {
  const [user, other] = [await buildUser(db), await buildUser(db)];
  const ids = await buildReadyItems(db, user.id, 5);
  const [corrupt, blocked] = [ids.slice(0, 4), ids.slice(4)];
  await setRuns(db, corrupt, { state: 'FAILED', reason: 'CORRUPT' }, 'PREVIEW_THUMBNAIL');
  await setRuns(db, blocked, { state: 'BLOCKED', reason: 'NO_DECODER' }, 'PREVIEW_THUMBNAIL');
  await setRuns(db, await buildReadyItems(db, other.id, 2), { state: 'FAILED', reason: 'TIMED_OUT' });
  const component = 'PREVIEW_THUMBNAIL';
  assert.deepEqual(await listRunGroups(db, user.id), [
    { state: 'FAILED', component, reason: 'CORRUPT', count: 4, examples: corrupt.toReversed().slice(0, 3) },
    { state: 'BLOCKED', component, reason: 'NO_DECODER', count: 1, examples: blocked },
  ]);
});

test('counts trashed items, but does not use them as examples', async () => {
  const user = await buildUser(db);
  const [shown, trashed] = (await buildReadyItems(db, user.id, 2)) as [string, string];
  await setRuns(db, [shown, trashed], { state: 'FAILED', reason: 'CORRUPT' }, 'PLACES');
  await setTrashed(db, user.id, [trashed], true);
  const groups = await listRunGroups(db, user.id);
  assert.deepEqual([groups.map(({ count }) => count), groups[0]?.examples], [[2], [shown]]);
});

test('counts a group up to a limit', async () => {
  const user = await buildUser(db);
  await sql`
    with item as (
      insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, taken_at, local_time, type)
      select id, ${user.id}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, now(), now(), 'PHOTO'
      from (select gen_random_uuid() as id from generate_series(1, ${maxProcessingCount + 1})) as ids returning id)
    insert into component_runs (media_item_id, user_id, component, type, version, state, reason)
    select id, ${user.id}, 'OCR', 'PHOTO', 1, 'FAILED', 'INTERNAL' from item`.execute(db);
  assert.deepEqual(
    (await listRunGroups(db, user.id)).map(({ count }) => count),
    [maxProcessingCount],
  );
});

test('retries failed runs by component and reason or all, up to a limit', async () => {
  const [user, other] = [await buildUser(db), await buildUser(db)];
  const ids = await buildReadyItems(db, user.id, 4);
  await setRuns(db, ids, { state: 'FAILED', reason: 'CORRUPT' }, 'METADATA');
  await setRuns(db, ids.slice(0, 1), { state: 'FAILED', reason: 'TIMED_OUT' }, 'PLACES');
  const theirs = await buildReadyItems(db, other.id, 1);
  await setRuns(db, theirs, { state: 'FAILED', reason: 'CORRUPT' });
  const before = await listRunGroups(db, other.id);
  const retry = (filter: Parameters<typeof retryFailedRuns>[2], limit = 100) =>
    retryFailedRuns(db, user.id, filter, limit);

  assert.deepEqual(await retry({ reason: 'NO_SPACE' }), { retried: 0, isComplete: true });
  assert.deepEqual(await retry({ component: 'PLACES', reason: 'CORRUPT' }), { retried: 0, isComplete: true });
  assert.deepEqual(await retry({ component: 'PLACES' }), { retried: 1, isComplete: true });
  assert.deepEqual(await retry({ reason: 'CORRUPT' }, 3), { retried: 3, isComplete: false });
  assert.deepEqual(await retry({}), { retried: 1, isComplete: true });
  assert.deepEqual(
    (await listRunGroups(db, user.id)).map(({ state, component, count }) => [state, component, count]),
    [
      ['PENDING', 'METADATA', 4],
      ['PENDING', 'PLACES', 1],
    ],
  );
  assert.equal((await claimRun(db, ids[3]!, 'media', 60_000))?.attempts, 1);
  assert.deepEqual(await listRunGroups(db, other.id), before);
});

test('a failed item becomes PROCESSING, and a visible one stays READY', async () => {
  const user = await buildUser(db);
  const [failed, shown] = (await buildReadyItems(db, user.id, 2)) as [string, string];
  await setRuns(db, [failed, shown], { state: 'FAILED', reason: 'CORRUPT' }, 'METADATA');
  await db.updateTable('media_items').set({ status: 'FAILED' }).where('id', '=', failed).execute();
  await retryFailedRuns(db, user.id, {}, 100);
  assert.equal((await getMediaItem(db, user.id, failed)).status, 'PROCESSING');
  assert.equal((await getMediaItem(db, user.id, shown)).status, 'READY');
});
