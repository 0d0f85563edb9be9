import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { routes } from '@hearth/contract/routes.ts';
import { boundary, multipart, multipartType } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
const ada = await api.signUp();
after(() => api.stop());

const json = { 'content-type': 'application/json' };
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const listPaths = ({ errors = [] }: ErrorBody): string[] => errors.map(({ path }) => path);

test('rejects JSON text that is not valid UTF-8', async () => {
  const { id } = (await ada.call('createAlbum', { body: { name: 'Sea' } })).body;
  for (const [raw, path] of [
    [latin1('{"name":"Caf\xe9"}'), 'body'],
    [latin1('{"name":"\xed\xa0\x80"}'), 'body'],
    ['{"name":"\\ud800"}', 'body.name'],
    ['{"name":"a\\udc00b"}', 'body.name'],
    ['{"description":"\\ud83d"}', 'body.description'],
  ] as const) {
    const { status, error } = await ada.call('updateAlbum', { params: { id }, raw, headers: json });
    assert.deepEqual([status, listPaths(error)], [400, [path]], String(raw));
  }
  const { body } = await ada.call('getAlbum', { params: { id } });
  assert.deepEqual([body.name, body.description], ['Sea', undefined]);
});

test('accepts U+FFFD as an ordinary character', async () => {
  const { id } = (await ada.call('createAlbum', { body: { name: 'Caf\ufffd' } })).body;
  assert.equal((await ada.call('getAlbum', { params: { id } })).body.name, 'Caf\ufffd');
  const file = { name: 'file', filename: 'Caf\ufffd.jpg', content: await makeNextPhoto() };
  const uploaded = (await ada.call('uploadMediaItem', multipart([{ name: 'description', content: '\ufffd' }, file])))
    .body;
  const item = (await ada.call('getMediaItem', { params: { id: uploaded.id } })).body;
  assert.deepEqual([item.filename, item.description], ['Caf\ufffd.jpg', '\ufffd']);
});

const get = async (path: string) => fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${ada.token}` } });

const head = (lines: string): string => `--${boundary}\r\n${lines}\r\n\r\n`;
const asFile = 'Content-Disposition: form-data; name="file"; filename=';

for (const [name, lines, code, path] of [
  ['a text part', `${head('Content-Disposition: form-data; name="description"')}Caf\xe9`, 400, 'body.description'],
  [
    'a text part declared as UTF-8',
    `${head('Content-Disposition: form-data; name="description"\r\nContent-Type: text/plain; charset=utf-8')}Caf\xe9`,
    400,
    'body.description',
  ],
  [
    'a text part of another charset',
    `${head('Content-Disposition: form-data; name="description"\r\nContent-Type: text/plain; charset=latin1')}Caf\xe9`,
    415,
    undefined,
  ],
  ['the name of a part', `${head('Content-Disposition: form-data; name="d\xe9scription"')}x`, 400, 'body'],
  ['the name of the file', head(`${asFile}"Caf\xe9.jpg"`), 400, 'body'],
  ['the name of the file without quotes', head(`${asFile}Caf\xe9.jpg`), 400, 'body'],
  [
    'the name of the file in percent-encoding',
    head(`Content-Disposition: form-data; name="file"; filename*=UTF-8''Caf%e9.jpg`),
    400,
    'body',
  ],
] as const) {
  test(`rejects ${name} that is not valid UTF-8, and stores nothing`, async () => {
    const before = await api.listKeys();
    const photo = await makeNextPhoto();
    const file = lines.includes('name="file"') ? '' : `\r\n${head(`${asFile}"a.jpg"`)}`;
    const raw = Buffer.concat([latin1(lines), latin1(file), photo, latin1(`\r\n--${boundary}--\r\n`)]);
    const { status, error } = await ada.call('uploadMediaItem', { raw, headers: { 'content-type': multipartType } });
    assert.deepEqual([status, error.errors?.[0]?.path], [code, path]);
    assert.deepEqual(await api.listKeys(), before);
  });
}

test('rejects query values that are not valid UTF-8 by name, on every route', async () => {
  for (const [name, { query, path, auth, method }] of Object.entries(routes).map(
    ([key, route]) => [key, { query: undefined, ...route }] as const,
  )) {
    if (query === undefined || auth !== 'bearer' || method !== 'get') continue;
    for (const key of Object.keys(query.shape)) {
      const address = path
        .replaceAll(/\{id\}/g, ada.id)
        .replaceAll('{monthDate}', '0101')
        .replaceAll('{month}', '2022-01');
      for (const value of ['%ff', 'a%c3%28', '%ed%a0%80']) {
        const response = await get(`${address}?${key}=${value}`);
        assert.equal(response.status, 400, `${name} ${key}=${value}`);
        const paths = listPaths((await response.json()) as ErrorBody);
        assert.ok(paths.includes(`query.${key}`), `${name} ${key}=${value}: ${paths.join()}`);
      }
    }
  }
  assert.equal((await get('/v1/search?q=Caf%e9')).status, 400);
  assert.equal((await get('/v1/search?q=Caf%c3%a9+%f0%9f%8f%96')).status, 200);
  assert.equal((await get('/v1/search?q=100%')).status, 200, 'a single percent sign is literal');
  assert.equal((await get('/v1/search?q=x&campaign=%ff')).status, 200, 'unknown names are ignored');
});

test('rejects a base64 header whose text is not valid UTF-8', async () => {
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': '10',
    'upload-metadata': `filename ${latin1('Caf\xe9.jpg').toString('base64')}`,
  };
  const { status, error } = await ada.call('createUpload', { headers });
  assert.deepEqual([status, listPaths(error)], [400, ['headers.Upload-Metadata.filename']]);
});
