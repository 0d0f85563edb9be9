import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import type { Job } from '@hearth/contract/jobs.ts';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { TimelineCount } from '@hearth/contract/timeline.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { makeForm, send, uploadOnce, type HttpResponse } from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { expectError, expectFile, expectStatus } from './expectResponse.ts';
import { timeoutMs, type StoryUser, type StoryFile } from './storyUser.ts';
import type { Story } from './story.ts';
import { waitForReadyEvent } from './waitForReadyEvent.ts';

/** Makes a photo with a time, a position and a camera. */
const makePhoto = async (seed: number, filename: string): Promise<StoryFile> => {
  const takenAt = `2022:04:03 12:56:${String(seed % 60).padStart(2, '0')}`;
  const position = { latitude: 47, longitude: 8 };
  const exif = { IFD0: { Make: 'Hearth', Model: 'Story' } };
  return { filename, bytes: Buffer.from(await makeTestPhoto({ seed, takenAt, position, exif })) };
};

/** Makes a word of letters that no other story uses. */
const drawWord = (): string =>
  `q${randomBytes(8).toString('hex')}`.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);

const listIds = async (user: StoryUser, path: string): Promise<string[]> =>
  (await user.requestJson<MediaItem[]>(path)).map(({ id }) => id);

const getMessage = ({ text }: HttpResponse): string => (JSON.parse(text) as ErrorBody).message;

/** Stories about photos: upload, search and reprocessing. */
export const photoStories: readonly Story[] = [
  {
    name: 'an uploaded photo becomes READY, with its metadata and pictures',
    play: async ({ createUser }) => {
      const user = await createUser();
      const photo = await makePhoto(21, 'story.jpg');
      const id = await user.upload(photo);
      const item = await user.waitUntilReady(id);
      assert.deepEqual([item.filename, item.sizeBytes], [photo.filename, photo.bytes.length]);
      assert.deepEqual([item.mimeType, item.mediaItemType], ['image/jpeg', 'PHOTO']);
      assert.deepEqual([item.width, item.height], [640, 480]);
      assert.equal(item.localTime, '2022-04-03T12:56:21');
      assert.deepEqual([item.latitude, item.longitude], [47, 8]);
      assert.deepEqual([item.cameraMake, item.cameraModel], ['Hearth', 'Story']);
      assert.ok(item.placeholder, 'the placeholder is missing');
      await expectFile(user.open(item.thumbnailUrl), /^image\//, 'the thumbnail');
      await expectFile(user.open(item.previewUrl), /^image\//, 'the preview');
      assert.deepEqual(await expectFile(user.open(item.sourceUrl), /^image\/jpeg/, 'the original'), photo.bytes);
    },
  },
  {
    name: 'the same bytes get the same item, and a file that is not a photo is rejected',
    play: async ({ url, createUser }) => {
      const { token, upload, requestJson } = await createUser();
      const photo = await makePhoto(22, 'twice.jpg');
      const id = await upload(photo);
      const again = await expectStatus(
        uploadOnce(url, token, makeForm('other.jpg', photo.bytes)),
        200,
        'the same bytes',
      );
      assert.equal((JSON.parse(again.text) as MediaItem).id, id);
      const text = makeForm('photo.jpg', Buffer.from('This is no photo, whatever it is called.'));
      await expectError(uploadOnce(url, token, text), 400, 'NOT_MEDIA', 'a text');
      assert.equal((await requestJson<MediaItem[]>('/v1/mediaItems')).length, 1);
    },
  },
  {
    name: 'an interrupted upload resumes at its offset',
    play: async ({ url, createUser }) => {
      const user = await createUser();
      const { bytes, filename } = await makePhoto(23, 'resumed.jpg');
      const headers = { 'Tus-Resumable': '1.0.0' };
      const begin = await expectStatus(
        user.request('/v1/uploads', {
          method: 'POST',
          headers: {
            ...headers,
            'Upload-Length': String(bytes.length),
            'Upload-Metadata': `filename ${Buffer.from(filename).toString('base64')}`,
          },
        }),
        201,
        'starting an upload',
      );
      const location = begin.headers.get('location') ?? '';
      const path = location.slice(location.indexOf('/v1/'));
      const sendFrom = (from: number, to?: number) =>
        fetch(new URL(path, url), {
          method: 'PATCH',
          headers: {
            ...headers,
            Authorization: `Bearer ${user.token}`,
            'Content-Type': 'application/offset+octet-stream',
            'Upload-Offset': String(from),
          },
          body: bytes.subarray(from, to),
        });
      const half = Math.floor(bytes.length / 2);
      assert.equal((await sendFrom(0, half)).status, 204);
      const offsetResponse = await expectStatus(
        user.request(path, { method: 'HEAD', headers }),
        200,
        'the offset of the upload',
      );
      assert.equal(offsetResponse.headers.get('upload-offset'), String(half));
      const id = (await sendFrom(half)).headers.get('hearth-media-item-id');
      assert.ok(id, 'the finished upload has no item id');
      const { sourceUrl } = await user.waitUntilReady(id);
      assert.deepEqual(await expectFile(user.open(sourceUrl), /^image\/jpeg/, 'the original'), bytes);
    },
  },
  {
    name: 'the event stream reports that a photo is READY',
    play: async ({ url, createUser }) => {
      const user = await createUser();
      const photo = await makePhoto(24, 'watched.jpg');
      await waitForReadyEvent({ url, token: user.token, timeoutMs }, () => user.upload(photo));
    },
  },
  {
    name: 'photos appear on the timeline in pages, and on the same day of other years',
    play: async ({ createUser }) => {
      const user = await createUser();
      const ids: string[] = [];
      for (const seed of [25, 26, 27]) ids.unshift(await user.upload(await makePhoto(seed, `IMG_${seed}.jpg`)));
      for (const id of ids) await user.waitUntilReady(id);
      assert.deepEqual(await user.requestJson<TimelineCount[]>('/v1/timeline'), [{ date: '2022-04', count: 3 }]);
      assert.deepEqual(await listIds(user, '/v1/timeline/2022-04/mediaItems'), ids);
      assert.deepEqual(await listIds(user, '/v1/yearsAgo/0403/mediaItems'), ids);
      const first = await user.request('/v1/mediaItems?limit=2');
      assert.equal(first.headers.get('x-total-count'), '3');
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      assert.deepEqual(await listIds(user, next.slice(next.indexOf('/v1/'))), ids.slice(2));
      assert.deepEqual(await listIds(user, '/v1/mediaItems?page=2&limit=2'), ids.slice(2));
      assert.deepEqual(await listIds(user, '/v1/mediaItems?type=VIDEO'), []);
    },
  },
  {
    name: 'a photo is found by its name, its camera, its month and its description',
    play: async ({ createUser }) => {
      const user = await createUser();
      const [word, description] = [drawWord(), drawWord()];
      const id = await user.upload(await makePhoto(28, `${word}.jpg`));
      await user.waitUntilReady(id);
      await user.request(`/v1/mediaItems/${id}`, { method: 'PUT', body: { description: `The ${description}` } });
      for (const q of [word, 'hearth story', 'april 2022', description])
        assert.deepEqual(await listIds(user, `/v1/search?q=${encodeURIComponent(q)}`), [id], q);
      assert.deepEqual(await listIds(user, `/v1/search?q=${drawWord()}`), []);
    },
  },
  {
    name: 'a job reprocesses all photos',
    play: async ({ createUser }) => {
      const user = await createUser();
      const ids = [await user.upload(await makePhoto(29, 'a.jpg')), await user.upload(await makePhoto(30, 'b.jpg'))];
      for (const id of ids) await user.waitUntilReady(id);
      const create = { method: 'POST', body: { components: ['PREVIEW_THUMBNAIL'] } };
      const job = JSON.parse((await expectStatus(user.request('/v1/jobs', create), 201, 'a job')).text) as Job;
      const done = await waitFor(
        'the job is COMPLETED',
        async () => {
          const now = await user.requestJson<Job>(`/v1/jobs/${job.id}`);
          return now.status === 'COMPLETED' && now;
        },
        { timeoutMs, everyMs: 250 },
      );
      assert.deepEqual(done.progress, { total: 2, done: 2, failed: 0 });
    },
  },
  {
    name: 'users cannot access photos of others',
    play: async ({ url, createUser }) => {
      const [owner, other] = [await createUser(), await createUser()];
      const id = await owner.upload(await makePhoto(31, 'private.jpg'));
      assert.deepEqual(await listIds(other, '/v1/mediaItems'), []);
      const path = `/v1/mediaItems/${id}`;
      const refused = await expectError(other.request(path), 404, 'NOT_FOUND', 'a photo of another user');
      const unknown = await other.request(`/v1/mediaItems/${crypto.randomUUID()}`);
      assert.equal(getMessage(refused), getMessage(unknown));
      await expectStatus(other.request(path, { method: 'DELETE' }), 404, 'deleting a photo of another user');
      await expectStatus(send(url, path), 401, 'a photo without a token');
      await expectStatus(owner.request(path), 200, 'the photo to its owner');
    },
  },
];
