import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { originalKey } from '@hearth/core/objects/keys.ts';
import type { MediaItemJob } from '@hearth/core/config/pipeline.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { fileUpload, multipart } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
after(() => api.stop());

const small = await makeNextPhoto();
const mp4 = Buffer.concat([Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'), Buffer.alloc(100)]);
const dvSubcode = Buffer.concat([Buffer.from('3f0700', 'hex'), Buffer.alloc(77, 0xff)]);
const xmp = '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>';

test('detects the file type by content, not by name', async () => {
  const { call } = await api.signUp();
  for (const [content, name, mimeType, type] of [
    [await makeNextPhoto(), 'notes.txt', 'image/jpeg', 'PHOTO'],
    [await makeTestPhoto({ seed: 1, format: 'png' }), 'a.jpg', 'image/png', 'PHOTO'],
    [await makeTestPhoto({ seed: 1, format: 'webp' }), 'a', 'image/webp', 'PHOTO'],
    [mp4, 'a.jpg', 'video/mp4', 'VIDEO'],
    [Buffer.from('000001ba44000400040101f8', 'hex'), 'a.mpg', 'video/mp2p', 'VIDEO'],
    [
      Buffer.concat([Buffer.from('1f07003f', 'hex'), Buffer.alloc(76, 0xff), dvSubcode]),
      'tape.dv',
      'video/dv',
      'VIDEO',
    ],
    [Buffer.concat([Buffer.from('1f0700bf', 'hex'), Buffer.alloc(76, 0xff), dvSubcode]), 'tape', 'video/dv', 'VIDEO'],
    [
      Buffer.concat([Buffer.from('060e2b34020501010d01020101020400', 'hex'), Buffer.alloc(100)]),
      'a.mxf',
      'video/mxf',
      'VIDEO',
    ],
    [Buffer.from('GIF89a,,,,,,,,'), 'a.jpg', 'image/gif', 'PHOTO'],
    // A TIFF whose directory follows its pixels, and a PNG with a large colour profile before them.
    [Buffer.concat([Buffer.from('49492a0000000200', 'hex'), Buffer.alloc(200_000)]), 'a.tif', 'image/tiff', 'PHOTO'],
    [
      Buffer.concat([
        Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489000200006943435000', 'hex'),
        Buffer.alloc(200_000),
      ]),
      'a.png',
      'image/png',
      'PHOTO',
    ],
  ] as const) {
    const { body } = await call('uploadMediaItem', fileUpload(content, name));
    const item = (await call('getMediaItem', { params: { id: body.id } })).body;
    assert.deepEqual([item.mimeType, item.mediaItemType, item.filename], [mimeType, type, name]);
    assert.deepEqual((await fetchLink(api.url, item.sourceUrl)).bytes, content);
  }
});

for (const [name, content, filename] of [
  ['text', 'I am a photo', 'photo.jpg'],
  ['an empty file', '', 'empty.jpg'],
  ['an XMP sidecar', xmp, 'photo.jpg.xmp'],
  ['XML', '<?xml version="1.0"?><svg/>', 'a.svg'],
  ['a PDF', '%PDF-1.7\n', 'a.pdf'],
  ['sound', Buffer.from('ID3\u0003\0\0\0\0\0\0'), 'a.mp3'],
  ['a ZIP', Buffer.from('PK\u0003\u0004'), 'a.zip'],
  ['the start of a JPEG marker', Buffer.from([0xff, 0xd8]), 'a.jpg'],
  ['100,000 zeros', Buffer.alloc(100_000), 'a.jpg'],
  ['a text that starts like a bitmap', 'BM as a matter of fact, no bitmap', 'a.bmp'],
  ['a DV header without a subcode', Buffer.concat([Buffer.from('1f07003f', 'hex'), Buffer.alloc(300)]), 'a.dv'],
  ['an icon', Buffer.from('000001000100101000000100200068040000', 'hex'), 'a.ico'],
] as const) {
  test(`rejects ${name} as neither photo nor video, and stores nothing`, async () => {
    const user = await api.signUp();
    const { status, error } = await user.call('uploadMediaItem', fileUpload(content, filename));
    assert.deepEqual([status, error.code], [400, 'NOT_MEDIA']);
    assert.ok(!(await api.listKeys()).some((key) => key.startsWith(user.id)));
  });
}

for (const [given, kept] of [
  ['Am Meer 🏖️ 写真.jpg', 'Am Meer 🏖️ 写真.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\\\fotos\\\\a.jpg', 'a.jpg'],
  ['a\0b.jpg', 'ab.jpg'],
  ['', 'upload.jpg'],
  ['..', 'upload.jpg'],
  ['/', 'upload.jpg'],
  [`${'x'.repeat(996)}.jpg`, `${'x'.repeat(251)}.jpg`],
  ['<script>alert(1)</script>.jpg', 'script>.jpg'],
] as const) {
  test(`stores the filename ${JSON.stringify(given.slice(0, 30))} as ${kept.slice(0, 30)}, with a working link`, async () => {
    const { call } = await api.signUp();
    const { body } = await call('uploadMediaItem', fileUpload(small, given));
    const item = (await call('getMediaItem', { params: { id: body.id } })).body;
    assert.equal(item.filename, kept);
    assert.equal((await fetchLink(api.url, item.sourceUrl)).status, 200);
  });
}

test('returns the existing item for the same bytes and stores nothing new', async () => {
  const user = await api.signUp();
  const first = await user.call('uploadMediaItem', fileUpload(small, 'a.jpg'));
  const second = await user.call(
    'uploadMediaItem',
    multipart([
      { name: 'description', content: 'other words' },
      { name: 'file', filename: 'b.jpg', content: small },
    ]),
  );
  assert.deepEqual([first.status, second.status], [201, 200]);
  assert.equal(second.body.id, first.body.id);
  assert.equal(second.headers.get('location'), `/v1/mediaItems/${first.body.id}`);
  const item = (await user.call('getMediaItem', { params: { id: first.body.id } })).body;
  assert.deepEqual([item.filename, item.description], ['a.jpg', undefined]);
  assert.deepEqual(
    (await api.listKeys()).filter((key) => key.startsWith(user.id)),
    [`${user.id}/${first.body.id}/original`],
  );
});

test('creates one item for ten concurrent uploads of the same bytes', async () => {
  const user = await api.signUp();
  const photo = await makeNextPhoto();
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => user.call('uploadMediaItem', fileUpload(photo))),
  );
  assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  assert.equal(responses.filter(({ status }) => status === 200).length, 9);
  assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1);
  assert.equal((await user.call('listMediaItems')).headers.get('x-total-count'), '1');
  assert.equal((await api.listKeys()).filter((key) => key.startsWith(user.id)).length, 1);
});

test('restores a duplicate from the trash', async () => {
  const { call } = await api.signUp();
  const { body } = await call('uploadMediaItem', fileUpload(small));
  await call('deleteMediaItem', { params: { id: body.id } });
  assert.equal((await call('uploadMediaItem', fileUpload(small))).status, 200);
  assert.equal((await call('getMediaItem', { params: { id: body.id } })).body.deleted, false);
});

test('uses the upload time if no other time is known', async () => {
  const { call, uploadPhoto } = await api.signUp();
  const before = new Date();
  const { creationTime, createdAt } = (await call('getMediaItem', { params: { id: await uploadPhoto() } })).body;
  assert.ok(new Date(creationTime) >= before && new Date(creationTime) <= new Date());
  assert.ok(Math.abs(Date.parse(createdAt) - Date.parse(creationTime)) < 60_000);
});

test('enqueues a new item in its pool with the id of the request', async () => {
  const { call } = await api.signUp();
  const upload = fileUpload(await makeNextPhoto());
  const headers = { ...upload.headers, 'x-request-id': 'the-upload' };
  const { id } = (await call('uploadMediaItem', { ...upload, headers })).body;
  const found = Promise.withResolvers<MediaItemJob>();
  const handle = async (job: MediaItemJob): Promise<void> => {
    if (job.mediaItemId === id) found.resolve(job);
  };
  const consumer = api.deps.queues.consume({ pool: 'media', concurrency: 10, name: 'test', handle });
  assert.deepEqual(await found.promise, { mediaItemId: id, requestId: 'the-upload' });
  assert.equal(await api.deps.queues.depth('transcode'), 0, 'in no other pool');
  await consumer.close(10_000);
});

test('restores the lost original of an item that is uploaded again', async () => {
  const { id: userId, call } = await api.signUp();
  const content = await makeNextPhoto();
  const { id } = (await call('uploadMediaItem', fileUpload(content, 'a.jpg'))).body;
  const item = (await call('getMediaItem', { params: { id } })).body;
  await api.deps.objects.remove([originalKey(userId, id)]);
  assert.equal((await call('uploadMediaItem', fileUpload(content, 'a.jpg'))).body.id, id);
  assert.deepEqual((await fetchLink(api.url, item.sourceUrl)).bytes, content);
});
