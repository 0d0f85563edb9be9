import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { fc } from '../run/fastCheck.ts';
import { readEvents } from './eventReader.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { recognise, seenOn } from '../rows/faces.ts';
import { makeFaces } from '../rows/madeFaces.ts';
import { writeLook } from '../libraries/pictureLooks.ts';
import { textLine } from '../pictures/textLine.ts';
import { multipart } from './multipart.ts';
import type { TestApi } from './testApi.ts';
import { nextPhoto, type TestUser } from './testUser.ts';
import { beginUpload, patch } from './uploads.ts';

const photos = await Promise.all(Array.from({ length: 5 }, nextPhoto));

/** What a user does with one of the photos, which all users have. */
const anyAction = fc.record({
  photo: fc.nat({ max: photos.length - 1 }),
  upload: fc.constantFrom('multipart', 'multipart', 'multipart', 'unfinished', 'resumable'),
  flags: fc.record({ favourite: fc.boolean(), hidden: fc.boolean() }),
  deletion: fc.constantFrom('none', 'trash', 'trash', 'permanent'),
  isRendered: fc.boolean(),
});
export type LibraryAction = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never;
const everyKind: readonly LibraryAction[] = [
  { photo: 0, upload: 'multipart', flags: { favourite: true, hidden: false }, deletion: 'none', isRendered: true },
  { photo: 1, upload: 'multipart', flags: { favourite: false, hidden: true }, deletion: 'trash', isRendered: false },
  { photo: 2, upload: 'multipart', flags: { favourite: false, hidden: false }, deletion: 'trash', isRendered: true },
  { photo: 3, upload: 'unfinished', flags: { favourite: false, hidden: false }, deletion: 'none', isRendered: false },
  { photo: 4, upload: 'resumable', flags: { favourite: false, hidden: false }, deletion: 'none', isRendered: false },
];

/** Actions of every kind, and up to five random ones. */
export const anyLibrary = fc.array(anyAction, { maxLength: 5 }).map((actions) => everyKind.concat(actions));

/** A user's library, and all that it is known by. */
export interface Library {
  readonly user: TestUser;
  readonly ids: readonly string[];
  /** What nobody else may ever read: ids, names, descriptions, keys of objects, places in its streams and lists. */
  readonly secrets: readonly string[];
  /** What else requests could name: checksums, places, keys. */
  readonly known: readonly string[];
  readonly offsets: readonly number[];
  readonly files: readonly Buffer[];
}

/** Makes a user who does these actions by the API, as clients do. */
export const makeLibrary = async (api: TestApi, actions: readonly LibraryAction[]): Promise<Library> => {
  const { db } = api.deps;
  const user = await api.signUp();
  const ids = [user.id];
  const names = [user.username];
  const offsets: number[] = [];
  const files: Buffer[] = [];
  for (const [index, { photo, upload, flags, deletion, isRendered }] of actions.entries()) {
    // Some bytes are only this user's.
    const content = index % 3 === 0 ? await nextPhoto() : photos[photo]!;
    const [filename, description] = [`name-${randomUUID()}.jpg`, `words ${randomUUID()}`];
    files.push(content);
    if (upload !== 'multipart') {
      const metadata = { 'upload-metadata': `filename ${Buffer.from(filename).toString('base64')}` };
      const uploadId = await beginUpload(user.call, content.length, metadata);
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
    const answer = await user.call('uploadMediaItem', multipart(parts));
    const { id } = answer.body;
    // The same bytes again are the same item, with its earlier names.
    if (answer.status === 201) names.push(filename, description);
    if (!ids.includes(id)) ids.push(id);
    await user.call('updateMediaItem', { params: { id }, body: flags });
    if (isRendered) names.push(await render(api, user.id, id));
    if (deletion !== 'none') await user.call('deleteMediaItem', { params: { id } });
    if (deletion === 'permanent') await user.call('deleteMediaItem', { params: { id }, query: { permanent: true } });
  }
  const items = await db.selectFrom('media_items').selectAll().where('user_id', '=', user.id).execute();
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  const [albumName, description] = [`album ${randomUUID()}`, `words ${randomUUID()}`];
  const album = (await user.call('createAlbum', { body: { name: albumName, description, shared: false } })).body;
  const shown = items.filter((item) => item.removing_at === null).map(({ id }) => id);
  await user.call('addToAlbum', { params: { id: album.id }, body: { mediaItems: shown } });
  const [thing, town] = [`thing ${randomUUID()}`, `town ${randomUUID()}`];
  const [personName, text] = [`person ${randomUUID()}`, `text ${randomUUID()}`];
  await db.transaction().execute(async (trx) => {
    for (const id of shown) {
      await writeItemThings(trx, { id, user_id: user.id }, [{ name: thing, synonyms: [`${thing}s`], confidence: 0.9 }]);
      await writeItemText(trx, id, [textLine(text)]);
      await writeItemPlace(trx, id, { countryCode: 'CH', country: 'Switzerland', town });
    }
  });
  // The same faces in each library: nobody is recognised by those of another user.
  const looks = makeFaces(4);
  for (const item of items.filter(({ id }) => shown.includes(id)))
    await recognise(db, item, [seenOn(item, looks.person())]);
  // The same for everybody, so that there is a group in each library.
  for (const item of items.filter(({ id }) => shown.includes(id))) await writeLook(db, item, { bits: 8, angle: 0 });
  const position = { latitude: Math.random() * 180 - 90, longitude: Math.random() * 360 - 180 };
  await db.updateTable('media_items').set(position).where('user_id', '=', user.id).execute();
  await db.updateTable('people').set({ name: personName }).where('user_id', '=', user.id).execute();
  const people = await db.selectFrom('people').select('id').where('user_id', '=', user.id).orderBy('id').execute();
  const [one, ...same] = people.map(({ id }) => id);
  // Who is merged stays known by id, to whom it was and to nobody else.
  if (one !== undefined && same.length > 0)
    await user.call('mergePeople', { params: { id: one }, body: { people: same.slice(0, 1) } });
  const faces = await db.selectFrom('faces').select('faces.id').where('media_item_id', 'in', shown).execute();
  const job = (await user.call('createJob', { body: { components: ['METADATA'] } })).body;
  const collections = await db.selectFrom('collections').select('id').where('user_id', '=', user.id).execute();
  names.push(albumName, description, thing, text, town, personName);
  ids.push(job.id, ...collections.map(({ id }) => id), ...faces.map(({ id }) => id));
  ids.push(...same.filter((id) => !ids.includes(id)));
  ids.push(...items.map(({ id }) => id).filter((id) => !ids.includes(id)), ...sessions.map(({ id }) => id));
  const places = await placesOf(api, user);
  const checksums = files.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
  return {
    user,
    ids,
    secrets: [...ids, ...names, ...places, user.token],
    known: [...places, ...checksums, 'original', ...names.filter((name) => name.startsWith('preview'))],
    offsets,
    files,
  };
};

/** What a worker would have made of an item: an object that its row names. */
const render = async ({ deps: { db, objects } }: TestApi, userId: string, id: string): Promise<string> => {
  const name = `preview-${randomUUID()}.jpg`;
  const key = `${userId}/${id}/${name}`;
  await objects.put(key, Readable.from([Buffer.from(key)]));
  await db.updateTable('media_items').set({ preview_key: key, thumbnail_key: key }).where('id', '=', id).execute();
  return name;
};

/** Where a user stands in lists and streams. */
const placesOf = async ({ url }: TestApi, { call, token }: TestUser): Promise<string[]> => {
  const stream = await readEvents(url, token);
  // While an older transaction lasts, a stream begins before all events, where everybody's does.
  const { id } = await stream.until((event) => !event.id.endsWith('-0-0'));
  await stream.close();
  const { headers } = await call('listMediaItems', { query: { limit: 1 } });
  const cursor = /cursor=([\w-]+)/.exec(headers.get('link') ?? '')?.[1];
  return cursor === undefined ? [id] : [id, cursor];
};

/** Every object of a user, with its size and time. */
export const objectsOf = async (api: TestApi, userId: string): Promise<string[]> => {
  const objects = await Array.fromAsync(api.deps.objects.list(`${userId}/`));
  return objects.map(({ key, sizeBytes, modifiedAt }) => `${key} ${sizeBytes} ${modifiedAt.toISOString()}`).toSorted();
};
