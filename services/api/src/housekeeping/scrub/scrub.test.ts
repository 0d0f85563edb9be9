import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, test } from 'node:test';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { markerKey } from '@hearth/core/objects/marker.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { assertStopped, getKey, startScrubFixture } from '@hearth/testkit/api/scrubFixture.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { measureOriginals, measureScrub } from './scrub.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects } = deps;
const fixture = await startScrubFixture(api);
const { newUser, store, scrub, listResults, readState, put } = fixture;
after(() => api.stop());
afterEach(() => fixture.clear());

/** Wraps the store to call `work` before the first byte of an original is read. */
const whenOpening = (work: (key: string) => Promise<void>): { readonly objects: ObjectStore } => ({
  objects: {
    ...objects,
    open: async (key, range) => {
      const stream = await objects.open(key, range);
      if (key !== markerKey) await work(key);
      return stream;
    },
  },
});

/** Stores two originals and deletes the second. */
const storeAndLose = async () => {
  const owner = await newUser();
  const items = [await store(owner), await store(owner)] as const;
  await objects.remove([getKey(items[1])]);
  return items;
};
const writeForeignMarker = (): Promise<void> => put(markerKey, JSON.stringify({ library: randomUUID() }));

test('records which originals are fine, truncated, empty, changed or missing', async () => {
  const owner = await newUser();
  const [fine, short, empty, flipped, gone] = await Promise.all(Array.from({ length: 5 }, () => store(owner)));
  await put(getKey(short!), 'short');
  await put(getKey(empty!), '');
  await put(getKey(flipped!), '!'.repeat(64));
  await objects.remove([getKey(gone!)]);
  await scrub();
  assert.deepEqual(await listResults(), {
    [fine!.id]: 'OK',
    [short!.id]: 'DAMAGED',
    [empty!.id]: 'DAMAGED',
    [flipped!.id]: 'DAMAGED',
    [gone!.id]: 'MISSING',
  });
  assert.notEqual((await readState())?.completed_at, null);
});

test('reads an original again only after the period', async () => {
  const item = await store(await newUser());
  await scrub();
  await put(getKey(item), 'damaged later');
  await fixture.passDays(29);
  await scrub();
  assert.deepEqual(await listResults(), { [item.id]: 'OK' });
  await fixture.passDays(31);
  await scrub();
  assert.deepEqual(await listResults(), { [item.id]: 'DAMAGED' });
});

test('reads nothing when switched off', async () => {
  await store(await newUser());
  await scrub(undefined, { config: { ...deps.config, scrubDays: 0 } });
  assert.deepEqual(await listResults(), {});
});

test('resumes where it stopped and reads nothing twice', async () => {
  const owner = await newUser();
  for (let n = 0; n < 10; n += 1) await store(owner);
  const opened: string[] = [];
  const stopping = new AbortController();
  const count = whenOpening(async (key) => {
    opened.push(key);
    if (opened.length === 4) stopping.abort();
  });
  await scrub(stopping.signal, count);
  assert.deepEqual([Object.keys(await listResults()).length, opened.length], [3, 4]);
  await scrub(undefined, count);
  assert.equal(Object.keys(await listResults()).length, 10);
  // The original that was being read is read again.
  assert.deepEqual([opened.length, new Set(opened).size], [11, 10]);
});

test('does not mark an original as damaged if it is replaced during the read', async () => {
  const item = await store(await newUser());
  const content = await text(await objects.open(getKey(item)));
  await put(getKey(item), '!'.repeat(64));
  await scrub(
    undefined,
    whenOpening((key) => put(key, content)),
  );
  assert.deepEqual(await listResults(), { [item.id]: 'OK' });
});

test('drops a result if an upload repaired the original meanwhile or the item is being removed', async () => {
  const owner = await newUser();
  const [healed, removed] = [await store(owner), await store(owner)];
  for (const item of [healed, removed]) await put(getKey(item), '!'.repeat(64));
  const meanwhile = whenOpening(async (key) => {
    if (key === getKey(removed)) {
      await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', removed.id).execute();
      return;
    }
    const row = { media_item_id: healed.id, user_id: owner, state: 'OK' as const };
    await db.insertInto('original_checks').values(row).execute();
  });
  await scrub(undefined, meanwhile);
  assert.deepEqual(await listResults(), { [healed.id]: 'OK' });
});

test(
  'stops and marks no original if most are missing, and reads them when they are back',
  { skip: isOnCluster },
  async () => {
    const owner = await newUser();
    const items = [];
    for (let n = 0; n < 30; n += 1) items.push(await store(owner));
    const [from, aside] = [join(fixture.folder, owner), `${fixture.folder}-aside`];
    await rename(from, aside);
    await mkdir(from);
    await assert.rejects(scrub(), { name: 'MassFailureError', message: /30 of 30 originals are missing at once/ });
    assert.deepEqual(await listResults(), {});
    await assertStopped(api, 'ORIGINALS_MISSING', /^30 of 30/);
    await rm(from, { recursive: true });
    await rename(aside, from);
    await scrub();
    assert.deepEqual(new Set(Object.values(await listResults())), new Set(['OK']));
    assert.equal((await readState())?.stopped_at, null);
  },
);

test('stops and marks no original if the folder is not mounted', { skip: isOnCluster }, async () => {
  const item = await store(await newUser());
  const aside = `${fixture.folder}-unmounted`;
  await rename(fixture.folder, aside);
  await assert.rejects(scrub(), { name: 'StoreError' });
  await rename(aside, fixture.folder);
  assert.deepEqual(await listResults(), {});
  await assertStopped(api, 'STORAGE_FAILED', /access object store/);
  await scrub();
  assert.deepEqual(await listResults(), { [item.id]: 'OK' });
});

test('stops and marks no original if the store has no marker or the marker of another library', async () => {
  const [fine, gone] = await storeAndLose();
  for (const [spoil, reason] of [
    [() => objects.remove([markerKey]), /has no library marker/],
    [writeForeignMarker, /the object store belongs to library/],
  ] as const) {
    await spoil();
    await assert.rejects(scrub(), { name: 'WrongStoreError', message: reason });
    assert.deepEqual(await listResults(), {});
    await assertStopped(api, 'WRONG_STORAGE', reason);
  }
  await takeOverStore(objects, db);
  await scrub();
  assert.deepEqual(await listResults(), { [fine.id]: 'OK', [gone.id]: 'MISSING' });
  assert.equal((await readState())?.stopped_at, null);
});

test('marks nothing as missing if the store is exchanged during a batch', async () => {
  const [fine] = await storeAndLose();
  await assert.rejects(scrub(undefined, whenOpening(writeForeignMarker)), { name: 'WrongStoreError' });
  await takeOverStore(objects, db);
  assert.deepEqual(await listResults(), { [fine.id]: 'OK' });
});

test('marks many missing originals if the store has most of the others', async () => {
  const owner = await newUser();
  const gone = [];
  for (let n = 0; n < 40; n += 1) gone.push(await store(owner));
  for (let n = 0; n < 60; n += 1) await store(owner);
  await objects.remove(gone.map(getKey));
  await scrub();
  assert.equal(Object.values(await listResults()).filter((state) => state === 'MISSING').length, 40);
});

test('marks and counts missing originals that were uploaded consecutively, as after a restore of older files', async () => {
  const owner = await newUser();
  for (let n = 0; n < 10; n += 1) await store(owner);
  const newer = [];
  for (let n = 0; n < 30; n += 1) newer.push(await store(owner));
  await objects.remove(newer.map(getKey));
  await store(owner);
  const logged: unknown[] = [];
  await scrub(undefined, {
    log: { ...deps.log, error: () => undefined, info: (fields: unknown) => logged.push(fields) },
  });
  assert.equal(Object.values(await listResults()).filter((state) => state === 'MISSING').length, 30);
  assert.deepEqual(logged, [{ DAMAGED: 0, MISSING: 30, newerThanFiles: 30, repairedRenditions: 0 }]);
});

test('does not stop if originals were already missing before, and finds those that are back', async () => {
  const owner = await newUser();
  const items = [];
  for (let n = 0; n < 40; n += 1) items.push(await store(owner));
  const gone = await Promise.all(
    items.slice(10).map(async (item) => ({ item, content: await text(await objects.open(getKey(item))) })),
  );
  await objects.remove(gone.map(({ item }) => getKey(item)));
  await scrub();
  const back = gone.filter((_, nth) => nth % 6 === 0);
  for (const { item, content } of back) await put(getKey(item), content);
  await fixture.passDays(31);
  await scrub();
  assert.equal(Object.values(await listResults()).filter((state) => state === 'MISSING').length, 25);
});

const measure = async () => {
  await measureOriginals(deps);
  await measureScrub(deps);
  const { values } = await metrics.originals.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels['state'], value]));
};

test('exports originals by their last check and a stopped scrub as metrics', { skip: isOnCluster }, async () => {
  const owner = await newUser();
  const [, damaged, gone] = [await store(owner), await store(owner), await store(owner)];
  assert.deepEqual(await measure(), { OK: 0, UNCHECKED: 3, DAMAGED: 0, MISSING: 0 });
  await put(getKey(damaged), 'damaged');
  await objects.remove([getKey(gone)]);
  await scrub();
  await store(owner);
  assert.deepEqual(await measure(), { OK: 1, UNCHECKED: 1, DAMAGED: 1, MISSING: 1 });
  const completed = (await readState())!.completed_at!.getTime() / 1_000;
  assert.deepEqual(
    (
      await Promise.all(
        [metrics.scrubStopped, metrics.scrubCompleted, metrics.scrubPeriod].map(async (gauge) => gauge.get()),
      )
    ).map(({ values }) => values[0]?.value),
    [0, completed, 30 * 86_400],
  );
  const aside = `${fixture.folder}-unmounted`;
  await rename(fixture.folder, aside);
  await fixture.passDays(31);
  await assert.rejects(scrub(), { name: 'StoreError' });
  await rename(aside, fixture.folder);
  await measure();
  assert.equal((await metrics.scrubStopped.get()).values[0]?.value, 1);
});
