import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { albumSorts } from '@hearth/contract/albums.ts';
import {
  callAs,
  toExpectedAlbum,
  toExpectedItem,
  expectList,
  expectNotFound,
  toSeenCollection,
  toSeenItem,
} from './expectations.ts';
import { compareByName, isVisible, itemsOfAlbum, listAlbums } from './library.ts';
import { anyChoice, anyChoices, anyCover, anyPaging, choose, rarelyTrue, step, type Choice } from './steps.ts';

/** Album names in alphabetical order, not by code points. Several albums may get the same name. */
const albumNames = ['Ähre', 'Alps', 'alps', 'beach', 'City 2', 'City 10'];
const anyFlag = fc.option(fc.boolean(), { nil: undefined });

const createAlbum = step(
  'create album',
  fc.tuple(fc.constantFrom(...albumNames), fc.boolean(), rarelyTrue, fc.option(anyChoice, { nil: undefined })),
  async (modelUser, [name, shared, hidden, choice], context) => {
    const { library } = modelUser;
    const cover = choice && choose('items', modelUser, context, choice);
    const body = { name, shared, hidden, ...(cover && { coverMediaItemId: cover.id }) };
    const isMissing = cover !== undefined && (cover.own === undefined || !isVisible(cover.own));
    const response = await callAs(
      modelUser,
      'createAlbum',
      { body },
      isMissing ? expectNotFound('media item') : undefined,
    );
    if (response === undefined) return;
    const album = {
      id: response.body.id,
      name,
      description: undefined,
      isShared: shared,
      shareId: response.body.shareId,
      isHidden: hidden,
      coverId: cover?.id ?? null,
      itemIds: new Set(cover ? [cover.id] : []),
      created: context.calls,
      updated: context.calls,
    };
    assert.equal(album.shareId !== undefined, shared);
    library.albums.push(album);
    assert.deepEqual(toSeenCollection(response.body), toExpectedAlbum(library, album));
  },
);

const anyAlbumChange = fc
  .record(
    {
      name: fc.constantFrom(...albumNames),
      description: fc.constantFrom('words', null),
      shared: fc.boolean(),
      hidden: rarelyTrue,
    },
    { requiredKeys: [] },
  )
  .filter((change) => Object.keys(change).length > 0);

const updateAlbum = step(
  'update album',
  fc.tuple(anyChoice, anyAlbumChange),
  async (modelUser, [choice, body], context) => {
    const { id, own } = choose('albums', modelUser, context, choice);
    const response = await callAs(
      modelUser,
      'updateAlbum',
      { params: { id }, body },
      own === undefined ? expectNotFound('album') : undefined,
    );
    if (response === undefined || own === undefined) return;
    own.name = body.name ?? own.name;
    if (body.shared !== undefined && body.shared !== own.isShared) {
      const previousShareId = own.shareId;
      own.isShared = body.shared;
      own.shareId = (await modelUser.user.call('getAlbum', { params: { id } })).body.shareId;
      assert.equal(own.shareId !== undefined, body.shared);
      assert.ok(own.shareId === undefined || own.shareId !== previousShareId);
    }
    own.isHidden = body.hidden ?? own.isHidden;
    if (body.description !== undefined) own.description = body.description ?? undefined;
    own.updated = context.calls;
  },
);

const setAlbumCover = step(
  'cover of album',
  fc.tuple(anyChoice, anyCover),
  async (modelUser, [choice, cover], context) => {
    const { library } = modelUser;
    const { id, own } = choose('albums', modelUser, context, choice);
    const shown = own === undefined ? [] : itemsOfAlbum(library, own);
    const coverId = cover && (cover.isShown ? shown[cover.choice.index % shown.length]?.id : undefined);
    const coverMediaItemId = cover && (coverId ?? choose('items', modelUser, context, cover.choice).id);
    const isShown = coverMediaItemId === null || shown.some((item) => item.id === coverMediaItemId);
    const expectedError =
      own === undefined ? expectNotFound('album') : isShown ? undefined : expectNotFound('media item');
    const response = await callAs(
      modelUser,
      'updateAlbum',
      { params: { id }, body: { coverMediaItemId } },
      expectedError,
    );
    if (response === undefined || own === undefined) return;
    own.coverId = coverMediaItemId;
    own.updated = context.calls;
  },
);

const getAlbum = step('get album', anyChoice, async (modelUser, choice, context) => {
  const { id, own } = choose('albums', modelUser, context, choice);
  const response = await callAs(
    modelUser,
    'getAlbum',
    { params: { id } },
    own === undefined ? expectNotFound('album') : undefined,
  );
  if (response === undefined) return;
  assert.deepEqual(toSeenCollection(response.body), toExpectedAlbum(modelUser.library, own!));
  assert.equal(response.body.shareId, own!.shareId);
});

const deleteAlbum = step('delete album', anyChoice, async (modelUser, choice, context) => {
  const { id, own } = choose('albums', modelUser, context, choice);
  const response = await callAs(
    modelUser,
    'deleteAlbum',
    { params: { id } },
    own === undefined ? expectNotFound('album') : undefined,
  );
  if (response !== undefined) modelUser.library.albums.splice(modelUser.library.albums.indexOf(own!), 1);
});

const listAlbumsStep = step(
  'list albums',
  fc.tuple(fc.constantFrom(...albumSorts), anyFlag, rarelyTrue, anyPaging),
  async (modelUser, [sort, shared, hidden, paging]) => {
    const expected = listAlbums(modelUser.library, { sort, isShared: shared, isHidden: hidden });
    const shown = expected.map((album) => toExpectedAlbum(modelUser.library, album));
    await expectList(modelUser, 'listAlbums', { query: { sort, shared, hidden } }, paging, shown, toSeenCollection);
  },
);

const listAlbumItems = step(
  'list items of album',
  fc.tuple(anyChoice, anyPaging),
  async (modelUser, [choice, paging], context) => {
    const { id, own } = choose('albums', modelUser, context, choice);
    const expected =
      own === undefined
        ? []
        : itemsOfAlbum(modelUser.library, own).map((item) => toExpectedItem(modelUser.library, item));
    const expectedError = own === undefined ? expectNotFound('album') : undefined;
    await expectList(modelUser, 'listAlbumMediaItems', { params: { id } }, paging, expected, toSeenItem, expectedError);
  },
);

const changeAlbumItems = step(
  'items of album',
  fc.tuple(
    fc.constantFrom('addToAlbum' as const, 'addToAlbum' as const, 'removeFromAlbum' as const),
    anyChoice,
    anyChoices,
  ),
  async (modelUser, [name, choice, choices], context) => {
    const { id, own } = choose('albums', modelUser, context, choice);
    const items = choices.map((each: Choice) => choose('items', modelUser, context, each));
    const isMissing = items.some((item) => item.own === undefined);
    const expectedError =
      own === undefined ? expectNotFound('album') : isMissing ? expectNotFound('media item') : undefined;
    const body = { mediaItems: items.map((item) => item.id) };
    const response = await callAs(modelUser, name, { params: { id }, body }, expectedError);
    if (response === undefined || own === undefined) return;
    for (const item of items) {
      if (name === 'addToAlbum') own.itemIds.add(item.id);
      else own.itemIds.delete(item.id);
    }
    own.updated = context.calls;
  },
);

const listAlbumsOfItemStep = step(
  'albums of item',
  fc.tuple(anyChoice, anyPaging),
  async (modelUser, [choice, paging], context) => {
    const { id, own } = choose('items', modelUser, context, choice);
    const expectedError = own === undefined ? expectNotFound('media item') : undefined;
    const albums = modelUser.library.albums
      .filter(({ itemIds, isHidden }) => itemIds.has(id) && !isHidden)
      .toSorted(compareByName);
    const expected = albums.map((album) => toExpectedAlbum(modelUser.library, album));
    await expectList(
      modelUser,
      'listMediaItemAlbums',
      { params: { id } },
      paging,
      expected,
      toSeenCollection,
      expectedError,
    );
  },
);

/** All steps on albums, with their weights. */
export const albumSteps = [
  { weight: 2, arbitrary: createAlbum },
  { weight: 1, arbitrary: updateAlbum },
  { weight: 2, arbitrary: setAlbumCover },
  { weight: 2, arbitrary: getAlbum },
  { weight: 1, arbitrary: deleteAlbum },
  { weight: 4, arbitrary: listAlbumsStep },
  { weight: 4, arbitrary: listAlbumItems },
  { weight: 6, arbitrary: changeAlbumItems },
  { weight: 2, arbitrary: listAlbumsOfItemStep },
];
