import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { fc } from '../run/fastCheck.ts';
import { readEvents } from './eventReader.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { recognise, makeDetectedFace } from '../rows/faces.ts';
import { makeFaceGenerator } from '../rows/generatedFaces.ts';
import { writePictureFeatures } from '../libraries/pictureFeatures.ts';
import { textLine } from '../pictures/textLine.ts';
import { multipart } from './multipart.ts';
import type { TestApi } from './testApi.ts';
import { makeNextPhoto, type TestUser } from './testUser.ts';
import { startUpload, patch } from './uploads.ts';

const photos = await Promise.all(Array.from({ length: 5 }, makeNextPhoto));

/** Generates an action on one of the shared test photos. */
const anyAction = fc.record({
  photo: fc.nat({ max: photos.length - 1 }),
  upload: fc.constantFrom('multipart', 'multipart', 'multipart', 'unfinished', 'resumable'),
  flags: fc.record({ favourite: fc.boolean(), hidden: fc.boolean() }),
  deletion: fc.constantFrom('none', 'trash', 'trash', 'permanent'),
  isRendered: fc.boolean(),
});
export type LibraryAction = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never;
const actionsOfEveryKind: readonly LibraryAction[] = [
  { photo: 0, upload: 'multipart', flags: { favourite: true, hidden: false }, deletion: 'none', isRendered: true },
  { photo: 1, upload: 'multipart', flags: { favourite: false, hidden: true }, deletion: 'trash', isRendered: false },
  { photo: 2, upload: 'multipart', flags: { favourite: false, hidden: false }, deletion: 'trash', isRendered: true },
  { photo: 3, upload: 'unfinished', flags: { favourite: false, hidden: false }, deletion: 'none', isRendered: false },
  { photo: 4, upload: 'resumable', flags: { favourite: false, hidden: false }, deletion: 'none', isRendered: false },
];

/** Generates the actions of `actionsOfEveryKind`, and up to five random ones. */
export const anyLibrary = fc.array(anyAction, { maxLength: 5 }).map((actions) => actionsOfEveryKind.concat(actions));

/** A user's library, with the values that identify its content. */
export interface Library {
  readonly user: TestUser;
  readonly ids: readonly string[];
  /** Values that other users must never read: ids, names, descriptions, object keys, stream positions and cursors. */
  readonly secrets: readonly string[];
  /** Further values that requests may contain: checksums, positions, keys. */
  readonly known: readonly string[];
  /** Numbers of bytes received by the resumable uploads. */
  readonly offsets: readonly number[];
  readonly files: readonly Buffer[];
}

/**
 * Creates a user and performs the actions through the API. Adds an album, a place, a thing, texts, faces, duplicates and a
 * job.
 */
export const makeLibrary = async (api: TestApi, actions: readonly LibraryAction[]): Promise<Library> => {
  const { db } = api.deps;
  const user = await api.signUp();
  const ids = [user.id];
  const names = [user.username];
  const offsets: number[] = [];
  const files: Buffer[] = [];
  for (const [index, { photo, upload, flags, deletion, isRendered }] of actions.entries()) {
    // Some photos are unique to this user.
    const content = index % 3 === 0 ? await makeNextPhoto() : photos[photo]!;
    const [filename, description] = [`name-${randomUUID()}.jpg`, `words ${randomUUID()}`];
    files.push(content);
    if (upload !== 'multipart') {
      const metadata = { 'upload-metadata': `filename ${Buffer.from(filename).toString('base64')}` };
      const uploadId = await startUpload(user.call, content.length, metadata);
      ids.push(uploadId);
      names.push(Buffer.from(filename).toString('base64'));
      const bytes = upload === 'unfinished' ? content.subarray(0, 100 + index) : content;
      offsets.push(bytes.length);
      await patch(user.call, uploadId, 0, bytes);
      continue;
    }
    const parts = [
      { name: 'description', content: description },
      { name: 'file', filename, content },
    ];
    const response = await user.call('uploadMediaItem', multipart(parts));
    const { id } = response.body;
    // Uploading the same bytes again returns the same item, with its earlier names.
    if (response.status === 201) names.push(filename, description);
    if (!ids.includes(id)) ids.push(id);
    await user.call('updateMediaItem', { params: { id }, body: flags });
    if (isRendered) names.push(await renderItem(api, user.id, id));
    if (deletion !== 'none') await user.call('deleteMediaItem', { params: { id } });
    if (deletion === 'permanent') await user.call('deleteMediaItem', { params: { id }, query: { permanent: true } });
  }
  const items = await db.selectFrom('media_items').selectAll().where('user_id', '=', user.id).execute();
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  const [albumName, description] = [`album ${randomUUID()}`, `words ${randomUUID()}`];
  const album = (await user.call('createAlbum', { body: { name: albumName, description, shared: false } })).body;
  const remainingIds = items.filter((item) => item.removing_at === null).map(({ id }) => id);
  await user.call('addToAlbum', { params: { id: album.id }, body: { mediaItems: remainingIds } });
  const [thing, town] = [`thing ${randomUUID()}`, `town ${randomUUID()}`];
  const [personName, text] = [`person ${randomUUID()}`, `text ${randomUUID()}`];
  await db.transaction().execute(async (trx) => {
    for (const id of remainingIds) {
      await writeItemThings(trx, { id, user_id: user.id }, [{ name: thing, synonyms: [`${thing}s`], confidence: 0.9 }]);
      await writeItemText(trx, id, [textLine(text)]);
      await writeItemPlace(trx, id, { countryCode: 'CH', country: 'Switzerland', town });
    }
  });
  // Each library has the same faces, to test that faces are not matched between users.
  const testFaces = makeFaceGenerator(4);
  for (const item of items.filter(({ id }) => remainingIds.includes(id)))
    await recognise(db, item, [makeDetectedFace(item, testFaces.person())]);
  // All photos get the same features, so that each library has a group of duplicates.
  for (const item of items.filter(({ id }) => remainingIds.includes(id)))
    await writePictureFeatures(db, item, { bits: 8, angle: 0 });
  const position = { latitude: Math.random() * 180 - 90, longitude: Math.random() * 360 - 180 };
  await db.updateTable('media_items').set(position).where('user_id', '=', user.id).execute();
  await db.updateTable('people').set({ name: personName }).where('user_id', '=', user.id).execute();
  const people = await db.selectFrom('people').select('id').where('user_id', '=', user.id).orderBy('id').execute();
  const [firstPerson, ...otherPeople] = people.map(({ id }) => id);
  // The id of a merged person still works, but only for its user.
  if (firstPerson !== undefined && otherPeople.length > 0)
    await user.call('mergePeople', { params: { id: firstPerson }, body: { people: otherPeople.slice(0, 1) } });
  const faces = await db.selectFrom('faces').select('faces.id').where('media_item_id', 'in', remainingIds).execute();
  const job = (await user.call('createJob', { body: { components: ['METADATA'] } })).body;
  const collections = await db.selectFrom('collections').select('id').where('user_id', '=', user.id).execute();
  names.push(albumName, description, thing, text, town, personName);
  ids.push(job.id, ...collections.map(({ id }) => id), ...faces.map(({ id }) => id));
  ids.push(...otherPeople.filter((id) => !ids.includes(id)));
  ids.push(...items.map(({ id }) => id).filter((id) => !ids.includes(id)), ...sessions.map(({ id }) => id));
  const positions = await listPositions(api, user);
  const checksums = files.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
  return {
    user,
    ids,
    secrets: [...ids, ...names, ...positions, user.token],
    known: [...positions, ...checksums, 'original', ...names.filter((name) => name.startsWith('preview'))],
    offsets,
    files,
  };
};

/** Stores an object as a worker would, and references it in the item's row. */
const renderItem = async ({ deps: { db, objects } }: TestApi, userId: string, id: string): Promise<string> => {
  const name = `preview-${randomUUID()}.jpg`;
  const key = `${userId}/${id}/${name}`;
  await objects.put(key, Readable.from([Buffer.from(key)]));
  await db.updateTable('media_items').set({ preview_key: key, thumbnail_key: key }).where('id', '=', id).execute();
  return name;
};

/** Returns the user's event id and list cursor. */
const listPositions = async ({ url }: TestApi, { call, token }: TestUser): Promise<string[]> => {
  const stream = await readEvents(url, token);
  // During an older transaction, a stream begins at the same position for every user.
  const { id } = await stream.until((event) => !event.id.endsWith('-0-0'));
  await stream.close();
  const { headers } = await call('listMediaItems', { query: { limit: 1 } });
  const cursor = /cursor=([\w-]+)/.exec(headers.get('link') ?? '')?.[1];
  return cursor === undefined ? [id] : [id, cursor];
};

/** Returns the key, size and time of each object of a user. */
export const listObjectKeys = async (api: TestApi, userId: string): Promise<string[]> => {
  const objects = await Array.fromAsync(api.deps.objects.list(`${userId}/`));
  return objects.map(({ key, sizeBytes, modifiedAt }) => `${key} ${sizeBytes} ${modifiedAt.toISOString()}`).toSorted();
};
