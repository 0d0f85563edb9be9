import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { createTestBackEnds } from '@hearth/testkit/run/backEnds.ts';
import { startInstallation, type Installation } from '@hearth/testkit/servers/installation.ts';
import { createTestDatabase } from '@hearth/testkit/database/postgres.ts';
import { explainMissingTestData, getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient, fetchLink } from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { toBasicAuth } from '@hearth/testkit/api/testApi.ts';
import { signUp, type TestUser } from '@hearth/testkit/api/testUser.ts';

interface Expected {
  readonly outcome: string;
  readonly outcomeAccepts?: readonly string[];
  readonly uncertain?: readonly string[];
  readonly type?: string;
  readonly category?: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSeconds?: number;
}

const media = getTestDataFolder('media');
const lacksMedia = explainMissingTestData('media');
const { files } = (lacksMedia ? { files: [] } : JSON.parse(readFileSync(join(media, 'MANIFEST.json'), 'utf8'))) as {
  files: readonly { readonly path: string; readonly expected: Expected }[];
};
const videos = files.filter(({ expected }) => expected.type === 'VIDEO');
const readMedia = (path: string): Buffer => readFileSync(join(media, path));

const isProcessed = ({ processing }: MediaItemDetails): boolean =>
  processing.every(({ state }) => state !== 'PENDING' && state !== 'RUNNING');

suite('videos on a real installation', () => {
  let installation: Installation;
  let user: TestUser;
  let url: string;
  const stack = new AsyncDisposableStack();
  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hearth-videos-test-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const [database, backEnds] = await Promise.all([createTestDatabase(), createTestBackEnds()]);
    stack.defer(() => database.drop());
    stack.defer(() => backEnds.remove());
    const env = backEnds.variables;
    installation = await startInstallation({ directory, databaseUrl: database.url, env, apis: 1, workers: 2 });
    stack.defer(() => installation.stop());
    url = installation.url;
    user = await signUp(url, createClient(url, toBasicAuth(installation.admin)));
  });
  after(() => stack.disposeAsync());

  const upload = async (bytes: Buffer, filename: string): Promise<string> => {
    const { status, body } = await user.call('uploadMediaItem', fileUpload(bytes, filename));
    assert.equal(status, 201, filename);
    return body.id;
  };
  const get = async (id: string): Promise<MediaItemDetails> =>
    (await user.call('getMediaItem', { params: { id } })).body;
  const waitUntilProcessed = async (id: string): Promise<MediaItemDetails> => {
    let item = await get(id);
    const isNowProcessed = async (): Promise<boolean> => {
      item = await get(id);
      return isProcessed(item);
    };
    await waitUntil('the item is processed', isNowProcessed, { timeoutMs: 600_000 });
    return item;
  };
  const list = async (query = {}) => {
    const { body, headers } = await user.call('listMediaItems', { query: { limit: 200, ...query } });
    assert.equal(headers.get('x-total-count'), String(body.length));
    return body.map(({ id }) => id);
  };

  test('every test video reaches its expected state, has a poster, and plays', { skip: lacksMedia }, async () => {
    const ids = new Map<string, string>();
    for (const { path } of videos) ids.set(path, await upload(readMedia(path), path.split('/').at(-1)!));
    const wrong: string[] = [];
    for (const { path, expected } of videos) {
      const item = await waitUntilProcessed(ids.get(path)!);
      const accepted = [expected.outcome, ...(expected.outcomeAccepts ?? [])];
      if (!accepted.includes(item.status)) wrong.push(`${path}: ${item.status}, ${JSON.stringify(item.processing)}`);
      if (item.status !== 'READY') continue;
      const isSure = (field: string): boolean => !(expected.uncertain ?? []).includes(field);
      if (item.width !== expected.width || item.height !== expected.height)
        wrong.push(`${path}: ${item.width} × ${item.height}`);
      // The next test uploads the photo of this pair.
      const category = path === 'live-photo/IMG_1001.MOV' ? 'DEFAULT' : expected.category;
      if (isSure('category') && item.mediaItemCategory !== category) wrong.push(`${path}: ${item.mediaItemCategory}`);
      const off = Math.abs((item.durationSeconds ?? 0) - (expected.durationSeconds ?? 0));
      if (off > Math.max(0.1, 0.02 * (expected.durationSeconds ?? 0))) wrong.push(`${path}: ${item.durationSeconds} s`);
      for (const link of ['posterUrl', 'thumbnailUrl', 'previewUrl'] as const) {
        if (item[link] === undefined) wrong.push(`${path}: no ${link}, ${JSON.stringify(item.processing)}`);
      }
      if (item.previewUrl === undefined) continue;
      const response = await fetchLink(url, item.previewUrl, { headers: { range: 'bytes=0-11' } });
      assert.deepEqual([response.status, response.headers.get('content-type')], [206, 'video/mp4'], path);
      if (!['ftyp', 'moov', 'mdat', 'wide'].includes(response.bytes.toString('latin1', 4, 8)))
        wrong.push(`${path}: no MP4`);
    }
    assert.deepEqual(wrong, []);
    for (const id of ids.values()) await user.call('deleteMediaItem', { params: { id } });
  });

  test(
    'both halves of a Live Photo are one item in lists, counts and the trash, and the photo plays the video',
    { skip: lacksMedia },
    async () => {
      const trashed = await list({ type: 'VIDEO' });
      assert.deepEqual(trashed, []);
      // The previous test left the video in the trash. Uploading the same bytes restores it.
      const restored = await user.call(
        'uploadMediaItem',
        fileUpload(readMedia('live-photo/IMG_1001.MOV'), 'IMG_1001.MOV'),
      );
      assert.equal(restored.status, 200);
      const [photo, half] = [await upload(readMedia('live-photo/IMG_1001.HEIC'), 'IMG_1001.HEIC'), restored.body.id];
      const item = await waitUntilProcessed(photo);
      assert.deepEqual(await list(), [photo]);
      assert.deepEqual(await list({ type: 'VIDEO' }), []);
      assert.deepEqual(await list({ category: 'LIVE' }), [photo]);
      const response = await fetchLink(url, item.motionUrl!);
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'video/mp4']);
      assert.equal((await get(half)).mediaItemType, 'VIDEO', 'the video is still found by its own id');

      await user.call('deleteMediaItem', { params: { id: photo } });
      assert.equal((await get(half)).deleted, true);
      const trash = await user.call('listTrash', { query: { limit: 200 } });
      assert.ok(trash.body.some(({ id }) => id === photo) && !trash.body.some(({ id }) => id === half));
      await user.call('deleteMediaItem', { params: { id: photo }, query: { permanent: true } });
      assert.equal((await user.call('getMediaItem', { params: { id: half } })).status, 404);
    },
  );

  test('reports transcoding progress with the item, which is READY long before', async () => {
    const id = await upload(await makeTestVideo({ seed: 3, frames: 4_000 }), 'film.avi');
    let item = await get(id);
    const hasProgress = async (): Promise<boolean> => {
      item = await get(id);
      const run = item.processing.find(({ component }) => component === 'TRANSCODE');
      return run?.state === 'RUNNING' && (run.progress ?? 0) > 0;
    };
    await waitUntil('progress is reported', hasProgress, { timeoutMs: 300_000 });
    assert.deepEqual([item.status, item.previewUrl], ['READY', undefined]);
    assert.ok(item.posterUrl !== undefined && item.thumbnailUrl !== undefined);
    await user.call('deleteMediaItem', { params: { id } });
    await user.call('deleteMediaItem', { params: { id }, query: { permanent: true } });
  });
});
