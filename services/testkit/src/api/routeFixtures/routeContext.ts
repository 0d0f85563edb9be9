import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { recognise, makeDetectedFace } from '../../rows/faces.ts';
import { makeFaceGenerator } from '../../rows/generatedFaces.ts';
import { textLine } from '../../pictures/textLine.ts';
import { renderItem } from '../renderItem.ts';
import { type TestApi, startTestApi } from '../testApi.ts';
import { type TestUser, signUp } from '../testUser.ts';
import { createClient, type Client } from '../client.ts';

/** Fixture for all routes: a server with a user and an object of each kind. */
export interface RouteContext {
  readonly api: TestApi;
  readonly user: TestUser;
  readonly item: string;
  readonly album: string;
  /** Share id of the album. */
  readonly share: string;
  readonly place: string;
  readonly thing: string;
  readonly person: string;
  /** Returns an embedding of `person`, or of a new person. */
  readonly makeEmbedding: (who: 'person' | 'somebody') => Float32Array;
  /** Makes another item. */
  readonly createItem: () => Promise<string>;
  /** Returns a link of the item for visitors of the shared album. */
  readonly sharedLink: () => Promise<string>;
}

/** Makes a route return all its specific responses in the contract. `everyResponse.test.ts` covers the common ones. */
export type RouteFixture = (context: RouteContext) => Promise<unknown>;

/**
 * Makes a photo with a place, a thing, a text and a person in a shared album. If a worker runs, `waitUntilProcessed` must
 * resolve when it has processed the item. Otherwise the worker's results would replace those written here.
 */
export const makeRouteContext = async (
  api: TestApi,
  waitUntilProcessed?: (item: string) => Promise<void>,
): Promise<RouteContext> => {
  const { db } = api.deps;
  const user = await api.signUp();
  const item = await user.uploadPhoto({ creationTime: '2020-04-03T10:00:00Z' });
  await waitUntilProcessed?.(item);
  await renderItem(api, user.id, item, { latitude: 46.9, longitude: 7.4 });
  await transaction(db, async (trx) => {
    await writeItemPlace(trx, item, { countryCode: 'CH', country: 'Switzerland', city: 'Bern' });
    await writeItemThings(trx, { id: item, user_id: user.id }, [{ name: 'Dog', synonyms: ['puppy'], confidence: 0.9 }]);
    await writeItemText(trx, item, [textLine('No dogs')]);
  });
  const row = { id: item, user_id: user.id };
  const faceGenerator = makeFaceGenerator(1);
  const embedding = faceGenerator.person();
  await recognise(db, row, [makeDetectedFace(row, embedding)]);
  const { id: album, shareId } = (await user.call('createAlbum', { body: { name: 'Bern', shared: true } })).body;
  const share = shareId!;
  await user.call('addToAlbum', { params: { id: album }, body: { mediaItems: [item] } });
  const place = (await user.call('listPlaces')).body[0]!.id;
  const thing = (await user.call('listThings')).body[0]!.id;
  const person = (await user.call('listPeople')).body[0]!.id;
  const createItem = () => user.uploadPhoto();
  const sharedLink = async () =>
    (await api.call('listSharedMediaItems', { params: { id: share } })).body[0]!.thumbnailUrl!;
  const makeEmbedding = (who: 'person' | 'somebody') =>
    who === 'person' ? faceGenerator.makeFace(embedding, 0.9) : faceGenerator.person();
  return { api, user, item, album, share, place, thing, person, makeEmbedding, createItem, sharedLink };
};

const simulateFullDisk = async () => ({ totalBytes: 2 ** 40, freeBytes: 0 });

/**
 * Uploads with a full disk, and with an exceeded quota. Before each upload it calls `prepare` as the user, and passes the
 * result to `upload`.
 */
export const callWithFullDisk = async <Prepared>(
  { api }: RouteContext,
  upload: (call: Client, prepared: Prepared) => Promise<unknown>,
  prepare: (call: Client) => Promise<Prepared>,
): Promise<void> => {
  const fullApi = await startTestApi({ sharedWith: api, readDisk: simulateFullDisk });
  const user = await signUp(api.url, api.callAsAdmin);
  await upload(createClient(fullApi.url, `Bearer ${user.token}`), await prepare(user.call));
  await fullApi.stop();
  const prepared = await prepare(user.call);
  await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { quotaBytes: 0 } });
  await upload(user.call, prepared);
};

/** For uploads that need no preparation. */
export const skipPreparation = async (): Promise<void> => undefined;
