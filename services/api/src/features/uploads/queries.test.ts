import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { requestClaim, claimUpload, releaseUpload, renewUploadClaim } from './uploadClaims.ts';
import { deleteExpiredUploads, deleteUpload, listReceivedUploads } from './uploadRemoval.ts';
import { advanceUpload, finishUpload, getUpload, insertUpload, listUploadParts, setUploadWrite } from './queries.ts';

const database = await createMigratedDatabase();
after(() => database.drop());
const { db } = database;
const user = await buildUser(db);

/** Starts an upload of 30 bytes. */
const startUpload = async (): Promise<string> => {
  const id = randomUUID();
  await insertUpload(db, { id, user_id: user.id, metadata: '', length_bytes: 30, part_bytes: 10 });
  return id;
};

const progress = { hash_state: null, tail_key: null, mime_type: null, type: null, checksum: null };
const past = new Date(Date.now() - 1_000);

test('only one of many concurrent claims of an upload succeeds', async () => {
  const id = await startUpload();
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimUpload(db, user.id, id, 60_000)));
  assert.equal(claims.filter((claimed) => claimed !== undefined).length, 1);
});

test('allows a new claim after a release or without renewal', async () => {
  const id = await startUpload();
  const first = (await claimUpload(db, user.id, id, 60_000))!;
  assert.equal(await renewUploadClaim(db, first.claim, 60_000), 'held');
  await requestClaim(db, user.id, id);
  assert.equal(await renewUploadClaim(db, first.claim, 60_000), 'requested');
  await releaseUpload(db, first.claim);
  const second = (await claimUpload(db, user.id, id, 0))!;
  assert.equal(await renewUploadClaim(db, second.claim, 0), 'held', 'the new claim clears the request');
  const third = (await claimUpload(db, user.id, id, 60_000))!;
  assert.equal(await renewUploadClaim(db, second.claim, 60_000), 'lost');
  await releaseUpload(db, second.claim);
  assert.equal(await renewUploadClaim(db, third.claim, 60_000), 'held');
});

test('rejects claims and requests of other users', async () => {
  const [id, other] = [await startUpload(), await buildUser(db)];
  assert.equal(await claimUpload(db, other.id, id, 60_000), undefined);
  const { claim } = (await claimUpload(db, user.id, id, 60_000))!;
  await requestClaim(db, other.id, id);
  assert.equal(await renewUploadClaim(db, claim, 60_000), 'held');
});

test('advances an upload only with the claim and the right offset', async () => {
  const id = await startUpload();
  const lost = (await claimUpload(db, user.id, id, 0))!.claim;
  const { claim } = (await claimUpload(db, user.id, id, 60_000))!;
  const [step, parts] = [{ ...progress, received_bytes: 10 }, [{ number: 1, tag: 'a' }]];
  assert.equal(await advanceUpload(db, lost, 0, step, parts), false);
  assert.equal(await setUploadWrite(db, lost, 'x'), false);
  assert.equal(await advanceUpload(db, claim, 5, step, parts), false);
  assert.deepEqual(await listUploadParts(db, id), []);
  assert.equal(await advanceUpload(db, claim, 0, step, parts), true);
  assert.equal(await advanceUpload(db, claim, 0, step, parts), false);
  assert.deepEqual(await listUploadParts(db, id), parts);
  assert.equal(await deleteUpload(db, lost), undefined);
  assert.equal((await getUpload(db, user.id, id)).received_bytes, 10);
});

test('finishes an upload once, then returns its item', async () => {
  const id = await startUpload();
  const lost = (await claimUpload(db, user.id, id, 0))!.claim;
  const { claim } = (await claimUpload(db, user.id, id, 60_000))!;
  const item = newMediaItem(user.id);
  assert.equal(await finishUpload(db, lost, item, {}), undefined);
  assert.deepEqual(await finishUpload(db, claim, item, {}), { id: item.id, isNew: true });
  assert.deepEqual(await finishUpload(db, claim, newMediaItem(user.id), {}), { id: item.id, isNew: false });
  const { received_bytes, media_item_id } = await getUpload(db, user.id, id);
  assert.deepEqual([received_bytes, media_item_id], [30, item.id]);
  const items = await db.selectFrom('media_items').select('id').where('user_id', '=', user.id).execute();
  assert.deepEqual(items, [{ id: item.id }]);
});

test('does not claim an expired upload, and deletes it unless a request works on it', async () => {
  const [idle, busy, lapsed] = [await startUpload(), await startUpload(), await startUpload()];
  await claimUpload(db, user.id, busy, 60_000);
  await claimUpload(db, user.id, lapsed, 0);
  await db.updateTable('uploads').set({ expires_at: past }).where('id', 'in', [idle, busy, lapsed]).execute();
  assert.equal(await claimUpload(db, user.id, idle, 60_000), undefined);
  const removed = await deleteExpiredUploads(db, 100);
  assert.deepEqual(removed.map(({ id }) => id).toSorted(), [idle, lapsed].toSorted());
});

test('lists received uploads that no request works on', async () => {
  const [received, busy, part] = [await startUpload(), await startUpload(), await startUpload()];
  for (const [id, received_bytes] of [
    [received, 30],
    [busy, 30],
    [part, 29],
  ] as const) {
    const { claim } = (await claimUpload(db, user.id, id, 60_000))!;
    await advanceUpload(db, claim, 0, { ...progress, received_bytes }, []);
    if (id !== busy) await releaseUpload(db, claim);
  }
  assert.deepEqual(
    (await listReceivedUploads(db, 100)).map(({ id }) => id),
    [received],
  );
});

test('lists received uploads in batches, by id', async () => {
  const ids = [await startUpload(), await startUpload(), await startUpload()];
  for (const id of ids) {
    const { claim } = (await claimUpload(db, user.id, id, 60_000))!;
    await advanceUpload(db, claim, 0, { ...progress, received_bytes: 30 }, []);
    await releaseUpload(db, claim);
  }
  const listed: string[] = [];
  for (;;) {
    const batch = await listReceivedUploads(db, 2, listed.at(-1));
    if (batch.length === 0) break;
    listed.push(...batch.map(({ id }) => id));
  }
  assert.deepEqual(listed, listed.toSorted());
  for (const id of ids) assert.ok(listed.includes(id));
});
