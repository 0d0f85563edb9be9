import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
after(() => api.stop());
const { id: userId, call, uploadPhoto } = await api.signUp();
const id = await uploadPhoto({ creationTime: '2020-04-03T12:00:00Z' });
await call('updateMediaItem', { params: { id }, body: { favourite: true } });
await api.deps.db.transaction().execute(async (trx) => {
  await writeItemPlace(trx, id, { countryCode: 'CH', country: 'Switzerland', town: 'Zug' });
  await writeItemThings(trx, { id, user_id: userId }, [{ name: 'Dog' }]);
});
const album = (await call('createAlbum', { body: { name: 'A', coverMediaItemId: id } })).body.id;
const { localTime } = (await call('getMediaItem', { params: { id } })).body;

/** The item's `shared` field in the response of every route that returns the item. */
const flags = async (): Promise<Record<string, boolean | undefined>> => {
  const place = (await call('listPlaces')).body[0]!;
  const thing = (await call('listThings')).body[0]!;
  const month = localTime.slice(0, 7);
  const monthDate = localTime.slice(5, 10).replace('-', '');
  const firstOf = async (name: Parameters<typeof call>[0], params: Record<string, string> = {}) =>
    ((await call(name, { params })).body as unknown as { shared: boolean }[])[0]?.shared;
  return {
    getMediaItem: (await call('getMediaItem', { params: { id } })).body.shared,
    listMediaItems: await firstOf('listMediaItems'),
    listFavourites: await firstOf('listFavourites'),
    listMonthMediaItems: await firstOf('listMonthMediaItems', { month }),
    listYearsAgo: await firstOf('listYearsAgo', { monthDate }),
    listAlbumMediaItems: await firstOf('listAlbumMediaItems', { id: album }),
    listPlaceMediaItems: await firstOf('listPlaceMediaItems', { id: place.id }),
    listThingMediaItems: await firstOf('listThingMediaItems', { id: thing.id }),
    listPlaces: place.coverMediaItem?.shared,
    listThings: thing.coverMediaItem?.shared,
    getPlace: (await call('getPlace', { params: { id: place.id } })).body.coverMediaItem?.shared,
    getThing: (await call('getThing', { params: { id: thing.id } })).body.coverMediaItem?.shared,
    getAlbum: (await call('getAlbum', { params: { id: album } })).body.coverMediaItem?.shared,
    listMediaItemPlaces: (await call('listMediaItemPlaces', { params: { id } })).body[0]?.coverMediaItem?.shared,
    listMediaItemThings: (await call('listMediaItemThings', { params: { id } })).body[0]?.coverMediaItem?.shared,
    listMediaItemAlbums: (await call('listMediaItemAlbums', { params: { id } })).body[0]?.coverMediaItem?.shared,
  };
};
const assertAll = async (isShared: boolean) => {
  for (const [name, flag] of Object.entries(await flags())) assert.equal(flag, isShared, name);
};
const share = async (shared: boolean) => call('updateAlbum', { params: { id: album }, body: { shared } });
const isShared = async () => (await call('getMediaItem', { params: { id } })).body.shared;

test('every route reports whether an item is in a shared album', async () => {
  await assertAll(false);
  await share(true);
  await assertAll(true);
  await call('addToTrash', { body: { mediaItems: [id] } });
  assert.equal((await call('listTrash')).body[0]?.shared, true);
  await call('restoreFromTrash', { body: { mediaItems: [id] } });
});

test('an item of two albums is shared while either album is shared', async () => {
  const other = (await call('createAlbum', { body: { name: 'B', coverMediaItemId: id, shared: true } })).body.id;
  await share(false);
  assert.equal(await isShared(), true);
  await call('removeFromAlbum', { params: { id: other }, body: { mediaItems: [id] } });
  assert.equal(await isShared(), false);
});

test('nothing is shared while sharing or albums are switched off for the user', async () => {
  await share(true);
  for (const feature of ['sharing', 'albums']) {
    const set = async (isOn: boolean) =>
      api.callAsAdmin('updateUser', { params: { id: userId }, body: { features: { [feature]: isOn } } });
    await set(false);
    assert.equal(await isShared(), false);
    await set(true);
    assert.equal(await isShared(), true);
  }
});
