import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import type { SharedMediaItem } from '@hearth/contract/sharing.ts';
import { createTestBackEnds } from '@hearth/testkit/run/backEnds.ts';
import { startInstallation, type Installation } from '@hearth/testkit/servers/installation.ts';
import { createTestDatabase } from '@hearth/testkit/database/postgres.ts';
import { explainMissingTestData, getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient, fetchLink, type Client } from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { toBasicAuth } from '@hearth/testkit/api/testApi.ts';
import { signUp, type TestUser } from '@hearth/testkit/api/testUser.ts';

/** Files with place, camera or people in their metadata, or with motion. */
const originals = [
  'gps/IMG_20180725_163423.jpg',
  'gps/DSCN0010.jpg',
  'camera-jpeg/Canon IXUS 430.jpg',
  'camera-jpeg/Samsung GT-I9505 (Galaxy S4).jpg',
  'camera-jpeg/Apple iPhone 5.jpg',
  'colour-depth/ultraHDR.jpg',
  'animated/rotating-squares.gif',
  'live-photo/IMG_1001.HEIC',
  'live-photo/IMG_1001.MOV',
  'motion-photo/samsung-one-ui-6.heic',
  'video/with-gps.mov',
  'video/h265_with_metadata_track.mp4',
  'video/portrait_4k60.mp4',
].map((path) => join(getTestDataFolder('media'), path));

/** ExifTool, as used by the worker. Here it searches for metadata that must be gone. */
const exiftool = join(import.meta.dirname, '../../../../../node_modules/.bin/exiftool');

/** All metadata of a file, as `[group:name, value]`. */
const tagsOf = async (path: string): Promise<[string, string][]> => {
  const run = await promisify(execFile)(exiftool, ['-json', '-a', '-G1', '-ee', path], { maxBuffer: 2 ** 26 });
  const [tags = {}] = JSON.parse(run.stdout) as Record<string, unknown>[];
  return Object.entries(tags).map(([name, value]) => [name, String(value)]);
};

/** Names of tags that reveal where, when, by whom or with what a picture was taken. */
const sensitiveTags =
  /gps|location|serial|:make$|:model$|owner|artist|author|creator|copyright|software|uniqueid|identifier|comment|title|datetime|[^r]date$/i;

/** Returns true for tags that do not come from the original: colour profiles, which previews keep, and FFmpeg's zero dates. */
const isHarmless = ([name, value]: readonly [string, string]): boolean =>
  /^(ExifTool|System|File|Composite|ICC[-_]\w+):/.test(name) || value.startsWith('0000:00:00');

/** Markers of metadata in any file format. */
const marks = ['Exif\0\0', 'ns.adobe.com', 'Photoshop 3.0', '\xa9xyz', 'com.apple', 'com.android', 'samsung', 'SEFT'];
/** A geographic position in the format of ISO 6709. */
const position = /[+-]\d{2}\.\d{3,}[+-]\d{3}\.\d{3,}/;

/** Returns true if the copy of the item's video is still missing. */
const lacksCopy = ({ mediaItemType, mediaItemCategory, previewUrl, motionUrl }: SharedMediaItem): boolean =>
  mediaItemType === 'VIDEO'
    ? previewUrl === undefined
    : /LIVE|MOTION/.test(mediaItemCategory) && motionUrl === undefined;

suite('responses to visitors of a shared album', { skip: explainMissingTestData('media') }, () => {
  let installation: Installation;
  let user: TestUser;
  let albumId: string;
  let shareId: string;
  let shared: SharedMediaItem[];
  const stack = new AsyncDisposableStack();
  const visitorOf = (index: number): Client => createClient(installation.apis[index]!.url);

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hearth-leaks-test-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const [database, backEnds] = await Promise.all([createTestDatabase(), createTestBackEnds()]);
    stack.defer(() => database.drop());
    stack.defer(() => backEnds.remove());
    const env = backEnds.variables;
    installation = await startInstallation({ directory, databaseUrl: database.url, env, apis: 2, workers: 1 });
    stack.defer(() => installation.stop());
    user = await signUp(installation.url, createClient(installation.url, toBasicAuth(installation.admin)));
    const ids: string[] = [];
    for (const path of originals) {
      ids.push((await user.call('uploadMediaItem', fileUpload(readFileSync(path), basename(path)))).body.id);
    }
    const created = (await user.call('createAlbum', { body: { name: 'Summer', shared: true } })).body;
    [albumId, shareId] = [created.id, created.shareId!];
    await user.call('addToAlbum', { params: { id: albumId }, body: { mediaItems: ids } });
    const isPrepared = async (): Promise<boolean> => {
      const { body } = await visitorOf(1)('listSharedMediaItems', { params: { id: shareId } });
      shared = body;
      // The other half of the Live Photo is not a separate item.
      return shared.length === originals.length - 1 && !shared.some(lacksCopy);
    };
    await waitUntil('visitors see the whole album', isPrepared, { timeoutMs: 300_000 });
  });
  after(() => stack.disposeAsync());

  const set = async (isShared: boolean) =>
    assert.equal((await user.call('updateAlbum', { params: { id: albumId }, body: { shared: isShared } })).status, 204);

  test('reveal nothing about place, time, person or camera in any byte', async (t) => {
    const words = new Set([user.id, user.username, albumId, ...originals.map((path) => basename(path))]);
    for (const path of originals) {
      for (const [name, value] of await tagsOf(path)) {
        const isSensitive = sensitiveTags.test(name) && !isHarmless([name, value]);
        if (isSensitive && value.length >= 6 && !/^0*$/.test(value)) words.add(value);
      }
    }
    t.diagnostic(`searching for ${words.size} values of the originals`);
    assert.ok(words.size > 50);
    const scratch = await mkdtemp(join(tmpdir(), 'hearth-leaks-'));
    stack.defer(() => rm(scratch, { recursive: true }));
    const album = await visitorOf(0)('getSharedAlbum', { params: { id: shareId } });
    const list = await visitorOf(0)('listSharedMediaItems', { params: { id: shareId } });
    assert.deepEqual([album.status, list.status], [200, 200]);
    const texts = [album, list].map(({ headers, bytes }) => `${JSON.stringify([...headers])}${bytes.toString()}`);
    const files = new Map<string, string>();
    for (const item of shared) {
      for (const [field, link] of Object.entries(item)) {
        if (!field.endsWith('Url')) continue;
        const { status, headers, bytes } = await fetchLink(installation.apis[0]!.url, String(link));
        assert.equal(status, 200, field);
        const path = join(scratch, `${files.size}`);
        await writeFile(path, bytes);
        files.set(path, `${field} of ${item.mediaItemCategory} ${item.mediaItemType}`);
        texts.push(JSON.stringify([...headers]), bytes.toString('latin1'));
        const raw = bytes.toString('latin1');
        for (const mark of marks) assert.ok(!raw.includes(mark), `${files.get(path)} contains ${mark}`);
        assert.doesNotMatch(raw, position, files.get(path));
      }
    }
    t.diagnostic(`${files.size} files`);
    for (const text of texts) for (const word of words) assert.ok(!text.includes(word), word);
    for (const [path, what] of files) {
      const leaked = (await tagsOf(path)).filter((tag) => sensitiveTags.test(tag[0]) && !isHarmless(tag));
      assert.deepEqual(leaked, [], what);
    }
  });

  test('become 404 on every replica as soon as the album is no longer shared', async () => {
    const links = shared.flatMap((item) => Object.entries(item).filter(([field]) => field.endsWith('Url')));
    const statuses = async () => {
      const all = installation.apis.flatMap(({ url }) => links.map(async ([, link]) => fetchLink(url, String(link))));
      return new Set((await Promise.all(all)).map(({ status }) => status));
    };
    assert.deepEqual(await statuses(), new Set([200]));
    await set(false);
    assert.deepEqual(await statuses(), new Set([404]));
    for (const index of [0, 1])
      assert.equal((await visitorOf(index)('getSharedAlbum', { params: { id: shareId } })).status, 404);
    await set(true);
    assert.deepEqual(await statuses(), new Set([404]));
  });
});
