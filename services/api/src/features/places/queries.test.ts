import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { findAllMapCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { anyStep, step, type Step } from '@hearth/testkit/rows/libraryHistory.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import type { MapBounds } from './mapCells.ts';
import { deleteEmptyMapCells, rollUpMapCounts } from './mapCounts.ts';
import { listMapClusters, type MapCluster } from './queries.ts';
import { hasDeltas } from '../../lists/counts.ts';
import { setTrashed } from '../../lists/trashed.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);

const rollUpAll = async (): Promise<void> => {
  while ((await rollUpMapCounts(db, 1_000)) > 0);
};

/** Positions close together, at edges of cells and the world, and anywhere. */
const anyPosition = fc.oneof(
  fc.constantFrom(
    { latitude: 47.5, longitude: 7.6 },
    { latitude: 47.5001, longitude: 7.6001 },
    { latitude: 90, longitude: 180 },
    { latitude: -90, longitude: -180 },
    { latitude: 0, longitude: 0 },
    { latitude: -17.7, longitude: 179.99 },
    { latitude: -17.7, longitude: -179.99 },
  ),
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
);

const anyMapStep: fc.Arbitrary<Step> = fc.oneof(
  step('new item', fc.tuple(fc.nat({ max: 1 }), anyPosition), (db, users, [user, position]) =>
    buildMediaItem(db, users[user]!, position),
  ),
  step('move', fc.tuple(fc.nat(), fc.option(anyPosition)), async (db, _, [number, position]) => {
    const items = await db.selectFrom('media_items').select('id').orderBy('id').execute();
    if (items.length === 0) return;
    const { id } = items[number % items.length]!;
    const values = position ?? { latitude: null, longitude: null };
    await db.updateTable('media_items').set(values).where('id', '=', id).execute();
  }),
  step('move all', anyPosition, (db, _, position) => db.updateTable('media_items').set(position).execute()),
  step('roll up map', fc.integer({ min: 1, max: 30 }), (db, _, limit) => rollUpMapCounts(db, limit)),
  step('tidy map', fc.constant(undefined), (db) => deleteEmptyMapCells(db)),
);

const anyBounds: fc.Arbitrary<MapBounds> = fc
  .record({ one: anyPosition, other: anyPosition })
  .map(({ one, other }) => ({
    west: one.longitude,
    east: other.longitude,
    south: Math.min(one.latitude, other.latitude),
    north: Math.max(one.latitude, other.latitude),
  }));

/** The cell of a position at this level, as column and row. */
const cellOf = (level: number, { latitude, longitude }: { latitude: number; longitude: number }) => ({
  column: Math.min(2 ** level - 1, Math.floor(((longitude + 180) / 360) * 2 ** level)),
  row: Math.min(2 ** (level - 1) - 1, Math.floor(((latitude + 90) / 360) * 2 ** level)),
});

/** The level of clusters, by their width. */
const levelOf = ({ bounds: { west, east } }: MapCluster): number => Math.round(Math.log2(360 / (east - west)));

/** Asserts that the clusters match a count of all items in the cells that intersect the bounds. */
const assertClustersMatchRecount = async (
  userId: string,
  bounds: MapBounds,
  zoom: number,
  max: number,
): Promise<void> => {
  const clusters = await listMapClusters(db, userId, { bounds, zoom, maxClusters: max });
  assert.ok(clusters.length <= max);
  const items = await db
    .selectFrom('media_items')
    .select(['id', 'latitude', 'longitude'])
    .where('user_id', '=', userId)
    .where('visibility', '=', 'visible')
    .where('latitude', 'is not', null)
    .execute();
  if (clusters[0] === undefined) {
    const isInside = ({ latitude, longitude }: (typeof items)[number]): boolean =>
      bounds.south <= latitude! &&
      latitude! <= bounds.north &&
      (bounds.west <= bounds.east
        ? bounds.west <= longitude! && longitude! <= bounds.east
        : longitude! >= bounds.west || longitude! <= bounds.east);
    assert.deepEqual(items.filter(isInside), []);
    return;
  }
  const level = levelOf(clusters[0]);
  const [from, to] = [
    cellOf(level, { latitude: bounds.south, longitude: bounds.west }),
    cellOf(level, { latitude: bounds.north, longitude: bounds.east }),
  ];
  const isWithin = ({ column, row }: { column: number; row: number }): boolean =>
    from.row <= row &&
    row <= to.row &&
    (bounds.west <= bounds.east
      ? from.column <= column && column <= to.column
      : column >= from.column || column <= to.column);
  const groups = Map.groupBy(
    items.map(({ id, latitude, longitude }) => ({ id, latitude: latitude!, longitude: longitude! })),
    (item) => JSON.stringify(cellOf(level, item)),
  );
  const expected = [...groups].filter(([cell]) => isWithin(JSON.parse(cell) as ReturnType<typeof cellOf>));
  assert.equal(clusters.length, expected.length);
  for (const cluster of clusters) {
    const { west, south, east, north } = cluster.bounds;
    const group = expected.find(
      ([cell]) => cell === JSON.stringify(cellOf(level, { latitude: south, longitude: west })),
    );
    const members = group?.[1] ?? [];
    assert.equal(cluster.count, members.length);
    assert.ok(members.some(({ id }) => id === cluster.cover.id));
    for (const axis of ['latitude', 'longitude'] as const) {
      const mean = members.reduce((sum, member) => sum + member[axis], 0) / members.length;
      assert.ok(Math.abs(cluster[axis] - mean) < 1e-6, axis);
    }
    assert.ok(west - 1e-6 <= cluster.longitude && cluster.longitude <= east + 1e-6);
    assert.ok(south - 1e-6 <= cluster.latitude && cluster.latitude <= north + 1e-6);
  }
};

test('maps of any region and zoom match a recount after any history of two libraries', async () => {
  const history = fc.array(fc.oneof({ arbitrary: anyMapStep, weight: 2 }, anyStep), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  });
  const views = fc.array(fc.tuple(anyBounds, fc.integer({ min: 0, max: 20 }), fc.constantFrom(8, 100, 1_000)), {
    minLength: 5,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(history, views, async (steps, parts) => {
      const userIds = [(await buildUser(db)).id, (await buildUser(db)).id];
      for (const { run } of steps) await run(db, userIds);
      assert.deepEqual(await findAllMapCountErrors(db), []);
      for (const [bounds, zoom, max] of parts) await assertClustersMatchRecount(userIds[0]!, bounds, zoom, max);
      const world = { west: -180, south: -90, east: 180, north: 90 };
      for (let zoom = 0; zoom <= 20; zoom++) await assertClustersMatchRecount(userIds[1]!, world, zoom, 1_000);
      await rollUpAll();
      assert.deepEqual(await findAllMapCountErrors(db), []);
      await db.deleteFrom('users').execute();
      await rollUpAll();
      assert.equal((await db.selectFrom('map_cells').select('n').execute()).length, 0);
    }),
    { numRuns: runs(25) },
  );
});

test('other changes of items, and items without a position, cause no map deltas', async () => {
  await rollUpAll();
  const { id: userId } = await buildUser(db);
  const { id } = await buildMediaItem(db, userId);
  const placed = await buildMediaItem(db, userId, { latitude: 1, longitude: 2, is_hidden: true });
  await setTrashed(db, userId, [id, placed.id], true);
  await db.updateTable('media_items').set({ description: 'words' }).where('user_id', '=', userId).execute();
  assert.equal(await hasDeltas(db, 'map_deltas'), false);
});

test('reads a map from stored counts and one index, however many items there are', async () => {
  const { id: userId } = await buildUser(db);
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time, latitude, longitude)
    select id, ${userId}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, 'PHOTO', now(), '2022-04-03',
      46 + random() * 2, 6 + random() * 4
    from (select gen_random_uuid() as id from generate_series(1, 4000)) as items`.execute(db);
  await rollUpAll();
  await sql`vacuum analyze`.execute(db);
  const view = { bounds: { west: 6, south: 46, east: 10, north: 48 }, zoom: 9, maxClusters: 1_000 };
  const clusters = await listMapClusters(db, userId, view);
  assert.equal(
    clusters.reduce((sum, { count }) => sum + count, 0),
    4_000,
  );
  assert.ok(clusters.length > 50);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select id from media_items
    where user_id = ${userId} and visibility = 'visible' and latitude is not null and longitude is not null
      and map_cell(latitude, longitude) >= 1000 << 10 and map_cell(latitude, longitude) < 1001 << 10
    order by map_cell(latitude, longitude), id limit 1`.execute(db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /media_items_map/);
  assert.doesNotMatch(plan, /Sort|Seq Scan/);
});
