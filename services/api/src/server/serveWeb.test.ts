import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { exchange } from '@hearth/testkit/api/rawExchange.ts';
import { renderItem } from '@hearth/testkit/api/renderItem.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const page =
  '<!doctype html><html><head><title>Hearth</title></head><body><script src="/assets/main-abc.js"></script></body></html>';
const script = 'console.log("hello");'.repeat(20);

const unbuilt = await startTestApi();
const folder = join(unbuilt.deps.config.dataDirectory, 'built');
await mkdir(join(folder, 'assets'), { recursive: true });
await writeFile(join(unbuilt.deps.config.dataDirectory, 'secret.txt'), 'secret');
for (const [name, content] of [
  ['index.html', page],
  ['sw.js', script],
  ['manifest.webmanifest', '{}'],
  ['.hidden', 'hidden'],
  ['assets/main-abc.js', script],
  ['assets/main-abc.js.br', brotliCompressSync(script)],
  ['assets/main-abc.js.gz', gzipSync(script)],
  ['assets/hash-abc.wasm', ''],
] as const) {
  await writeFile(join(folder, name), content);
}
const config = { webDirectory: folder };
const api = await startTestApi({ sharedWith: unbuilt, config });
after(async () => {
  await api.stop();
  await unbuilt.stop();
});

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = async (path: string, headers: Record<string, string> = {}, url = api.url) => {
  const response = await fetch(`${url}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('serves the page at / and at every path that is not a route, with revalidation', async () => {
  for (const path of ['/', '/photos/2022-04', '/albums/x?y=z', '/welcome', '/people/Zo%C3%AB', '/v10']) {
    const response = await get(path, html);
    assert.deepEqual([response.status, response.text], [200, page], path);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/i);
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    // A raw request, because `fetch` disables caching when given If-None-Match.
    const lines = [
      'host: x',
      'connection: close',
      'accept: text/html',
      `if-none-match: ${response.headers.get('etag')}`,
    ];
    const [again] = await exchange(api.port, `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    assert.equal(again?.status, 304);
  }
  assert.equal((await get('/')).text, page);
});

test('returns errors as JSON to programs, for API paths and for missing files', async () => {
  for (const [path, headers] of [
    ['/photos', {}],
    ['/photos', { accept: 'application/json' }],
    ['/v1', html],
    ['/v1/nothing', html],
    ['//v1/albums', html],
    ['/V1/nothing', html],
    ['/assets/gone.js', html],
    ['/assets/', html],
    ['/%zz', html],
    ['/%c3%28', html],
  ] as const) {
    const { status, text } = await get(path, headers);
    assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [404, 'NOT_FOUND'], path);
  }
  const posted = await fetch(`${api.url}/photos`, { method: 'POST', headers: html });
  assert.equal(posted.status, 404);
  const asterisk = 'GET * HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept: text/html\r\n\r\n';
  assert.equal((await exchange(api.port, asterisk))[0]?.status, 404);
  for (const path of ['/openapi.json', '/version', '/livez']) assert.match((await get(path, html)).text, /^\{/, path);
});

test('lets hashed files be cached forever and all others be revalidated', async () => {
  for (const [path, type, kept] of [
    ['/assets/main-abc.js', /javascript/, true],
    ['/assets/hash-abc.wasm', /application\/wasm/, true],
    ['/sw.js', /javascript/, false],
    ['/manifest.webmanifest', /application\/manifest\+json/, false],
    ['/index.html', /html/, false],
  ] as const) {
    const { status, headers } = await get(path);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', type);
    assert.equal(headers.get('cache-control'), kept ? 'public, max-age=31536000, immutable' : 'no-cache', path);
  }
});

test('serves precompressed files, Brotli before gzip', async () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const { headers, text } = await get('/assets/main-abc.js', { 'accept-encoding': accepted });
    assert.deepEqual([headers.get('content-encoding'), text], [encoding, script]);
    assert.match(headers.get('vary') ?? '', /Accept-Encoding/i);
    assert.match(headers.get('content-type') ?? '', /javascript/);
  }
});

test('restricts scripts, resources and connections to the origin of the web app', async () => {
  for (const path of ['/', '/index.html', '/assets/main-abc.js', '/sw.js']) {
    const { headers } = await get(path, html);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; " +
        "connect-src 'self'; font-src 'self'; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
        "form-action 'self'; require-trusted-types-for 'script'; trusted-types hearth",
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\).*geolocation=\(\)/);
  }
});

test('allows pictures and tiles from the store and the tile server if configured', async () => {
  const mapTilesUrl = 'https://tiles.example.org/{z}/{x}/{y}.png';
  const server = await startTestApi({
    sharedWith: unbuilt,
    config: { ...config, mapTilesUrl, s3PublicUrl: 'https://files.example.org/bucket', s3DirectLinks: true },
  });
  const policy = (await get('/', html, server.url)).headers.get('content-security-policy') ?? '';
  const { body } = await server.call('getWebConfig');
  await server.stop();
  assert.match(policy, /img-src 'self' blob: data: https:\/\/files\.example\.org https:\/\/tiles\.example\.org;/);
  assert.match(policy, /connect-src 'self' https:\/\/files\.example\.org https:\/\/tiles\.example\.org;/);
  assert.match(policy, /media-src 'self' blob: https:\/\/files\.example\.org;/);
  const { maxUploadBytes, trashDays } = api.deps.config;
  assert.deepEqual([body.mapTilesUrl, body.maxUploadBytes, body.trashDays], [mapTilesUrl, maxUploadBytes, trashDays]);
});

test('serves no files outside the folder and no hidden files', async () => {
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '//secret.txt',
    '/.hidden',
    '/index.html%00.js',
    '/assets/%00',
  ]) {
    const [response] = await exchange(api.port, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    assert.equal(response?.status, 404, path);
    assert.doesNotMatch(response.bytes.toString(), /^(?:secret|hidden)/);
  }
});

test('serves only the API without a built web app', async () => {
  for (const path of ['/', '/photos', `/s/${randomUUID()}`]) {
    const { status, text } = await get(path, html, unbuilt.url);
    assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [404, 'NOT_FOUND'], path);
  }
});

/** Creates an album with one photo. */
const shareAlbum = async (name: string, shared = true) => {
  const user = await api.signUp();
  const item = await user.uploadPhoto();
  await renderItem(api, user.id, item);
  const { id, shareId } = (await user.call('createAlbum', { body: { name, shared } })).body;
  await user.call('addToAlbum', { params: { id }, body: { mediaItems: [item] } });
  return { user, albumId: id, shareId: shareId ?? id };
};

test('puts the name and cover of a shared album into its page, for link previews', async (t) => {
  const { albumId, shareId } = await shareAlbum('Summer in Lisbon');
  const publicUrl = 'https://photos.example/hearth';
  const behindProxy = await startTestApi({ sharedWith: api, config: { publicUrl } });
  t.after(() => behindProxy.stop());
  const response = await fetch(`${behindProxy.url}/s/${shareId}`, { headers: html });
  const { status, headers } = response;
  const text = await response.text();
  assert.equal(status, 200);
  assert.match(text, /<title>Summer in Lisbon<\/title>/);
  assert.match(text, /<meta property="og:title" content="Summer in Lisbon">/);
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.equal(headers.get('cache-control'), 'no-store');
  const image = /<meta property="og:image" content="([^"]+)">/.exec(text)![1]!.replaceAll('&#38;', '&');
  assert.ok(image.startsWith(`${publicUrl}/v1/sharing/${shareId}/files/`), image);
  const link = image.slice(publicUrl.length);
  assert.equal((await fetchLink(api.url, link)).headers.get('content-type'), 'image/jpeg');
  assert.ok(!text.includes(albumId));
  assert.doesNotMatch((await get(`/s/${albumId}`, html)).text, /Lisbon/);
});

test('serves the same page for an album that is not shared and one that never existed, also to repeated guesses', async () => {
  const { albumId: id } = await shareAlbum('A secret surprise', false);
  const { user, albumId, shareId: closed } = await shareAlbum('Closed again');
  await user.call('updateAlbum', { params: { id: albumId }, body: { shared: false } });
  const expected = await get(`/s/${randomUUID()}`, html);
  assert.equal(expected.status, 200);
  assert.match(expected.text, /<meta property="og:title" content="Hearth">/);
  assert.doesNotMatch(expected.text, /og:image/);
  for (const each of [id, closed, 'no-uuid', randomUUID(), ...Array.from({ length: 25 }, () => randomUUID())]) {
    const { status, text } = await get(`/s/${each}`, html);
    assert.deepEqual([status, text], [200, expected.text], each);
  }
  // Guesses count here as in the API.
  assert.equal((await api.call('getSharedAlbum', { params: { id: randomUUID() } })).status, 429);
  await clearLoginAttempts(api);
});

test('escapes album names in HTML', async () => {
  for (const name of [
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    '</title><script>',
    '$& $` $1 &amp;',
  ]) {
    const { shareId: id } = await shareAlbum(name);
    const { text } = await get(`/s/${id}`, { ...html });
    const [, inTitle] = /<title>([^<]*)<\/title>/.exec(text) ?? [];
    const unescaped = inTitle?.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    assert.equal(unescaped, name);
    assert.equal(text.split('<script').length, 2, 'only the script of the page');
    assert.ok(!text.includes('<img'));
  }
});
