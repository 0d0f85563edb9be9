import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { claimRun, listRuns, type Claim } from '@hearth/core/runs/componentRuns.ts';
import { searchByText } from '@hearth/api/features/search/queries.ts';
import { listExploredOfItem } from '@hearth/api/features/explore/queries.ts';
import { findPosition, reprocessMovedPlace, writeItemPlace, type ItemPlace } from './itemPlaces.ts';
import { recordOutcome, type Outcome } from '@hearth/core/runs/runOutcomes.ts';
import type { ComponentRunRow, MediaItemChanges } from '@hearth/core/db/schema.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const user = await buildUser(db);

const findPlace = async (userId: string, itemId: string) =>
  (await listExploredOfItem(db, 'place', userId, itemId, { limit: 1, start: { number: 1 } })).entries[0]?.row;

const basel: ItemPlace = {
  countryCode: 'CH',
  country: 'Switzerland',
  state: 'Basel-City',
  city: 'Basel',
  town: 'Riehen',
  postcode: '4125',
};

/** Makes an outcome of PLACES. */
const makePlaceOutcome = ({ mediaItemId }: Claim, place: ItemPlace | null): Outcome => ({
  state: 'DONE',
  writes: { write: (trx) => writeItemPlace(trx, mediaItemId, place) },
  warnings: [],
});

/** Makes an outcome of METADATA. */
const makeMetadataOutcome = ({ mediaItemId }: Claim, changes: MediaItemChanges): Outcome => ({
  state: 'DONE',
  changes,
  writes: { write: (trx) => reprocessMovedPlace(trx, mediaItemId, changes) },
  warnings: [],
});

const claimItem = async (id: string): Promise<Claim> => {
  const claim = await claimRun(db, id, 'media', 60_000);
  assert.ok(claim);
  return claim;
};

/** Completes METADATA and PREVIEW_THUMBNAIL of an item, and claims PLACES. */
const beginPlaces = async (id: string, metadata: MediaItemChanges = {}): Promise<Claim> => {
  const details = await claimItem(id);
  await recordOutcome(db, details, makeMetadataOutcome(details, metadata));
  await recordOutcome(db, await claimItem(id), { state: 'DONE', changes: {}, warnings: [] });
  const claim = await claimItem(id);
  assert.equal(claim.component, 'PLACES');
  return claim;
};

const buildItemWithPlace = async (place: ItemPlace | null, userId = user.id): Promise<string> => {
  const { id } = await buildMediaItem(db, userId);
  const claim = await beginPlaces(id);
  assert.ok(await recordOutcome(db, claim, makePlaceOutcome(claim, place)));
  return id;
};

const findPlacesRun = async (id: string): Promise<ComponentRunRow> =>
  (await listRuns(db, id)).find(({ component }) => component === 'PLACES')!;

const requeue = (id: string) =>
  db
    .updateTable('component_runs')
    .set({ state: 'PENDING' })
    .where('media_item_id', '=', id)
    .where('component', '=', 'PLACES')
    .execute();

const listPlaceNames = async (userId: string): Promise<string[]> => {
  const places = await db.selectFrom('places').select('name').where('user_id', '=', userId).execute();
  return places.map(({ name }) => name).toSorted();
};

test('gives an item its place with postcode, visible to its owner only', async () => {
  const id = await buildItemWithPlace(basel);
  const place = await findPlace(user.id, id);
  assert.deepEqual(
    [place?.country_code, place?.country, place?.state, place?.city, place?.town, place?.postcode, place?.name],
    ['CH', 'Switzerland', 'Basel-City', 'Basel', 'Riehen', '4125', 'Riehen'],
  );
  assert.equal(await findPlace((await buildUser(db)).id, id), undefined);
});

test('names a place by its town, else its city, state or country', async () => {
  const owner = await buildUser(db);
  const { countryCode, country } = basel;
  for (const rest of [{ town: 'a' }, { city: 'b', state: 'x' }, { state: 'c' }, {}])
    await buildItemWithPlace({ countryCode, country, ...rest }, owner.id);
  assert.deepEqual(await listPlaceNames(owner.id), ['Switzerland', 'a', 'b', 'c']);
});

test('shares a place between items of a user that differ only in postcode', async () => {
  const [mine, theirs] = [await buildUser(db), await buildUser(db)];
  const place = async (values: Partial<ItemPlace>, userId = mine.id) =>
    (await findPlace(userId, await buildItemWithPlace({ ...basel, ...values }, userId)))?.id;
  const first = await place({});
  assert.equal(await place({ postcode: '4001' }), first);
  for (const other of [{ town: 'Bettingen' }, { city: 'Bern' }, { state: 'Bern' }, { countryCode: 'DE' }])
    assert.notEqual(await place(other), first);
  assert.notEqual(await place({}, theirs.id), first);
});

test('creates a new place once when twenty items get it at the same time', async () => {
  const owner = await buildUser(db);
  const items = await Promise.all(Array.from({ length: 20 }, () => buildMediaItem(db, owner.id)));
  const claims = [];
  for (const { id } of items) claims.push(await beginPlaces(id));
  const recorded = await Promise.all(claims.map((claim) => recordOutcome(db, claim, makePlaceOutcome(claim, basel))));
  assert.ok(recorded.every((each) => each !== undefined));
  const places = await Promise.all(items.map(({ id }) => findPlace(owner.id, id)));
  assert.equal(new Set(places.map((place) => place?.id)).size, 1);
  assert.deepEqual(await listPlaceNames(owner.id), ['Riehen']);
});

test('replaces or removes the place when the run is repeated', async () => {
  const id = await buildItemWithPlace(basel);
  await requeue(id);
  const second = await claimItem(id);
  await recordOutcome(db, second, makePlaceOutcome(second, { ...basel, town: 'Bettingen' }));
  assert.equal((await findPlace(user.id, id))?.name, 'Bettingen');
  await requeue(id);
  const third = await claimItem(id);
  const writes = { write: (trx: Database) => writeItemPlace(trx, id, null) };
  await recordOutcome(db, third, { state: 'SKIPPED', reason: 'NOT_APPLICABLE', writes });
  assert.equal(await findPlace(user.id, id), undefined);
});

test('writes no place after the lease was lost', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const lost = await beginPlaces(id);
  await db
    .updateTable('component_runs')
    .set({ lease_until: new Date(0) })
    .where('media_item_id', '=', id)
    .execute();
  await claimItem(id);
  assert.equal(await recordOutcome(db, lost, makePlaceOutcome(lost, basel)), undefined);
  assert.equal(await findPlace(user.id, id), undefined);
});

test('repeats the lookup when the position changes, and discards the active one', async () => {
  const position = { latitude: 47.5, longitude: 7.6 };
  const { id } = await buildMediaItem(db, user.id);
  const early = await beginPlaces(id);
  const redoMetadata = async (changes: MediaItemChanges) => {
    await db
      .updateTable('component_runs')
      .set({ state: 'PENDING' })
      .where('media_item_id', '=', id)
      .where('component', '=', 'METADATA')
      .execute();
    const claim = await claimItem(id);
    assert.equal(claim.component, 'METADATA');
    // Runs that need models are always due.
    return (await recordOutcome(db, claim, makeMetadataOutcome(claim, changes)))?.filter((name) => name === 'PLACES');
  };
  assert.deepEqual(await redoMetadata(position), ['PLACES']);
  assert.deepEqual(await findPosition(db, id), position);
  assert.equal(await recordOutcome(db, early, makePlaceOutcome(early, null)), undefined);
  const late = await claimItem(id);
  assert.ok(await recordOutcome(db, late, makePlaceOutcome(late, basel)));
  assert.deepEqual(await redoMetadata(position), []);
  assert.equal((await findPlacesRun(id)).state, 'DONE');
  assert.deepEqual(await redoMetadata({ latitude: null, longitude: null }), ['PLACES']);
});

test('keeps a run skipped because the feature is off when the position changes', async () => {
  const owner = await buildUser(db, { features: { places: false } });
  const { id } = await buildMediaItem(db, owner.id);
  const claim = await claimItem(id);
  await recordOutcome(db, claim, makeMetadataOutcome(claim, { latitude: 1, longitude: 2 }));
  assert.deepEqual([(await findPlacesRun(id)).state, (await findPlacesRun(id)).reason], ['SKIPPED', 'FEATURE_OFF']);
});

test('makes an item READY without waiting for its place', async () => {
  const { id } = await buildMediaItem(db, user.id);
  await beginPlaces(id);
  const { status } = await db.selectFrom('media_items').select('status').where('id', '=', id).executeTakeFirstOrThrow();
  assert.equal(status, 'READY');
});

test('finds an item by the German names of its country and city, also in older places', async () => {
  const owner = await buildUser(db);
  const earlier = await buildItemWithPlace(basel, owner.id);
  const find = async (query: string) =>
    (await searchByText(db, { userId: owner.id, features: {} }, query, { limit: 9, start: { number: 1 } })).entries
      .map(({ id }) => id)
      .toSorted();
  assert.deepEqual(await find('Schweiz'), [earlier]);
  await db.updateTable('places').set({ synonyms: '' }).where('user_id', '=', owner.id).execute();
  const later = await buildItemWithPlace(basel, owner.id);
  assert.deepEqual(await find('riehen schweiz'), [earlier, later].toSorted());
  assert.deepEqual(await find('Österreich'), []);
  const { town: _, ...canton } = basel;
  const geneva = await buildItemWithPlace({ ...canton, state: 'Geneva', city: 'Geneva' }, owner.id);
  assert.deepEqual(await find('Genf'), [geneva]);
});
