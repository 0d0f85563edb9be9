import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { unblockRuns } from '@hearth/core/runs/blockedRuns.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { listExploredOfItem } from '@hearth/api/features/explore/queries.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { updateUser } from '@hearth/api/accounts/users.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { components } from '../../pipeline/components.ts';
import { openPlacesData, placesCapability } from '../../places/placesData.ts';
import { writeTestPlaces } from '@hearth/testkit/places/testPlaces.ts';
import { runItem } from '../../pipeline/runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { readFileSync } from 'node:fs';
import { explainMissingTestData, getTestDataFolder } from '@hearth/testkit/run/testData.ts';

/** A test file with a position, and patterns of the expected place. */
interface PlacePhoto {
  readonly path: string;
  readonly expected: {
    readonly country: string;
    readonly stateRegex: string;
    readonly townRegex: string;
    readonly postcodeRegex: string | null;
  };
}

const media = getTestDataFolder('media');

/** Reason to skip tests that need the files, or false. */
const lacksPlacePhotos = explainMissingTestData('media');

const listPlacePhotos = (): PlacePhoto[] => {
  const { files } = JSON.parse(readFileSync(join(media, 'MANIFEST.json'), 'utf8')) as {
    files: (PlacePhoto & { readonly kind: string })[];
  };
  return files
    .filter(({ kind }) => kind === 'places')
    .map(({ path, expected }) => ({ path: join(media, path), expected }));
};

const worker = await openTestWorker();
after(async () => worker[Symbol.asyncDispose]());

const findRun = async ({ id }: MediaItemRow) => {
  const run = (await listRuns(worker.deps.db, id)).find(({ component }) => component === 'PLACES');
  return [run?.state, run?.reason];
};

const findPlace = async ({ id }: MediaItemRow, { deps, user } = worker) =>
  (await listExploredOfItem(deps.db, 'place', user.id, id, { limit: 1, start: { number: 1 } })).entries[0]?.row;

let seed = 100;
const store = async (latitude: number, longitude: number): Promise<MediaItemRow> =>
  worker.store(await makeTestPhoto({ seed: seed++, position: { latitude, longitude } }));

test('looks up the place of a photo in the job that finds its position', async () => {
  const item = await worker.process(await store(3, 3));
  assert.deepEqual([item.status, item.latitude, item.longitude], ['READY', 3, 3]);
  assert.deepEqual(await findRun(item), ['DONE', null]);
  const place = await findPlace(item);
  assert.deepEqual(
    [place?.country, place?.state, place?.city, place?.town, place?.postcode],
    ['Aland', 'South', 'Metropolis', 'Metropolis', '1000'],
  );
});

test('completes without a place for a position at sea', async () => {
  const item = await worker.process(await store(40, 40));
  assert.deepEqual(await findRun(item), ['DONE', null]);
  assert.equal(await findPlace(item), undefined);
});

test('skips a photo without a position', async () => {
  const item = await worker.process(await worker.store(await makeTestPhoto({ seed: 99 })));
  assert.deepEqual(await findRun(item), ['SKIPPED', 'NOT_APPLICABLE']);
  assert.equal(item.status, 'READY');
});

test('skips the photo of a user with places switched off', async () => {
  await updateUser(worker.deps.db, worker.user.id, { features: { places: false } });
  const item = await worker.process(await store(3, 3));
  await updateUser(worker.deps.db, worker.user.id, { features: { places: true } });
  assert.deepEqual(await findRun(item), ['SKIPPED', 'FEATURE_OFF']);
  assert.equal(await findPlace(item), undefined);
});

test('blocks the run without a map until a worker has one, but does not block items without a position', async () => {
  const { deps } = worker;
  const directory = await mkdtemp(join(tmpdir(), 'hearth-no-map-'));
  after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'places.bin');
  const places = await openPlacesData({ path, buildIfMissing: false, log: deps.log });
  const [item, elsewhere] = [await store(3, 3), await worker.store(await makeTestPhoto({ seed: 98 }))];
  for (const { id } of [item, elsewhere]) await runItem({ ...deps, places }, 'media', components, { mediaItemId: id });
  places.close();
  assert.deepEqual(await findRun(item), ['BLOCKED', 'NO_MAP']);
  assert.deepEqual(await findRun(elsewhere), ['SKIPPED', 'NOT_APPLICABLE']);

  await writeTestPlaces(directory);
  const found = await openPlacesData({ path, buildIfMissing: false, log: deps.log });
  await found.found;
  assert.equal(await unblockRuns(deps.db, [placesCapability]), 1);
  await runItem({ ...deps, places: found }, 'media', components, { mediaItemId: item.id });
  assert.equal((await findPlace(item))?.name, 'Metropolis');
});

test('looks up a position that is found by a later run', async () => {
  const { deps } = worker;
  const item = await store(7, 7);
  const blocked = { ...deps, exiftool: undefined };
  await runItem(blocked, 'media', components, { mediaItemId: item.id });
  assert.deepEqual(await findRun(item), ['SKIPPED', 'NOT_APPLICABLE']);
  await unblockRuns(deps.db, ['run exiftool']);
  const done = await worker.process(item);
  assert.equal(done.latitude, 7);
  assert.equal((await findPlace(item))?.name, 'Hamlet');
});

suite('test media with a position', { skip: lacksPlacePhotos || missingTool('places') }, () => {
  test('gets the expected place of each file', async () => {
    await using real = await openTestWorker({ HEARTH_PLACES_FILE: toolPath('places') });
    for (const { path, expected } of listPlacePhotos()) {
      const item = await real.process(await real.store(await readFile(path)));
      const place = await findPlace(item, real);
      assert.equal(place?.country_code, expected.country, path);
      assert.match(place.state ?? '', new RegExp(expected.stateRegex), path);
      assert.match(place.town ?? '', new RegExp(expected.townRegex), path);
      if (place.postcode !== null) assert.match(place.postcode, new RegExp(expected.postcodeRegex ?? ''), path);
    }
  });
});
