import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { recognise, seenOn } from '../../rows/faces.ts';
import { makeFaces } from '../../rows/madeFaces.ts';
import { textLine } from '../../pictures/textLine.ts';
import { renderItem } from '../renderItem.ts';
import { type TestApi, startTestApi } from '../testApi.ts';
import { type TestUser, signUp } from '../testUser.ts';
import { createClient, type Client } from '../client.ts';

/** A server with a user, and what of the user is there for every route. */
export interface World {
  readonly api: TestApi;
  readonly user: TestUser;
  readonly item: string;
  readonly album: string;
  /** The id of its share. */
  readonly share: string;
  readonly place: string;
  readonly thing: string;
  readonly person: string;
  /** What a face looks like of that person, or of somebody who is like nobody. */
  readonly faceOf: (who: 'person' | 'somebody') => Float32Array;
  /** Makes an item that nobody else needs. */
  readonly newItem: () => Promise<string>;
  /** A link by which visitors of the album get the item. */
  readonly sharedLink: () => Promise<string>;
}

/** Makes a route answer everything that the contract lists for it alone; what routes of its kind answer alike, `everyAnswer.test.ts` brings about. */
export type Drive = (world: World) => Promise<unknown>;

/**
 * A photo with a place, a thing, a text and a person in a shared album. Where a worker runs beside, `processed` resolves once it has done with an
 * item: what it finds in the photo would replace what is written here.
 */
export const makeWorld = async (api: TestApi, processed?: (item: string) => Promise<void>): Promise<World> => {
  const { db } = api.deps;
  const user = await api.signUp();
  const item = await user.uploadPhoto({ creationTime: '2020-04-03T10:00:00Z' });
  await processed?.(item);
  await renderItem(api, user.id, item, { latitude: 46.9, longitude: 7.4 });
  await transaction(db, async (trx) => {
    await writeItemPlace(trx, item, { countryCode: 'CH', country: 'Switzerland', city: 'Bern' });
    await writeItemThings(trx, { id: item, user_id: user.id }, [{ name: 'Dog', synonyms: ['puppy'], confidence: 0.9 }]);
    await writeItemText(trx, item, [textLine('No dogs')]);
  });
  const row = { id: item, user_id: user.id };
  const looks = makeFaces(1);
  const look = looks.person();
  await recognise(db, row, [seenOn(row, look)]);
  const { id: album, shareId } = (await user.call('createAlbum', { body: { name: 'Bern', shared: true } })).body;
  const share = shareId!;
  await user.call('addToAlbum', { params: { id: album }, body: { mediaItems: [item] } });
  const place = (await user.call('listPlaces')).body[0]!.id;
  const thing = (await user.call('listThings')).body[0]!.id;
  const person = (await user.call('listPeople')).body[0]!.id;
  const newItem = () => user.uploadPhoto();
  const sharedLink = async () =>
    (await api.call('listSharedMediaItems', { params: { id: share } })).body[0]!.thumbnailUrl!;
  const faceOf = (who: 'person' | 'somebody') => (who === 'person' ? looks.faceOf(look, 0.9) : looks.person());
  return { api, user, item, album, share, place, thing, person, faceOf, newItem, sharedLink };
};

const full = async () => ({ totalBytes: 2 ** 40, freeBytes: 0 });

/**
 * Uploads where the disk has no room, and where a user's quota has none any more. `prepare` is called as that user before, and its answer handed
 * to `upload`.
 */
export const driveFull = async <Prepared>(
  { api }: World,
  upload: (call: Client, prepared: Prepared) => Promise<unknown>,
  prepare: (call: Client) => Promise<Prepared>,
): Promise<void> => {
  const fullApi = await startTestApi({ replicaOf: api, readDisk: full });
  const user = await signUp(api.url, api.callAsAdmin);
  await upload(createClient(fullApi.url, `Bearer ${user.token}`), await prepare(user.call));
  await fullApi.stop();
  const prepared = await prepare(user.call);
  await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { quotaBytes: 0 } });
  await upload(user.call, prepared);
};

/** Nothing has to be there before. */
export const prepareNothing = async (): Promise<void> => undefined;
