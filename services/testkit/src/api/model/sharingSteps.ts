import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { callAs, expectList, notFound, type Actor, type Scene } from './expectations.ts';
import { coverOf, itemsOfAlbum, type Album, type Item, type Library } from './library.ts';
import { anyChoice, anyWalk, choose, step, type Choice } from './steps.ts';

/** Chooses an album for a visitor who is not signed in. */
const visit = async (actor: Actor, scene: Scene, choice: Choice) => {
  // Resets the count of guesses, because all visitors have the same address here.
  await scene.api.deps.db.deleteFrom('login_attempts').execute();
  const { library, user } = actor;
  const { id, own } = choose(
    'albums',
    actor,
    scene,
    choice.whose === 'foreign' ? { ...choice, whose: 'nobody' } : choice,
  );
  const isOpen = own?.isShared === true && !library.off.has('albums') && !library.off.has('sharing');
  const visitor: Actor = { user: { ...user, call: scene.api.call }, library };
  // The id of an album never works as a share id.
  const isByShare = isOpen && choice.index % 4 !== 0;
  const asked = isByShare ? own.shareId! : id;
  return { id: asked, own, visitor, refusal: isByShare ? undefined : notFound('shared link') };
};

const itemsShown = (library: Library, album: Album): Item[] =>
  itemsOfAlbum(library, album).filter(({ status }) => status === 'READY');

/** Returns all properties of an item without renditions that visitors may see. */
const expectedSharedItem = ({ id, type, category, localTime }: Item) => ({
  id,
  mediaItemType: type,
  mediaItemCategory: category,
  localTime,
});

const getSharedAlbum = step('get shared album', anyChoice, async (actor, choice, scene) => {
  const { id, own, visitor, refusal } = await visit(actor, scene, choice);
  const answer = await callAs(visitor, 'getSharedAlbum', { params: { id } }, refusal);
  if (answer === undefined || own === undefined) return;
  const { createdAt: _, updatedAt: __, ...body } = answer.body;
  const items = itemsShown(actor.library, own);
  const cover = coverOf(own, items);
  assert.deepEqual(body, {
    id,
    name: own.name,
    ...(own.description !== undefined && { description: own.description }),
    ...(cover && { coverMediaItemId: cover.id, coverMediaItem: expectedSharedItem(cover) }),
    shared: true,
    mediaItemsCount: items.length,
  });
});

const listSharedItems = step(
  'list shared items',
  fc.tuple(anyChoice, anyWalk),
  async (actor, [choice, walk], scene) => {
    const { id, own, visitor, refusal } = await visit(actor, scene, choice);
    const expected = own === undefined ? [] : itemsShown(actor.library, own).map(expectedSharedItem);
    const asIs = (item: (typeof expected)[number]) => item;
    await expectList(visitor, 'listSharedMediaItems', { params: { id } }, walk, expected, asIs, refusal);
  },
);

/** All steps of visitors, with their weights. */
export const sharingSteps = [
  { weight: 3, arbitrary: getSharedAlbum },
  { weight: 4, arbitrary: listSharedItems },
];
