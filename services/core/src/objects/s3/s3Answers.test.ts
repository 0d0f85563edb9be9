import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { after, suite, test } from 'node:test';
import { createLog } from '../../log/log.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { overrideFirst, isUploadCompletion, s3Error, startS3Proxy } from '@hearth/testkit/proxies/s3Proxy.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { StoreError, WrongPartsError } from '../objectErrors.ts';
import { openS3Store } from './s3Store.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';
import { listKeys, read, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

const MiB = 2 ** 20;
const bytes = makeTestBytes(1, 1000);
const log = createLog('test', 'error');
const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

const isAbort = ({ method, url }: IncomingMessage): boolean => method === 'DELETE' && url!.includes('uploadId=');
const isStuck = (request: IncomingMessage): boolean => isAbort(request) && request.url!.includes('/u/stuck/');
const isRemoval = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url!.endsWith('?delete');

suite('responses that S3 allows and the test servers never send', { skip: missingTool('versitygw') }, async () => {
  const s3 = await startTestS3();
  after(() => s3.stop());

  for (const code of ['InternalError', 'SlowDown']) {
    test(`retries a completion whose response of status 200 contains ${code}`, async (t) => {
      await using testBucket = await makeBucket(s3);
      const failOnce = overrideFirst(1, isUploadCompletion, { status: 200, body: `\n \n${s3Error(code)}` });
      const store = openS3Store(
        { ...testBucket.settings, endpoint: await startS3Proxy(t, s3.endpoint, failOnce) },
        log,
      );
      const writeId = await store.beginParts('u/m/a');
      const parts = [{ number: 1, tag: await store.putPart('u/m/a', writeId, { number: 1, offset: 0 }, bytes) }];
      const message = `finish u/m/a: ${code}: For a reason.`;
      await assert.rejects(store.finishParts('u/m/a', writeId, parts), { name: 'StoreError', message });
      assert.equal(await store.finishParts('u/m/a', writeId, parts), bytes.length);
      assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), ['u/m/a']);
    });
  }

  test('throws the error about parts that a response of status 200 contains, and a StoreError without a result', async (t) => {
    await using testBucket = await makeBucket(s3);
    for (const [body, expected] of [
      [s3Error('InvalidPart'), WrongPartsError],
      [s3Error('NoSuchUpload'), StoreError],
      ['', StoreError],
      ['<html>busy</html>', StoreError],
    ] as const) {
      const fail = overrideFirst(1, isUploadCompletion, { status: 200, body });
      const store = openS3Store({ ...testBucket.settings, endpoint: await startS3Proxy(t, s3.endpoint, fail) }, log);
      const writeId = await store.beginParts('u/m/a');
      const parts = [{ number: 1, tag: await store.putPart('u/m/a', writeId, { number: 1, offset: 0 }, bytes) }];
      await assert.rejects(store.finishParts('u/m/a', writeId, parts), expected, body);
      await store.abandonParts('u/m/a', writeId);
    }
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
  });

  test('repeats the abort of an upload until the store has no parts of it', async (t) => {
    await using testBucket = await makeBucket(s3);
    const outlast = overrideFirst(2, isAbort, { status: 204 });
    const store = openS3Store({ ...testBucket.settings, endpoint: await startS3Proxy(t, s3.endpoint, outlast) }, log);
    const writeId = await store.beginParts('u/m/a');
    await store.putPart('u/m/a', writeId, { number: 1, offset: 0 }, bytes);
    await store.abandonParts('u/m/a', writeId);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
  });

  test('leaves an upload that survives all aborts to the sweep, which retries', async (t) => {
    await using testBucket = await makeBucket(s3);
    const outlast = overrideFirst(Infinity, isAbort, { status: 204 });
    const store = openS3Store({ ...testBucket.settings, endpoint: await startS3Proxy(t, s3.endpoint, outlast) }, log);
    const writeId = await store.beginParts('u/m/a');
    await store.putPart('u/m/a', writeId, { number: 1, offset: 0 }, makeTestBytes(2, 5 * MiB));
    const message = 'abandon u/m/a: the upload still exists after 4 aborts';
    await assert.rejects(store.abandonParts('u/m/a', writeId), { name: 'StoreError', message });
    await assert.rejects(store.removeUnfinished(tomorrow()), { name: 'StoreError', message });
    assert.equal((await listBucket(s3, testBucket.settings.bucket)).length, 2);
    assert.equal(await testBucket.store.removeUnfinished(tomorrow()), 1);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
  });

  test('abandons all other uploads if one survives all aborts', async (t) => {
    await using testBucket = await makeBucket(s3);
    const outlast = overrideFirst(Infinity, isStuck, { status: 204 });
    const store = openS3Store({ ...testBucket.settings, endpoint: await startS3Proxy(t, s3.endpoint, outlast) }, log);
    // Notes have no order, so some of these uploads come after the stuck one.
    for (const key of ['u/stuck/a', ...Array.from({ length: 9 }, (_, i) => `u/m${i}/a`)]) await store.beginParts(key);
    await assert.rejects(store.removeUnfinished(tomorrow()), { name: 'StoreError', message: /u\/stuck\/a/ });
    assert.equal(await testBucket.store.removeUnfinished(tomorrow()), 1);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
  });

  for (const [what, body, reason] of [
    ['an error', s3Error('InternalError'), /^remove u\/m\/a: invalid response: .*InternalError/s],
    ['nothing', '', /^remove u\/m\/a: invalid response: $/],
    ['another result', '<html>done</html>', /^remove u\/m\/a: invalid response: <html>/],
    ['a result without them', '<DeleteResult></DeleteResult>', /^remove 2 of 2 objects: u\/m\/a: not confirmed$/],
    [
      'a result with one of them',
      '<DeleteResult><Deleted><Key>u/m/a</Key></Deleted><Error><Key>u/m/b</Key><Code>InternalError</Code><Message>No.</Message></Error></DeleteResult>',
      /^remove 1 of 2 objects: u\/m\/b: InternalError: No\.$/,
    ],
  ] as const) {
    test(`does not count objects as removed if the response is ${what}`, async (t) => {
      await using testBucket = await makeBucket(s3);
      for (const key of ['u/m/a', 'u/m/b']) await testBucket.store.put(key, toStream(bytes));
      const fail = overrideFirst(1, isRemoval, { status: 200, body });
      const store = openS3Store({ ...testBucket.settings, endpoint: await startS3Proxy(t, s3.endpoint, fail) }, log);
      await assert.rejects(store.remove(['u/m/a', 'u/m/b']), { name: 'StoreError', message: reason });
      assert.deepEqual(await read(testBucket.store, 'u/m/b'), bytes);
      await store.remove(['u/m/a', 'u/m/b']);
      assert.deepEqual(await listKeys(testBucket.store), []);
    });
  }
});

test('throws a StoreError with the message of a busy store and reuses its connections', async () => {
  let connections = 0;
  const body =
    '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate</Message></Error>';
  const server = createServer((socket) => {
    connections += 1;
    socket.unref().on('error', () => undefined);
    socket.on('data', () => {
      socket.write(`HTTP/1.1 503 Service Unavailable\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { endpoint, region: 'us-east-1', bucket: 'hearth', accessKey: 'a', secretKey: 'b' };
  const store = openS3Store({ ...settings, publicUrl: undefined, capacityBytes: undefined }, log);
  const message = /503 SlowDown: Please reduce your request rate$/;
  for (let i = 0; i < 5; i++) await assert.rejects(store.open('u/m/a'), { name: 'StoreError', message });
  assert.equal(connections, 1);
  server.close();
});
