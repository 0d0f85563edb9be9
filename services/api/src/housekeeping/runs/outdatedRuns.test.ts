import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { components, type ComponentSpec } from '@hearth/core/config/pipeline.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { mayBeOutdated, restartOutdatedRuns } from './outdatedRuns.ts';
import type { ComponentRunRow } from '@hearth/core/db/schema.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 2 });
after(drop);
const user = await buildUser(db);
beforeEach(async () => {
  await db.deleteFrom('media_items').execute();
  await db.deleteFrom('component_checks').execute();
});

const at = (version: number): ComponentSpec => ({ ...components[0]!, version });

/** Creates an item with this METADATA run. */
const build = async (run: Partial<ComponentRunRow>): Promise<string> => {
  const { id } = await buildMediaItem(db, user.id);
  await db
    .updateTable('component_runs')
    .set(run)
    .where('media_item_id', '=', id)
    .where('component', '=', 'METADATA')
    .execute();
  return id;
};

/** Restarts all outdated runs, `limit` items per call. Returns the items of each call. */
const restartAll = async (version: number, limit: number): Promise<string[][]> => {
  const rounds: string[][] = [];
  while (await mayBeOutdated(db, at(version)))
    rounds.push((await restartOutdatedRuns(db, at(version), limit)).map(({ mediaItemId }) => mediaItemId));
  return rounds;
};

test('makes only results of earlier versions due, once and in batches', async () => {
  const old: string[] = [];
  for (const state of ['DONE', 'FAILED', 'SKIPPED', 'DONE', 'DONE'] as const)
    old.push(await build({ state, version: 1, attempts: 3 }));
  const others: readonly Partial<ComponentRunRow>[] = [
    { state: 'DONE', version: 2 },
    { state: 'RUNNING', version: 1, lease_until: new Date(Date.now() + 60_000) },
    { state: 'BLOCKED', version: 1, blocked_on: 'run exiftool' },
    { state: 'SKIPPED', version: 1, reason: 'FEATURE_OFF' },
  ];
  const left = await Promise.all(others.map(build));
  const before = await Promise.all(left.map((id) => listRuns(db, id)));

  const rounds = await restartAll(2, 2);
  assert.ok(rounds.every((round) => round.length <= 2));
  assert.deepEqual(rounds.flat().toSorted(), old.toSorted());
  for (const id of old) {
    const run = (await listRuns(db, id)).find(({ component }) => component === 'METADATA');
    assert.deepEqual([run?.state, run?.attempts], ['PENDING', 0]);
  }
  assert.deepEqual(await Promise.all(left.map((id) => listRuns(db, id))), before);
  assert.deepEqual(await restartOutdatedRuns(db, at(2), 100), []);
});

test('checks all results again for each new version, and none in a process with an older version', async () => {
  const id = await build({ state: 'DONE', version: 1 });
  assert.deepEqual((await restartAll(2, 10)).flat(), [id]);
  await db.updateTable('component_runs').set({ state: 'DONE', version: 2 }).where('media_item_id', '=', id).execute();
  assert.deepEqual((await restartAll(3, 10)).flat(), [id]);
  assert.deepEqual(await restartAll(2, 10), []);
});
