import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { callAs, expectList, expectNotFound, type ModelUser, type ModelContext } from './expectations.ts';
import { findCover, itemsOfAlbum, type Album, type Item, type Library } from './library.ts';
import { anyChoice, anyPaging, choose, step, type Choice } from './steps.ts';

/** Chooses an album for a visitor who is not signed in. */
const openShare = async (modelUser: ModelUser, context: ModelContext, choice: Choice) => {
  // Resets the count of guesses, because all visitors have the same address here.
  await context.api.deps.db.deleteFrom('login_attempts').execute();
  const { library, user } = modelUser;
  const { id, own } = choose(
    'albums',
    modelUser,
    context,
    choice.whose === 'foreign' ? { ...choice, whose: 'unknown' } : choice,
  );
  const isShared = own?.isShared === true && !library.off.has('albums') && !library.off.has('sharing');
  const visitor: ModelUser = { user: { ...user, call: context.api.call }, library };
  // The id of an album never works as a share id.
  const isShareLink = isShared && choice.index % 4 !== 0;
  const requestedId = isShareLink ? own.shareId! : id;
  return { id: requestedId, own, visitor, expectedError: isShareLink ? undefined : expectNotFound('shared link') };
};

const listShownItems = (library: Library, album: Album): Item[] =>
  itemsOfAlbum(library, album).filter(({ status }) => status === 'READY');

/** Returns the properties that visitors may see of an item without renditions. */
const expectedSharedItem = ({ id, type, category, localTime }: Item) => ({
  id,
  mediaItemType: type,
  mediaItemCategory: category,
  localTime,
});

const getSharedAlbum = step('get shared album', anyChoice, async (modelUser, choice, context) => {
  const { id, own, visitor, expectedError } = await openShare(modelUser, context, choice);
  const response = await callAs(visitor, 'getSharedAlbum', { params: { id } }, expectedError);
  if (response === undefined || own === undefined) return;
  const { createdAt: _, updatedAt: __, ...body } = response.body;
  const items = listShownItems(modelUser.library, own);
  const cover = findCover(own, items);
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
  fc.tuple(anyChoice, anyPaging),
  async (modelUser, [choice, paging], context) => {
    const { id, own, visitor, expectedError } = await openShare(modelUser, context, choice);
    const expected = own === undefined ? [] : listShownItems(modelUser.library, own).map(expectedSharedItem);
    const asIs = (item: (typeof expected)[number]) => item;
    await expectList(visitor, 'listSharedMediaItems', { params: { id } }, paging, expected, asIs, expectedError);
  },
);

/** All steps of visitors, with their weights. */
export const sharingSteps = [
  { weight: 3, arbitrary: getSharedAlbum },
  { weight: 4, arbitrary: listSharedItems },
];
