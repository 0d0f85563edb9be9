import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { albumSorts } from '@hearth/contract/albums.ts';
import { callAs, expectedAlbum, expectedItem, expectList, notFound, seenCollection, seenItem } from './expectations.ts';
import { byName, isVisible, itemsOfAlbum, listAlbums } from './library.ts';
import { anyChoice, anyChoices, anyCover, anyWalk, choose, mostlyNot, step, type Choice } from './steps.ts';

/** In alphabetical order (not by code points). Several albums may get the same name. */
const albumNames = ['Ähre', 'Alps', 'alps', 'beach', 'City 2', 'City 10'];
const anyFlag = fc.option(fc.boolean(), { nil: undefined });

const createAlbum = step(
  'create album',
  fc.tuple(fc.constantFrom(...albumNames), fc.boolean(), mostlyNot, fc.option(anyChoice, { nil: undefined })),
  async (actor, [name, shared, hidden, choice], scene) => {
    const { library } = actor;
    const cover = choice && choose('items', actor, scene, choice);
    const body = { name, shared, hidden, ...(cover && { coverMediaItemId: cover.id }) };
    const isMissing = cover !== undefined && (cover.own === undefined || !isVisible(cover.own));
    const answer = await callAs(actor, 'createAlbum', { body }, isMissing ? notFound('media item') : undefined);
    if (answer === undefined) return;
    const album = {
      id: answer.body.id,
      name,
      description: undefined,
      isShared: shared,
      shareId: answer.body.shareId,
      isHidden: hidden,
      coverId: cover?.id ?? null,
      itemIds: new Set(cover ? [cover.id] : []),
      created: scene.calls,
      updated: scene.calls,
    };
    assert.equal(album.shareId !== undefined, shared);
    library.albums.push(album);
    assert.deepEqual(seenCollection(answer.body), expectedAlbum(library, album));
  },
);

const anyAlbumChange = fc
  .record(
    {
      name: fc.constantFrom(...albumNames),
      description: fc.constantFrom('words', null),
      shared: fc.boolean(),
      hidden: mostlyNot,
    },
    { requiredKeys: [] },
  )
  .filter((change) => Object.keys(change).length > 0);

const updateAlbum = step('update album', fc.tuple(anyChoice, anyAlbumChange), async (actor, [choice, body], scene) => {
  const { id, own } = choose('albums', actor, scene, choice);
  const answer = await callAs(
    actor,
    'updateAlbum',
    { params: { id }, body },
    own === undefined ? notFound('album') : undefined,
  );
  if (answer === undefined || own === undefined) return;
  own.name = body.name ?? own.name;
  if (body.shared !== undefined && body.shared !== own.isShared) {
    const earlier = own.shareId;
    own.isShared = body.shared;
    own.shareId = (await actor.user.call('getAlbum', { params: { id } })).body.shareId;
    assert.equal(own.shareId !== undefined, body.shared);
    assert.ok(own.shareId === undefined || own.shareId !== earlier);
  }
  own.isHidden = body.hidden ?? own.isHidden;
  if (body.description !== undefined) own.description = body.description ?? undefined;
  own.updated = scene.calls;
});

const chooseAlbumCover = step(
  'cover of album',
  fc.tuple(anyChoice, anyCover),
  async (actor, [choice, cover], scene) => {
    const { library } = actor;
    const { id, own } = choose('albums', actor, scene, choice);
    const shown = own === undefined ? [] : itemsOfAlbum(library, own);
    const coverId = cover && (cover.isShown ? shown[cover.choice.index % shown.length]?.id : undefined);
    const coverMediaItemId = cover && (coverId ?? choose('items', actor, scene, cover.choice).id);
    const isShown = coverMediaItemId === null || shown.some((item) => item.id === coverMediaItemId);
    const refusal = own === undefined ? notFound('album') : isShown ? undefined : notFound('media item');
    const answer = await callAs(actor, 'updateAlbum', { params: { id }, body: { coverMediaItemId } }, refusal);
    if (answer === undefined || own === undefined) return;
    own.coverId = coverMediaItemId;
    own.updated = scene.calls;
  },
);

const getAlbum = step('get album', anyChoice, async (actor, choice, scene) => {
  const { id, own } = choose('albums', actor, scene, choice);
  const answer = await callAs(actor, 'getAlbum', { params: { id } }, own === undefined ? notFound('album') : undefined);
  if (answer === undefined) return;
  assert.deepEqual(seenCollection(answer.body), expectedAlbum(actor.library, own!));
  assert.equal(answer.body.shareId, own!.shareId);
});

const deleteAlbum = step('delete album', anyChoice, async (actor, choice, scene) => {
  const { id, own } = choose('albums', actor, scene, choice);
  const answer = await callAs(
    actor,
    'deleteAlbum',
    { params: { id } },
    own === undefined ? notFound('album') : undefined,
  );
  if (answer !== undefined) actor.library.albums.splice(actor.library.albums.indexOf(own!), 1);
});

const listOfAlbums = step(
  'list albums',
  fc.tuple(fc.constantFrom(...albumSorts), anyFlag, mostlyNot, anyWalk),
  async (actor, [sort, shared, hidden, walk]) => {
    const expected = listAlbums(actor.library, { sort, isShared: shared, isHidden: hidden });
    const shown = expected.map((album) => expectedAlbum(actor.library, album));
    await expectList(actor, 'listAlbums', { query: { sort, shared, hidden } }, walk, shown, seenCollection);
  },
);

const listAlbumItems = step(
  'list items of album',
  fc.tuple(anyChoice, anyWalk),
  async (actor, [choice, walk], scene) => {
    const { id, own } = choose('albums', actor, scene, choice);
    const expected =
      own === undefined ? [] : itemsOfAlbum(actor.library, own).map((item) => expectedItem(actor.library, item));
    const refusal = own === undefined ? notFound('album') : undefined;
    await expectList(actor, 'listAlbumMediaItems', { params: { id } }, walk, expected, seenItem, refusal);
  },
);

const changeAlbumItems = step(
  'items of album',
  fc.tuple(
    fc.constantFrom('addToAlbum' as const, 'addToAlbum' as const, 'removeFromAlbum' as const),
    anyChoice,
    anyChoices,
  ),
  async (actor, [name, choice, choices], scene) => {
    const { id, own } = choose('albums', actor, scene, choice);
    const items = choices.map((each: Choice) => choose('items', actor, scene, each));
    const isMissing = items.some((item) => item.own === undefined);
    const refusal = own === undefined ? notFound('album') : isMissing ? notFound('media item') : undefined;
    const body = { mediaItems: items.map((item) => item.id) };
    const answer = await callAs(actor, name, { params: { id }, body }, refusal);
    if (answer === undefined || own === undefined) return;
    for (const item of items) {
      if (name === 'addToAlbum') own.itemIds.add(item.id);
      else own.itemIds.delete(item.id);
    }
    own.updated = scene.calls;
  },
);

const listAlbumsOfItem = step('albums of item', fc.tuple(anyChoice, anyWalk), async (actor, [choice, walk], scene) => {
  const { id, own } = choose('items', actor, scene, choice);
  const refusal = own === undefined ? notFound('media item') : undefined;
  const albums = actor.library.albums.filter(({ itemIds, isHidden }) => itemIds.has(id) && !isHidden).toSorted(byName);
  const expected = albums.map((album) => expectedAlbum(actor.library, album));
  await expectList(actor, 'listMediaItemAlbums', { params: { id } }, walk, expected, seenCollection, refusal);
});

/** All steps on albums, with their weights. */
export const albumSteps = [
  { weight: 2, arbitrary: createAlbum },
  { weight: 1, arbitrary: updateAlbum },
  { weight: 2, arbitrary: chooseAlbumCover },
  { weight: 2, arbitrary: getAlbum },
  { weight: 1, arbitrary: deleteAlbum },
  { weight: 4, arbitrary: listOfAlbums },
  { weight: 4, arbitrary: listAlbumItems },
  { weight: 6, arbitrary: changeAlbumItems },
  { weight: 2, arbitrary: listAlbumsOfItem },
];
