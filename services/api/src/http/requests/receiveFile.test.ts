import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boundary, fileUpload, multipart, multipartType, partHead, type Part } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
const { call } = await api.signUp();
after(() => api.stop());

const photo = await makeNextPhoto();
const file: Part = { name: 'file', filename: 'a.jpg', content: photo };
const end = `\r\n--${boundary}--\r\n`;

const upload = async (raw: Buffer | string, type = multipartType) =>
  call('uploadMediaItem', { raw, headers: { 'content-type': type } });

/** Asserts that the upload is rejected with this code and leaves nothing in the store. */
const assertRejected = async (raw: Buffer | string, code: string, path?: string, type?: string) => {
  const { error } = await upload(raw, type);
  assert.equal(error.code, code, error.message);
  if (path !== undefined) assert.equal(error.errors?.[0]?.path, path);
  assert.deepEqual(await api.listKeys(), []);
  assert.deepEqual((await call('listMediaItems')).body, []);
};

const rejectedParts: readonly [name: string, parts: Part[], path: string][] = [
  ['without a file', [{ name: 'description', content: 'x' }], 'body.file'],
  ['without any part', [], 'body.file'],
  ['with the file under another name', [{ ...file, name: 'photo' }], 'body.photo'],
  ['with a file part without a name', [{ ...file, name: '' }], 'body.'],
  ['with two files', [file, file], 'body.file'],
  ['with a file and another one under another name', [file, { ...file, name: 'motion' }], 'body.file'],
  ['with a field after the file', [file, { name: 'description', content: 'x' }], 'body.description'],
  ['with an unknown field', [{ name: 'rating', content: '5' }, file], 'body'],
  ['with a field called __proto__', [{ name: '__proto__', content: 'x' }, file], 'body'],
  [
    'with a field twice',
    [{ name: 'description', content: 'x' }, { name: 'description', content: 'y' }, file],
    'body.description',
  ],
  ['with an invalid time', [{ name: 'creationTime', content: 'yesterday' }, file], 'body.creationTime'],
  ['with a time without a zone', [{ name: 'creationTime', content: '2022-04-03T12:56:11' }, file], 'body.creationTime'],
  ['with a nonexistent day', [{ name: 'creationTime', content: '2022-02-30T00:00:00Z' }, file], 'body.creationTime'],
  [
    'with a time before photography',
    [{ name: 'creationTime', content: '0001-01-01T00:00:00Z' }, file],
    'body.creationTime',
  ],
  ['with an empty time', [{ name: 'creationTime', content: '' }, file], 'body.creationTime'],
  [
    'with a description that is too long',
    [{ name: 'description', content: 'x'.repeat(4_097) }, file],
    'body.description',
  ],
  ['with NUL in the description', [{ name: 'description', content: 'a\0b' }, file], 'body.description'],
];

for (const [name, parts, path] of rejectedParts) {
  test(`rejects an upload ${name}`, () => assertRejected(multipart(parts).raw, 'VALIDATION_FAILED', path));
}

test('rejects an upload with too many parts or a too long field', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ name: `f${index}`, content: 'x' }));
  await assertRejected(multipart([...many, file]).raw, 'VALIDATION_FAILED');
  await assertRejected(
    multipart([{ name: 'description', content: 'x'.repeat(33_000) }, file]).raw,
    'PAYLOAD_TOO_LARGE',
  );
});

test('rejects an upload that is not multipart/form-data', async () => {
  for (const type of ['application/json', 'image/jpeg', 'multipart/mixed; boundary=x', 'nonsense']) {
    await assertRejected(photo, 'UNSUPPORTED_MEDIA_TYPE', undefined, type);
  }
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
  ]) {
    await assertRejected(fileUpload(photo).raw, 'MALFORMED_REQUEST', undefined, type);
  }
});

const whole = fileUpload(photo).raw;
const head = partHead(file);

const malformed: readonly [string, Buffer | string][] = [
  ['that is empty', ''],
  ['with another boundary', whole.toString('latin1').replaceAll(boundary, 'another')],
  ['cut off in the file', whole.subarray(0, whole.length - 200)],
  ['cut off before the last boundary', whole.subarray(0, whole.length - boundary.length - 8)],
  ['cut off in the last boundary', whole.subarray(0, whole.length - 4)],
  ['cut off in the header of the part', head.slice(0, 60)],
  ['cut off after the header of the part', head],
  ['without the line break before the boundary', Buffer.concat([Buffer.from(head), photo, Buffer.from(end.slice(2))])],
];

for (const [name, raw] of malformed) {
  test(`rejects a multipart body ${name}`, () => assertRejected(raw, 'MALFORMED_REQUEST'));
}

test('ignores parts without a usable header', async () => {
  const odd = [
    `--${boundary}\r\n\r\nwithout any header`,
    `--${boundary}\r\nContent-Disposition: attachment; name="a"\r\n\r\nx`,
  ];
  await assertRejected(`${odd.join('\r\n')}${end}`, 'VALIDATION_FAILED', 'body.file');
});

test('accepts fields before the file, a preamble, an epilogue and line breaks in fields', async () => {
  const parts = [
    { name: 'creationTime', content: '2022-04-03T12:56:11.5+05:30' },
    { name: 'description', content: 'Zeile 1\r\nZeile 2 🏖️' },
    { ...file, type: 'application/octet-stream' },
  ];
  const raw = Buffer.concat([Buffer.from('a preamble\r\n'), multipart(parts).raw, Buffer.from('an epilogue\r\n')]);
  const { status, body, headers } = await upload(raw);
  assert.equal(status, 201);
  assert.equal(headers.get('location'), `/v1/mediaItems/${body.id}`);
  const item = (await call('getMediaItem', { params: { id: body.id } })).body;
  assert.deepEqual([item.description, item.creationTime], ['Zeile 1\r\nZeile 2 🏖️', '2022-04-03T07:26:11.500Z']);
});

test('treats an empty description as none', async () => {
  const parts = [
    { name: 'description', content: '' },
    { ...file, content: await makeNextPhoto() },
  ];
  const { body } = await upload(multipart(parts).raw);
  assert.ok(!('description' in (await call('getMediaItem', { params: { id: body.id } })).body));
});

test('stores a file that contains most of a boundary unchanged', async () => {
  const tricky = Buffer.concat([
    await makeNextPhoto(),
    Buffer.from(`\r\n--${boundary.slice(0, -1)}\r\n--\r\n\r\n`),
    Buffer.alloc(300_000),
  ]);
  const { body } = await upload(fileUpload(tricky).raw);
  assert.equal((await call('getMediaItem', { params: { id: body.id } })).body.sizeBytes, tricky.length);
});
