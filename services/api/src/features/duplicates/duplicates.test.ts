import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { transaction } from '@hearth/core/db/database.ts';
import { waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { writePictureFeatures, type TestPictureFeatures } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { fillGroup } from '@hearth/testkit/api/fillGroup.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
after(() => api.stop());
const { db } = api.deps;

const uploadWithFeatures = async (user: TestUser, features: TestPictureFeatures): Promise<string> => {
  const id = await user.uploadPhoto();
  await writePictureFeatures(db, { id, user_id: user.id }, features);
  return id;
};

/** Uploads photos that look the same, in this order. */
const uploadDuplicates = async (user: TestUser, sharpness: readonly number[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const each of sharpness) ids.push(await uploadWithFeatures(user, { bits: 8, angle: 0, sharpness: each }));
  return ids;
};

const listGroups = async (user: TestUser, reviewed = false) =>
  (await user.call('listDuplicates', { query: { reviewed: String(reviewed) } })).body;

const idsIn = async (user: TestUser, route: 'listTrash' | 'listFavourites' | 'listMediaItems') =>
  (await user.call(route)).body.map(({ id }) => id).toSorted();

test('groups photos that look the same, best first, and no others', async () => {
  const user = await api.signUp();
  const [blurred, sharp] = await uploadDuplicates(user, [0.2, 0.6]);
  const other = await uploadWithFeatures(user, { bits: 40, angle: 0 });
  await uploadWithFeatures(user, { bits: 8, angle: 1.5 });
  const [group, ...more] = await listGroups(user);
  assert.deepEqual(more, []);
  const { id, mediaItems, revision, ...rest } = group!;
  assert.equal(typeof revision, 'string');
  assert.deepEqual(rest, { mediaItemsCount: 2, reviewed: false, trashedCount: 0 });
  assert.deepEqual(
    mediaItems.map((item) => item.id),
    [sharp, blurred],
  );
  assert.deepEqual((await user.call('getDuplicates', { params: { id } })).body, group);
  await user.call('updateMediaItem', { params: { id: blurred! }, body: { favourite: true } });
  const { body, headers } = await user.call('listDuplicateMediaItems', { params: { id }, query: { limit: 1 } });
  assert.deepEqual(
    body.map((item) => item.id),
    [sharp],
    'a sharp one before a favourite',
  );
  assert.deepEqual([headers.get('x-total-count'), headers.get('x-revision')], ['2', revision]);
  const cursor = /cursor=([\w-]+)/.exec(headers.get('link')!)![1]!;
  assert.equal((await user.call('listDuplicateMediaItems', { params: { id }, query: { cursor: 'x' } })).status, 400);
  const second = await user.call('listDuplicateMediaItems', { params: { id }, query: { cursor } });
  assert.deepEqual([second.body.map((item) => item.id), second.headers.get('link')], [[blurred], null]);
  assert.equal((await user.call('getDuplicates', { params: { id: other } })).status, 404, 'not a group');
});

test('ranks the photo most worth keeping first', async () => {
  const user = await api.signUp();
  // From best to worst. Each photo loses in a more important property and wins in less important ones.
  const changes = [
    { mime_type: 'image/x-canon-cr3', width_px: 800, height_px: 600 },
    { category: 'MOTION', width_px: 640, height_px: 480 },
    { width_px: 4_000, height_px: 3_000, size_bytes: 2_000 },
    { width_px: 640, height_px: 480, size_bytes: 90_000 },
    { width_px: 640, height_px: 480, size_bytes: 80_000, is_favourite: true, description: 'At sea' },
    { width_px: 640, height_px: 480, size_bytes: 100_000, is_favourite: true, description: 'At sea' },
  ] as const;
  const ids = await uploadDuplicates(user, [0.1, 0.1, 0.1, 0.56, 0.58, 0.3]);
  for (const [nth, change] of changes.entries())
    await db.updateTable('media_items').set(change).where('id', '=', ids[nth]!).execute();
  const [{ id } = { id: '' }] = await listGroups(user);
  const all = await user.call('listDuplicateMediaItems', { params: { id } });
  assert.deepEqual(
    all.body.map((item) => ids.indexOf(item.id)),
    [0, 1, 2, 3, 4, 5],
  );
});

test('resolving a group merges everything into the kept photo, and restoring reverts it', async () => {
  const user = await api.signUp();
  const [kept, first, second] = await uploadDuplicates(user, [0.2, 0.6, 0.4]);
  const [{ id } = { id: '' }] = await listGroups(user);
  const album = (await user.call('createAlbum', { body: { name: 'Sea' } })).body.id;
  const inAlbum = async () =>
    (await user.call('listAlbumMediaItems', { params: { id: album } })).body.map((item) => item.id).toSorted();
  await user.call('addToAlbum', { params: { id: album }, body: { mediaItems: [first!] } });
  await user.call('updateMediaItem', {
    params: { id: second! },
    body: { favourite: true, description: 'In the hall' },
  });
  await user.call('updateMediaItem', { params: { id: first! }, body: { description: 'At sea' } });
  const descriptionOfKept = async () => (await user.call('getMediaItem', { params: { id: kept! } })).body.description;
  const before = await listGroups(user);

  const resolve = (keep: readonly string[]) => user.call('resolveDuplicates', { params: { id }, body: { keep } });
  assert.equal((await resolve([kept!, randomUUID()])).status, 404);
  assert.equal((await resolve([await uploadWithFeatures(user, { bits: 40, angle: 0 })])).status, 404);
  assert.deepEqual(await listGroups(user), before, 'nothing has changed');
  assert.deepEqual((await resolve([kept!])).body, { trashed: 2, isComplete: true });

  assert.deepEqual(await listGroups(user), []);
  const [reviewed] = await listGroups(user, true);
  assert.deepEqual([reviewed?.id, reviewed?.mediaItemsCount, reviewed?.trashedCount], [id, 1, 2]);
  assert.deepEqual(await idsIn(user, 'listTrash'), [first!, second!].toSorted());
  assert.deepEqual([await inAlbum(), await idsIn(user, 'listFavourites')], [[kept], [kept]]);
  assert.equal(await descriptionOfKept(), 'At sea', 'the description of the best photo that has one');

  const restore = () => user.call('restoreDuplicates', { params: { id } });
  assert.deepEqual((await restore()).body, { restored: 2, isComplete: true });
  const idsOf = (groups: typeof before) =>
    groups.map((group) => ({
      ...group,
      revision: undefined,
      mediaItems: group.mediaItems.map(({ id: each }) => each),
    }));
  assert.deepEqual(idsOf(await listGroups(user)), idsOf(before));
  assert.deepEqual([await inAlbum(), await idsIn(user, 'listFavourites')], [[first], [second]]);
  assert.equal(await descriptionOfKept(), undefined);
  assert.deepEqual((await restore()).body, { restored: 0, isComplete: true }, 'a second restore changes nothing');
});

test('does not restore photos that were restored or deleted outside the review', async () => {
  const user = await api.signUp();
  const [kept, first, second] = await uploadDuplicates(user, [0.2, 0.6, 0.4]);
  const [{ id } = { id: '' }] = await listGroups(user);
  await user.call('resolveDuplicates', { params: { id }, body: { keep: [kept!] } });
  await user.call('restoreFromTrash', { body: { mediaItems: [first!] } });
  await user.call('deleteMediaItem', { params: { id: first! } });
  await user.call('deleteMediaItem', { params: { id: second! }, query: { permanent: true } });
  const gone = await user.call('getDuplicates', { params: { id } });
  assert.equal(gone.status, 404, 'one photo is left; the user trashed one and deleted one');
});

test('after a restore, keeps the albums, favourite and description taken from a permanently deleted duplicate', async () => {
  const user = await api.signUp();
  const [kept, , removed] = await uploadDuplicates(user, [0.2, 0.6, 0.4]);
  const album = (await user.call('createAlbum', { body: { name: 'Sea' } })).body.id;
  await user.call('addToAlbum', { params: { id: album }, body: { mediaItems: [removed!] } });
  await user.call('updateMediaItem', { params: { id: removed! }, body: { favourite: true, description: 'At sea' } });
  const [{ id, mediaItems } = { id: '', mediaItems: [] }] = await listGroups(user);
  const keep = mediaItems.map((item) => item.id).filter((item) => item !== removed);
  await user.call('resolveDuplicates', {
    params: { id },
    body: { keep: [kept!, ...keep.filter((each) => each !== kept)] },
  });
  await user.call('deleteMediaItem', { params: { id: removed! }, query: { permanent: true } });
  assert.equal((await user.call('restoreDuplicates', { params: { id } })).status, 200);
  assert.deepEqual(
    (await user.call('listAlbumMediaItems', { params: { id: album } })).body.map((item) => item.id),
    [kept],
  );
  assert.deepEqual(await idsIn(user, 'listFavourites'), [kept]);
  assert.equal((await user.call('getMediaItem', { params: { id: kept! } })).body.description, 'At sea');
});

test('neither replaces nor removes a description written for the kept photo', async () => {
  const user = await api.signUp();
  const [kept, other] = await uploadDuplicates(user, [0.2, 0.6]);
  const [{ id: group } = { id: '' }] = await listGroups(user);
  const describe = (id: string, description: string) =>
    user.call('updateMediaItem', { params: { id }, body: { description } });
  await describe(other!, 'At sea');
  for (const isGiven of [true, false]) {
    await user.call('resolveDuplicates', { params: { id: group }, body: { keep: [kept!] } });
    if (isGiven) await describe(kept!, 'In 2019');
    await user.call('restoreDuplicates', { params: { id: group } });
    assert.equal((await user.call('getMediaItem', { params: { id: kept! } })).body.description, 'In 2019');
  }
});

test('keeps one photo if the kept one is trashed while the group is resolved', async () => {
  const user = await api.signUp();
  const [kept, other] = await uploadDuplicates(user, [0.2, 0.6]);
  const [{ id } = { id: '' }] = await listGroups(user);
  // The review has read the photos and waits for their locks.
  const response = await transaction(db, async (trx) => {
    await trx.selectFrom('media_items').select('id').where('user_id', '=', user.id).forUpdate().execute();
    const resolving = user.call('resolveDuplicates', { params: { id }, body: { keep: [kept!] } });
    await waitUntilBlocked(db, 'media_items');
    await trx.updateTable('media_items').set({ deleted_at: new Date() }).where('id', '=', kept!).execute();
    return { resolving };
  });
  assert.equal((await response.resolving).status, 404);
  assert.deepEqual(await idsIn(user, 'listMediaItems'), [other]);
});

test('does not trash a photo that joined the group after the client loaded it', async () => {
  const user = await api.signUp();
  const [kept, other] = await uploadDuplicates(user, [0.2, 0.6]);
  const loadGroup = async () => (await listGroups(user))[0]!;
  const resolve = ({ id, revision }: { readonly id: string; readonly revision: string }) =>
    user.call('resolveDuplicates', { params: { id }, body: { keep: [kept!], revision } });
  const early = await loadGroup();

  // Replaces a photo that the client saw, so that the number stays the same.
  await user.call('deleteMediaItem', { params: { id: other! } });
  const [joined] = await uploadDuplicates(user, [0.4]);
  const refused = await resolve(early);
  assert.deepEqual([refused.status, refused.error.code], [409, 'CONFLICT']);
  assert.deepEqual(await idsIn(user, 'listTrash'), [other]);

  const again = await loadGroup();
  await user.call('restoreFromTrash', { body: { mediaItems: [other!] } });
  assert.equal((await resolve(again)).status, 409, 'a photo was restored after the client loaded the group');

  const late = await loadGroup();
  await user.call('updateMediaItem', { params: { id: joined! }, body: { favourite: true } });
  await user.call('addToHidden', { body: { mediaItems: [other!] } });
  assert.equal((await loadGroup()).revision, late.revision, 'edits and removals of known photos keep the revision');
  assert.deepEqual((await resolve(late)).body, { trashed: 1, isComplete: true });
  assert.deepEqual(await idsIn(user, 'listMediaItems'), [kept]);
});

test('neither trashes nor reviews a photo that joins during the resolution', async () => {
  const user = await api.signUp();
  const [kept, other] = await uploadDuplicates(user, [0.2, 0.6]);
  const [{ id, revision } = { id: '', revision: '' }] = await listGroups(user);
  const joining = await user.uploadPhoto();
  const { resolving } = await transaction(db, async (trx) => {
    await trx.selectFrom('media_items').select('id').where('id', 'in', [kept!, other!]).forUpdate().execute();
    const response = user.call('resolveDuplicates', { params: { id }, body: { keep: [kept!], revision } });
    await waitUntilBlocked(db, 'media_items');
    await writePictureFeatures(db, { id: joining, user_id: user.id }, { bits: 8, angle: 0 });
    return { resolving: response };
  });
  assert.equal((await resolving).status, 409);
  assert.equal((await listGroups(user))[0]?.mediaItemsCount, 3);
});

test('does not propose dismissed photos again until another one joins', async () => {
  const user = await api.signUp();
  await uploadDuplicates(user, [0.2, 0.6]);
  const [{ id, revision } = { id: '', revision: '' }] = await listGroups(user);
  const dismissSeen = () => user.call('dismissDuplicates', { params: { id }, body: { revision } });
  assert.deepEqual([(await dismissSeen()).status, (await dismissSeen()).status], [204, 204]);
  assert.deepEqual([(await listGroups(user)).length, (await listGroups(user, true)).length], [0, 1]);
  await uploadWithFeatures(user, { bits: 40, angle: 0 });
  assert.deepEqual(await listGroups(user), []);
  await uploadWithFeatures(user, { bits: 9, angle: 0 });
  assert.deepEqual(
    (await listGroups(user)).map((group) => [group.id, group.mediaItemsCount]),
    [[id, 3]],
  );
  assert.equal((await dismissSeen()).status, 409, 'the revision is outdated');
  await user.call('dismissDuplicates', { params: { id } });
  await user.call('restoreDuplicates', { params: { id } });
  assert.equal((await listGroups(user)).length, 1, 'listed again after the dismissal is undone');
});

test('resolves and restores more than a thousand photos in several calls', async () => {
  const user = await api.signUp();
  const [kept] = await uploadDuplicates(user, [0.9, 0.2]);
  const [{ id } = { id: '' }] = await listGroups(user);
  await fillGroup(db, user.id, id, 1_500);
  const resolve = () => user.call('resolveDuplicates', { params: { id }, body: { keep: [kept!] } });
  assert.deepEqual((await resolve()).body, { trashed: 1_000, isComplete: false });
  assert.deepEqual(
    (await listGroups(user)).map((group) => [group.mediaItemsCount, group.trashedCount]),
    [[502, 1_000]],
  );
  assert.deepEqual((await resolve()).body, { trashed: 501, isComplete: true });
  const restore = () => user.call('restoreDuplicates', { params: { id } });
  assert.deepEqual((await restore()).body, { restored: 1_000, isComplete: false });
  assert.deepEqual((await restore()).body, { restored: 501, isComplete: true });
  assert.equal((await listGroups(user))[0]?.mediaItemsCount, 1_502);
});

test('two concurrent reviews keep one of the photos', async () => {
  const user = await api.signUp();
  const [one, other] = await uploadDuplicates(user, [0.2, 0.6]);
  const [{ id } = { id: '' }] = await listGroups(user);
  const responses = await Promise.all(
    [one!, other!].map((keep) => user.call('resolveDuplicates', { params: { id }, body: { keep: [keep] } })),
  );
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200, 404]));
  assert.equal((await idsIn(user, 'listMediaItems')).length, 1);
});

test('excludes hidden photos, and hides groups from other users', async () => {
  const [user, other] = [await api.signUp(), await api.signUp()];
  const [one, two] = await uploadDuplicates(user, [0.2, 0.6]);
  await uploadDuplicates(other, [0.5]);
  const [{ id } = { id: '' }] = await listGroups(user);
  assert.deepEqual(await listGroups(other), [], 'photos of another owner do not count');
  for (const route of ['getDuplicates', 'listDuplicateMediaItems', 'dismissDuplicates', 'restoreDuplicates'] as const)
    assert.equal((await other.call(route, { params: { id } })).status, 404, route);
  assert.equal((await other.call('resolveDuplicates', { params: { id }, body: { keep: [one!] } })).status, 404);
  await user.call('addToHidden', { body: { mediaItems: [two!] } });
  assert.deepEqual(await listGroups(user), []);
  assert.equal((await user.call('getDuplicates', { params: { id } })).status, 404);
  await user.call('removeFromHidden', { body: { mediaItems: [two!] } });
  assert.equal((await listGroups(user)).length, 1);
});
