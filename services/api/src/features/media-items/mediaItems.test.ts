import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { claimRun, recordProgress } from '@hearth/core/runs/componentRuns.ts';
import { textLine } from '@hearth/testkit/pictures/textLine.ts';
import { fetchLink, type CallOptions, type RouteName } from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { jobComponentNames } from '@hearth/contract/vocabulary.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
const [ada, grace] = [await api.signUp('ada'), await api.signUp('grace')];
after(() => api.stop());

const item = async (id: string, user = ada) => (await user.call('getMediaItem', { params: { id } })).body;

test('a new item is PROCESSING and shows the known data', async () => {
  const id = await ada.uploadPhoto({ filename: 'Am Meer.jpg', creationTime: '2022-04-03T12:56:11+05:30' });
  const { processing, sourceUrl, ...rest } = await item(id);
  assert.deepEqual(
    processing.map(({ component, state, attempts }) => ({ component, state, attempts })),
    jobComponentNames.map((component) => ({ component, state: 'PENDING', attempts: 0 })),
  );
  assert.deepEqual(
    [rest.id, rest.userId, rest.filename, rest.mimeType, rest.status, rest.mediaItemType, rest.mediaItemCategory],
    [id, ada.id, 'Am Meer.jpg', 'image/jpeg', 'PROCESSING', 'PHOTO', 'DEFAULT'],
  );
  assert.deepEqual(
    [rest.creationTime, rest.localTime, rest.utcOffset],
    ['2022-04-03T07:26:11.000Z', '2022-04-03T12:56:11', '+05:30'],
  );
  assert.deepEqual([rest.favourite, rest.hidden, rest.deleted, rest.shared], [false, false, false, false]);
  for (const absent of ['previewUrl', 'thumbnailUrl', 'description', 'width', 'latitude'] as const) {
    assert.ok(!(absent in rest), absent);
  }
  assert.equal((await fetchLink(api.url, sourceUrl)).bytes.length, rest.sizeBytes);
});

test('shows the progress of a run with its item, without changing the item', async () => {
  const id = await ada.uploadPhoto();
  const claim = await claimRun(api.deps.db, id, 'media', 60_000);
  const events = async () => api.deps.db.selectFrom('events').select('id').where('subject_id', '=', id).execute();
  const [before, eventsBefore] = [await item(id), await events()];
  for (const percent of [40, 60]) {
    await recordProgress(api.deps.db, claim!, percent);
    const { processing, updatedAt } = await item(id);
    assert.deepEqual([processing[0]?.progress, updatedAt], [percent, before.updatedAt]);
  }
  assert.deepEqual(await events(), eventsBefore);
});

test('shows recognized text line by line with the item, but not in lists', async () => {
  const id = await ada.uploadPhoto();
  assert.ok(!('text' in (await item(id))));
  const lines = [textLine('BARREL AGED'), { ...textLine('Café'), confidence: 0.7654321 }];
  await writeItemText(api.deps.db, id, lines);
  const { text } = await item(id);
  assert.deepEqual(text, [lines[0], { ...lines[1], confidence: 0.765 }]);
  const [listed] = (await ada.call('listMediaItems', { query: { limit: 1 } })).body;
  assert.deepEqual([listed!.id, 'text' in listed!], [id, false]);
  const found = (await ada.call('searchMediaItems', { query: { q: 'cafe' } })).body;
  assert.deepEqual(
    found.map((each) => each.id),
    [id],
  );
  assert.deepEqual((await grace.call('searchMediaItems', { query: { q: 'cafe' } })).body, []);
});

test('finds an id in any case', async () => {
  const id = await ada.uploadPhoto();
  assert.equal((await item(id.toUpperCase())).id, id);
});

test('changes description, favourite and hidden separately, and clears the description with null or empty text', async () => {
  const params = { id: await ada.uploadPhoto() };
  const change = async (body: object) =>
    assert.equal((await ada.call('updateMediaItem', { params, body })).status, 204);
  await change({ description: 'Line one\nline two 🏖️' });
  await change({ favourite: true });
  await change({ hidden: true });
  const changed = await item(params.id);
  assert.deepEqual([changed.description, changed.favourite, changed.hidden], ['Line one\nline two 🏖️', true, true]);
  for (const empty of [null, '']) {
    await change({ description: 'x', hidden: false });
    await change({ description: empty });
    assert.ok(!('description' in (await item(params.id))));
  }
});

for (const body of [
  {},
  { filename: 'x' },
  { favourite: 'true' },
  { favourite: null },
  { description: 1 },
  { description: 'a\0b' },
  { description: 'x'.repeat(4_097) },
  { hidden: true, status: 'READY' },
]) {
  test(`rejects a change to ${JSON.stringify(body).slice(0, 50)} without changing anything`, async () => {
    const params = { id: await ada.uploadPhoto() };
    const before = await item(params.id);
    assert.equal((await ada.call('updateMediaItem', { params, body })).error.code, 'VALIDATION_FAILED');
    assert.deepEqual(await item(params.id), before);
  });
}

/** All requests for one item by its id. */
const callsFor = (unknown: string): [RouteName, CallOptions][] => [
  ['getMediaItem', { params: { id: unknown } }],
  ['updateMediaItem', { params: { id: unknown }, body: { description: 'mine now' } }],
  ['deleteMediaItem', { params: { id: unknown } }],
  ['deleteMediaItem', { params: { id: unknown }, query: { permanent: true } }],
  ['addToTrash', { body: { mediaItems: [unknown] } }],
  ['restoreFromTrash', { body: { mediaItems: [unknown] } }],
];

test("another user's item looks like one that never existed, and stays unchanged", async () => {
  const id = await ada.uploadPhoto();
  const before = await item(id);
  for (const unknown of [id, randomUUID()]) {
    for (const [name, options] of callsFor(unknown)) {
      const { status, error } = await grace.call(name, options);
      assert.deepEqual([status, error.code, error.message], [404, 'NOT_FOUND', 'media item not found'], name);
    }
  }
  assert.deepEqual((await grace.call('listMediaItems')).body, []);
  assert.deepEqual(await item(id), before);
});

test("two users' uploads of the same bytes become two items", async () => {
  const photo = await makeNextPhoto();
  const ids = await Promise.all(
    [ada, grace].map(async ({ call }) => (await call('uploadMediaItem', fileUpload(photo))).body.id),
  );
  assert.notEqual(ids[0], ids[1]);
});

test('moves an item to the trash repeatedly, and deletes it permanently only from there', async () => {
  const params = { id: await ada.uploadPhoto() };
  const isPermanent = { params, query: { permanent: true } };
  assert.equal((await ada.call('deleteMediaItem', isPermanent)).error.code, 'NOT_IN_TRASH');
  for (let times = 0; times < 2; times++) assert.equal((await ada.call('deleteMediaItem', { params })).status, 204);
  assert.equal((await item(params.id)).deleted, true);
  const keys = (await api.listKeys()).filter((key) => key.includes(params.id));
  assert.equal(keys.length, 1);
  assert.equal((await ada.call('deleteMediaItem', isPermanent)).status, 204);
  assert.equal((await ada.call('getMediaItem', { params })).status, 404);
  assert.deepEqual(
    (await api.listKeys()).filter((key) => key.includes(params.id)),
    [],
  );
  assert.equal((await ada.call('deleteMediaItem', isPermanent)).status, 404);
  assert.equal((await ada.call('deleteMediaItem', { params })).status, 404);
});

test('permanently deleted bytes can be uploaded again as a new item', async () => {
  const photo = await makeNextPhoto();
  const first = (await ada.call('uploadMediaItem', fileUpload(photo))).body.id;
  await ada.call('deleteMediaItem', { params: { id: first } });
  await ada.call('deleteMediaItem', { params: { id: first }, query: { permanent: true } });
  const second = await ada.call('uploadMediaItem', fileUpload(photo));
  assert.equal(second.status, 201);
  assert.notEqual(second.body.id, first);
});

test('accepts only true or false for permanent deletion', async () => {
  const params = { id: await ada.uploadPhoto() };
  for (const permanent of ['yes', '1', 'TRUE', '']) {
    assert.equal((await ada.call('deleteMediaItem', { params, query: { permanent } })).error.code, 'VALIDATION_FAILED');
  }
  assert.equal((await ada.call('deleteMediaItem', { params, query: { permanent: false } })).status, 204);
});
