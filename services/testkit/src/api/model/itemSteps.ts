import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { fc } from '../../run/fastCheck.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { buildMediaItem } from '../../rows/factories.ts';
import { makeTestPhoto } from '../../pictures/testPhoto.ts';
import { fileUpload } from '../multipart.ts';
import {
  callAs,
  toExpectedItem,
  expectNotFound,
  toSeenItem,
  type ModelUser,
  type ModelContext,
} from './expectations.ts';
import type { Item } from './library.ts';
import { anyChoice, anyChoices, anyIndex, choose, pick, step, type Choice } from './steps.ts';

/**
 * Local times: two equal ones, several in one hour, both ends of an hour, day, month and year, a leap day, and years far
 * in the past and future.
 */
const localTimes = [
  '2022-04-03T12:00:00',
  '2022-04-03T12:00:00',
  '2022-04-03T12:30:00.5',
  '2022-04-03T12:59:59.999999',
  '2022-04-03T13:00:00',
  '2022-04-30T23:59:59.999999',
  '2022-05-01T00:00:00',
  '2020-02-29T08:00:00',
  '2021-02-28T08:00:00',
  '2021-12-31T23:59:59',
  '2022-01-01T00:00:00',
  '1926-02-28T23:59:59',
  '9998-12-31T23:59:59.999999',
];
const towns = ['Bern', 'chur', 'Ölten'];
const nouns = ['Dog', 'cat', 'Égg'];

/** Two positions next to each other, two at opposite edges of the map, and the North Pole. */
const positions = [
  [46.95, 7.45],
  [46.951, 7.45],
  [-16.5, 180],
  [-16.5, -180],
  [90, 0],
] as const;

const filters = { type: ['PHOTO', 'VIDEO'], category: ['DEFAULT', 'LIVE'], status: ['PROCESSING', 'READY'] } as const;

const anyRow = fc.record({
  local_time: fc.constantFrom(...localTimes),
  type: fc.constantFrom(...filters.type),
  category: fc.constantFrom(...filters.category),
  status: fc.constantFrom(...filters.status),
});
const anyRecognition = fc.record({
  town: fc.option(fc.constantFrom(...towns), { nil: undefined }),
  things: fc.uniqueArray(fc.constantFrom(...nouns)),
});

/** Writes places and things with the functions that components call. */
const recognise = async (
  { api }: ModelContext,
  { user, library }: ModelUser,
  item: Item,
  { town, things }: { readonly town: string | undefined; readonly things: readonly string[] },
): Promise<void> => {
  const { db } = api.deps;
  await transaction(db, async (trx) => {
    await trx.selectFrom('media_items').select('id').where('id', '=', item.id).forUpdate().execute();
    await writeItemPlace(trx, item.id, town === undefined ? null : { countryCode: 'CH', country: 'Switzerland', town });
    const rows = things.map((name) => ({ name }));
    await writeItemThings(trx, { id: item.id, user_id: user.id }, rows);
  });
  Object.assign(item, { place: town, things: [...things] });
  for (const [kind, table] of [
    ['place', 'places'],
    ['thing', 'things'],
  ] as const) {
    const rows = await db.selectFrom(table).select(['id', 'name']).where('user_id', '=', user.id).execute();
    for (const row of rows) {
      if (library[kind].every(({ id }) => id !== row.id))
        library[kind].push({ id: row.id, name: row.name, coverId: null });
    }
  }
};

const initialState = {
  position: undefined,
  description: undefined,
  isFavourite: false,
  isHidden: false,
  isTrashed: false,
  place: undefined,
  things: [],
};

const anyPosition = fc.option(fc.constantFrom(...positions), { nil: undefined });

const addItem = step(
  'add an item',
  fc.tuple(anyRow, anyRecognition, anyPosition),
  async (modelUser, [row, recognition, position], context) => {
    const { db, objects } = context.api.deps;
    const bytes = randomBytes(32);
    const checksum = createHash('sha256').update(bytes).digest();
    const columns = { latitude: position?.[0], longitude: position?.[1], size_bytes: bytes.length };
    const { id, filename } = await buildMediaItem(db, modelUser.user.id, { ...row, ...columns, checksum });
    await objects.put(originalKey(modelUser.user.id, id), Readable.from([bytes], { objectMode: false }));
    const { local_time: localTime, ...kinds } = row;
    const item: Item = {
      id,
      checksum: checksum.toString('hex'),
      filename,
      localTime,
      ...kinds,
      ...initialState,
      position,
    };
    modelUser.library.items.push(item);
    await recognise(context, modelUser, item, recognition);
  },
);

const recogniseAgain = step(
  'recognise again',
  fc.tuple(anyIndex, anyRecognition),
  async (modelUser, [index, recognition], context) => {
    const item = pick(modelUser.library.items, index);
    if (item !== undefined) await recognise(context, modelUser, item, recognition);
  },
);

/** Uploads one of three photos, so that many uploads are duplicates, some of them of photos in the trash. */
const upload = step('upload', fc.nat({ max: 2 }), async (modelUser, seed) => {
  const filename = `upload-${seed}.jpg`;
  const response = await modelUser.user.call(
    'uploadMediaItem',
    fileUpload(await makeTestPhoto({ seed, width: 16, height: 12 }), filename),
  );
  const duplicate = modelUser.library.items.find((item) => item.filename === filename);
  assert.equal(response.status, duplicate === undefined ? 201 : 200);
  const { id } = response.body;
  if (duplicate !== undefined) {
    assert.equal(id, duplicate.id);
    duplicate.isTrashed = false;
    return;
  }
  const { body } = await modelUser.user.call('getMediaItem', { params: { id } });
  const kinds = { type: body.mediaItemType, category: body.mediaItemCategory, status: body.status };
  modelUser.library.items.push({ id, checksum: '', filename, localTime: body.localTime, ...kinds, ...initialState });
});

const get = step('get', anyChoice, async (modelUser, choice, context) => {
  const { id, own } = choose('items', modelUser, context, choice);
  const response = await callAs(
    modelUser,
    'getMediaItem',
    { params: { id } },
    own === undefined ? expectNotFound('media item') : undefined,
  );
  if (response !== undefined) assert.deepEqual(toSeenItem(response.body), toExpectedItem(modelUser.library, own!));
});

const anyChange = fc
  .record(
    { description: fc.constantFrom('words', null), favourite: fc.boolean(), hidden: fc.boolean() },
    { requiredKeys: [] },
  )
  .filter((change) => Object.keys(change).length > 0);

const update = step('update', fc.tuple(anyChoice, anyChange), async (modelUser, [choice, body], context) => {
  const { id, own } = choose('items', modelUser, context, choice);
  await callAs(
    modelUser,
    'updateMediaItem',
    { params: { id }, body },
    own === undefined ? expectNotFound('media item') : undefined,
  );
  if (own === undefined) return;
  own.isFavourite = body.favourite ?? own.isFavourite;
  own.isHidden = body.hidden ?? own.isHidden;
  if (body.description !== undefined) own.description = body.description ?? undefined;
});

const remove = step('delete', fc.tuple(anyChoice, fc.boolean()), async (modelUser, [choice, permanent], context) => {
  const { library } = modelUser;
  const { id, own } = choose('items', modelUser, context, choice);
  const notInTrash = { status: 400, message: 'Item is not in the trash; move it there first' };
  const expectedError =
    own === undefined ? expectNotFound('media item') : permanent && !own.isTrashed ? notInTrash : undefined;
  await callAs(modelUser, 'deleteMediaItem', { params: { id }, query: { permanent } }, expectedError);
  if (own === undefined || expectedError !== undefined) return;
  own.isTrashed = true;
  if (!permanent) return;
  library.items.splice(library.items.indexOf(own), 1);
  library.faces = library.faces.filter(({ itemId }) => itemId !== id);
  for (const { itemIds } of library.albums) itemIds.delete(id);
  for (const collection of [library.albums, library.place, library.thing, library.people, library.merged].flat()) {
    if (collection.coverId === id) collection.coverId = null;
  }
});

/** Changes that each of these routes makes to the items in the request. */
const flagRoutes = {
  addToFavourites: { isFavourite: true },
  removeFromFavourites: { isFavourite: false },
  addToHidden: { isHidden: true },
  removeFromHidden: { isHidden: false },
  addToTrash: { isTrashed: true },
  restoreFromTrash: { isTrashed: false },
};
const setFlag = step(
  'set flag',
  fc.tuple(fc.constantFrom(...(Object.keys(flagRoutes) as (keyof typeof flagRoutes)[])), anyChoices),
  async (modelUser, [name, choices], context) => {
    const chosen = choices.map((choice: Choice) => choose('items', modelUser, context, choice));
    const isMissing = chosen.some(({ own }) => own === undefined);
    const body = { mediaItems: chosen.map(({ id }) => id) };
    const response = await callAs(modelUser, name, { body }, isMissing ? expectNotFound('media item') : undefined);
    if (response !== undefined) for (const { own } of chosen) Object.assign(own!, flagRoutes[name]);
  },
);

const check = step('check', anyChoices, async (modelUser, choices, context) => {
  const chosen = choices.map((choice: Choice) => choose('items', modelUser, context, choice).own);
  const known = chosen.filter((item) => item !== undefined && item.checksum !== '') as Item[];
  const checksums = [...known.map(({ checksum }) => checksum), '0'.repeat(64)];
  const { body } = await modelUser.user.call('checkMediaItems', { body: { checksums } });
  assert.deepEqual(body.existing, Object.fromEntries(known.map(({ checksum, id }) => [checksum, id])));
});

/** All steps on items, with their weights. */
export const itemSteps = [
  { weight: 8, arbitrary: addItem },
  { weight: 2, arbitrary: recogniseAgain },
  { weight: 1, arbitrary: upload },
  { weight: 3, arbitrary: get },
  { weight: 4, arbitrary: update },
  { weight: 4, arbitrary: remove },
  { weight: 8, arbitrary: setFlag },
  { weight: 1, arbitrary: check },
];
