import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { createLog } from '../../log/log.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { LinkedObject } from '../objects.ts';
import { openS3Store } from './s3Store.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';
import { toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

const bytes = makeTestBytes(1, 1000);
const log = createLog('test', 'error');
const hourMs = 60 * 60 * 1000;

const object: LinkedObject = {
  key: 'u/m/original',
  contentType: 'image/jpeg',
  contentDisposition: `inline; filename*=UTF-8''Am%20Meer%20%281%29%20it%27s%21.jpg`,
  // Links have a resolution of whole seconds.
  signedAt: new Date(Math.floor((Date.now() - 12 * hourMs) / 1000) * 1000),
  validSeconds: 48 * 60 * 60,
};

suite('links to an S3 store', { skip: missingTool('versitygw') }, async () => {
  const s3 = await startTestS3();
  // The same store with another host name and port, as behind a proxy.
  const proxy = await startTcpProxy();
  const publicUrl = `http://localhost:${new URL(proxy.setTarget(s3.endpoint)).port}`;
  after(async () => {
    await proxy.cut();
    await s3.stop();
  });

  test('returns the bytes to anyone, with the given headers, cacheable until the link expires', async () => {
    await using testBucket = await makeBucket(s3, { publicUrl });
    await testBucket.store.put(object.key, toStream(bytes));
    const link = testBucket.store.link(object) ?? '';
    assert.ok(link.startsWith(`${publicUrl}/${testBucket.settings.bucket}/u/m/original?`));
    const { status, headers, body } = await fetchLink(link);
    assert.equal(status, 200);
    assert.deepEqual(body, bytes);
    assert.equal(headers.get('content-type'), 'image/jpeg');
    assert.equal(headers.get('content-disposition'), object.contentDisposition);
    assert.equal(headers.get('accept-ranges'), 'bytes');
    assert.equal(headers.get('cache-control'), 'private, immutable');
    const expiresAt = object.signedAt.getTime() + object.validSeconds * 1000;
    assert.equal(Date.parse(headers.get('expires') ?? ''), expiresAt);
    const etag = headers.get('etag') ?? '';
    assert.equal((await fetchLink(link, { 'if-none-match': etag })).status, 304);
    const range = await fetchLink(link, { range: 'bytes=10-19' });
    assert.deepEqual([range.status, range.headers.get('content-range')], [206, 'bytes 10-19/1000']);
    assert.deepEqual(range.body, bytes.subarray(10, 20));
  });

  test('creates equal links for equal objects in every process', async () => {
    await using testBucket = await makeBucket(s3, { publicUrl });
    const link = testBucket.store.link(object);
    assert.equal(openS3Store(testBucket.settings, log).link({ ...object }), link);
    const program = `
      import { openS3Store } from ${JSON.stringify(import.meta.resolve('./s3Store.ts'))};
      const [settings, object] = JSON.parse(process.argv[1]);
      const store = openS3Store(settings, console);
      process.stdout.write(store.link({ ...object, signedAt: new Date(object.signedAt) }));`;
    const args = ['--input-type=module', '--eval', program, JSON.stringify([testBucket.settings, object])];
    assert.equal(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout, link);
    for (const change of [
      { signedAt: new Date() },
      { validSeconds: 1 },
      { contentType: 'image/webp' },
      { key: 'u/n' },
    ]) {
      assert.notEqual(testBucket.store.link({ ...object, ...change }), link);
    }
  });

  test('rejects a link that was modified or has expired', async () => {
    await using testBucket = await makeBucket(s3, { publicUrl });
    for (const key of [object.key, 'u/m/thumbnail-1.webp']) await testBucket.store.put(key, toStream(bytes));
    const link = testBucket.store.link(object) ?? '';
    const names = [...new URL(link).searchParams.keys()];
    assert.equal(names.length, 10);
    const changes: ((url: URL) => void)[] = [
      ...names.flatMap((name) => [
        (url: URL) => url.searchParams.delete(name),
        (url: URL) => url.searchParams.set(name, `${url.searchParams.get(name)}0`),
      ]),
      (url) => url.searchParams.set('X-Amz-Expires', '172801'),
      (url) => url.searchParams.set('response-content-type', 'text/html'),
      (url) => url.searchParams.append('response-content-language', 'en'),
      (url) => (url.pathname = url.pathname.replace('original', 'thumbnail-1.webp')),
      (url) => (url.pathname = url.pathname.replace('original', 'missing')),
      (url) => (url.host = new URL(s3.endpoint).host),
      (url) => (url.search = ''),
    ];
    for (const change of changes) {
      const url = new URL(link);
      change(url);
      const { status } = await fetchLink(url.href);
      assert.ok(status === 403 || status === 400, `${status} for ${url.href}`);
    }
    const expired = testBucket.store.link({ ...object, signedAt: new Date(Date.now() - 49 * hourMs) }) ?? '';
    assert.equal((await fetchLink(expired)).status, 403);
    const forged = openS3Store({ ...testBucket.settings, secretKey: 'guessed' }, log).link(object) ?? '';
    assert.equal((await fetchLink(forged)).status, 403);
    assert.equal((await fetchLink(link)).status, 200);
  });

  test('creates no links without a public address', async () => {
    await using testBucket = await makeBucket(s3);
    assert.equal(testBucket.store.link(object), undefined);
  });
});

const fetchLink = async (address: string, headers: Record<string, string> = {}) => {
  // One connection each: servers close a connection after denying access.
  const response = await fetch(address, { headers: { ...headers, connection: 'close' } });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
};
