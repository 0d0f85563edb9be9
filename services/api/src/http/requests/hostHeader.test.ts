import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { renderItem } from '@hearth/testkit/api/renderItem.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { tus } from '@hearth/testkit/api/uploads.ts';

const webDirectory = await mkdtemp(join(tmpdir(), 'hearth-host-test-'));
await writeFile(join(webDirectory, 'index.html'), '<html><head><title>Hearth</title></head><body></body></html>');
// Trusts a local proxy, so that Express uses its X-Forwarded-Host.
const api = await startTestApi({ config: { webDirectory, trustedProxies: ['loopback'] } });
after(async () => {
  await api.stop();
  await rm(webDirectory, { recursive: true });
});

const forgedHost = 'evil.example';

/** Sends a request with a forged host in every header that can contain one. */
const send = async (path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) => {
  const sent = request(`${api.url}${path}`, {
    method,
    headers: {
      host: forgedHost,
      'x-forwarded-host': forgedHost,
      'x-forwarded-proto': 'https',
      forwarded: `host=${forgedHost};proto=https`,
      origin: `https://${forgedHost}`,
      referer: `https://${forgedHost}/`,
      ...headers,
    },
  });
  sent.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  return { status: response.statusCode, headers: response.rawHeaders.join('\n'), body: await text(response) };
};

test('no response repeats the requested host in headers or body', async () => {
  const user = await api.signUp();
  const item = await user.uploadPhoto();
  await user.uploadPhoto();
  await renderItem(api, user.id, item);
  const { id, shareId } = (
    await user.call('createAlbum', { body: { name: 'Summer', shared: true, coverMediaItemId: item } })
  ).body;
  const authorization = { authorization: `Bearer ${user.token}` };
  const requests: readonly (readonly [string, string?, Readonly<Record<string, string>>?])[] = [
    [`/s/${shareId}`, 'GET', { accept: 'text/html' }],
    ['/', 'GET', { accept: 'text/html' }],
    [`/v1/sharing/${shareId}`],
    [`/v1/sharing/${shareId}/mediaItems?limit=1`],
    ['/v1/mediaItems?limit=1', 'GET', authorization],
    [`/v1/mediaItems/${item}`, 'GET', authorization],
    ['/v1/timeline/2022-04/grid', 'GET', authorization],
    [`/v1/albums/${id}`, 'GET', authorization],
    ['/v1/uploads', 'POST', { ...authorization, ...tus, 'upload-length': '10' }],
    ['/v1/uploads', 'OPTIONS'],
    ['/v1/mediaItems', 'OPTIONS', { 'access-control-request-method': 'POST' }],
    ['/openapi.json'],
    ['/v1/nothing'],
    ['//v1/mediaItems'],
  ];
  for (const [path, method, headers] of requests) {
    const response = await send(path, method, headers);
    const about = `${method ?? 'GET'} ${path} ${response.status}`;
    assert.ok(!`${response.headers}\n${response.body}`.includes(forgedHost), about);
    assert.doesNotMatch(response.headers, /^access-control-allow-/im, about);
  }
  const page = await send(`/s/${shareId}`, 'GET', { accept: 'text/html' });
  assert.match(page.body, /og:title" content="Summer"/);
  assert.doesNotMatch(page.body, /og:image/, 'no image link without a public URL');
  const upload = await send('/v1/uploads', 'POST', { ...authorization, ...tus, 'upload-length': '10' });
  assert.match(upload.headers, /^location\n\/v1\/uploads\//im);
});
