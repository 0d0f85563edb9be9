import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, test, type TestContext } from 'node:test';
import { setInterval } from 'node:timers/promises';
import { createLog } from '../../log/log.ts';
import { startCountingProxy } from '@hearth/testkit/proxies/countingProxy.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { startTestS3, type TestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { StoreError } from '../objectErrors.ts';
import type { ObjectStore } from '../objects.ts';
import { openS3Store } from './s3Store.ts';
import { defaultTimeouts } from './s3Transport.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';
import { listKeys, read, sha256, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

const MiB = 2 ** 20;
const bytes = makeTestBytes(1, 1000);
const log = createLog('test', 'error');
const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

const skip = missingTool('versitygw');
const s3: TestS3 | undefined = skip === false ? await startTestS3() : undefined;
after(() => s3?.stop());

/** Runs a test with the S3 server of this file. A test that breaks the server must repair it. */
const testS3 = (name: string, run: (s3: TestS3, t: TestContext) => Promise<void>): void => {
  test(name, { skip }, (t) => run(s3!, t));
};

/** Calls that an unusable store must reject with a `StoreError`. */
const calls: readonly (readonly [what: string, call: (store: ObjectStore, outside: string) => Promise<unknown>])[] = [
  ['put', (store) => store.put('u/m/b', toStream(bytes))],
  ['put many bytes', (store) => store.put('u/m/b', toStream(makeTestBytes(1, 9 * MiB)))],
  ['open', (store) => store.open('u/m/a')],
  ['open a range', (store) => store.open('u/m/a', { first: 0, last: 1 })],
  ['stat', (store) => store.stat('u/m/a')],
  ['file', (store, outside) => store.file('u/m/a', outside)],
  ['remove', (store) => store.remove(['u/m/c'])],
  ['list', (store) => listKeys(store)],
  ['begin parts', (store) => store.beginParts('u/m/b')],
  ['remove unfinished', (store) => store.removeUnfinished(new Date())],
  ['capacity', (store) => store.capacity()],
];

const assertUnusable = async (store: ObjectStore, outside: string, message: RegExp): Promise<void> => {
  for (const [what, call] of calls) await assert.rejects(call(store, outside), { name: 'StoreError', message }, what);
  assert.deepEqual(await readdir(outside), []);
};

/** Returns a body that yields `before` bytes, awaits `then`, and yields the rest of `whole`. */
const bodyWith = (whole: Buffer, before: number, then: () => Promise<void>): Readable =>
  Readable.from(
    (async function* () {
      for (let start = 0; start < before; start += MiB) yield whole.subarray(start, Math.min(start + MiB, before));
      await then();
      yield whole.subarray(before);
    })(),
    { objectMode: false },
  );

testS3('reports wrong credentials in a StoreError', async (s3) => {
  await using testBucket = await makeBucket(s3);
  const start = `create bucket ${testBucket.settings.bucket} at ${s3.endpoint}: `;
  for (const [change, pattern] of [
    [{ secretKey: 'another' }, /signature/i],
    [{ accessKey: 'nobody' }, /access key/i],
  ] as const) {
    const store = openS3Store({ ...testBucket.settings, ...change }, log);
    await assert.rejects(store.prepare(), (error) => {
      assert.ok(error instanceof StoreError && error.message.startsWith(start), String(error));
      // The wording is the server's.
      assert.match(error.message.slice(start.length), pattern);
      return true;
    });
    await assertUnusable(store, testBucket.outside, /signature|access key|AccessDenied/i);
  }
});

testS3('throws a StoreError for every call without the bucket, until prepare creates it', async (s3) => {
  await using testBucket = await makeBucket(s3);
  const settings = { ...testBucket.settings, bucket: `${testBucket.settings.bucket}-2` };
  const store = openS3Store(settings, log);
  await assertUnusable(store, testBucket.outside, /bucket does not exist|NoSuchBucket/);
  const replicas = Array.from({ length: 5 }, () => openS3Store(settings, log));
  await Promise.all(replicas.map((replica) => replica.prepare()));
  await store.prepare();
  await store.put('u/m/a', toStream(bytes));
  assert.deepEqual(await read(store, 'u/m/a'), bytes);
});

testS3('throws a StoreError while the store is unavailable, and reconnects afterwards', async (s3) => {
  const timeouts = { connectMs: 30_000, silenceMs: 5_000 };
  await using testBucket = await makeBucket(s3, {}, { timeouts });
  await testBucket.store.put('u/m/a', toStream(bytes));
  await s3.kill();
  await assertUnusable(testBucket.store, testBucket.outside, /ECONNREFUSED/);
  await s3.restart();
  assert.deepEqual(await read(testBucket.store, 'u/m/a'), bytes);
  await s3.freeze();
  try {
    await Promise.all(
      calls.map(([what, call]) =>
        assert.rejects(
          call(testBucket.store, testBucket.outside),
          { name: 'StoreError', message: /no data from the store for 5 seconds/ },
          what,
        ),
      ),
    );
  } finally {
    // Also after a failure: otherwise the bucket could not be deleted, which would hide the error.
    await s3.thaw();
  }
  assert.deepEqual(await read(testBucket.store, 'u/m/a'), bytes);
});

testS3('throws a StoreError if the store accepts no connection', async (s3) => {
  await using testBucket = await makeBucket(s3);
  // An unreachable address for documentation (RFC 5737).
  const nowhere = { ...testBucket.settings, endpoint: 'http://192.0.2.1:9000' };
  const store = openS3Store(nowhere, log, { timeouts: { connectMs: 200, silenceMs: 60_000 } });
  await assert.rejects(store.capacity(), {
    name: 'StoreError',
    message: /connection timeout after 0.2 seconds|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED/,
  });
});

testS3('finds and removes the unfinished write after the store is killed during a write', async (s3) => {
  await using testBucket = await makeBucket(s3);
  await testBucket.store.put('u/m/a', toStream(bytes));
  const whole = makeTestBytes(2, 40 * MiB);
  const body = bodyWith(whole, 24 * MiB, () => s3.kill());
  await assert.rejects(testBucket.store.put('u/m/a', body), StoreError);
  assert.ok(body.destroyed);
  await s3.restart();
  assert.deepEqual(await listKeys(testBucket.store), ['u/m/a']);
  assert.deepEqual(await read(testBucket.store, 'u/m/a'), bytes);
  assert.equal(await testBucket.store.removeUnfinished(new Date(Date.now() - 60_000)), 0);
  assert.equal(await testBucket.store.removeUnfinished(tomorrow()), 1);
  assert.equal(await testBucket.store.removeUnfinished(tomorrow()), 0);
  assert.equal(await testBucket.store.put('u/m/a', toStream(whole)), whole.length);
  assert.equal(await sha256(await testBucket.store.open('u/m/a')), await sha256(toStream(whole)));
});

testS3('finds the write of a killed process in another one, even after a restart of the store', async (s3) => {
  await using testBucket = await makeBucket(s3);
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { openS3Store } from ${JSON.stringify(import.meta.resolve('./s3Store.ts'))};
       import { Readable } from 'node:stream';
       const store = openS3Store(JSON.parse(process.argv[1]), console);
       let parts = 0;
       const body = new Readable({ read() {
         parts += 1;
         if (parts <= 20) this.push(Buffer.alloc(1024 * 1024));
         else console.log('half-way');
       } });
       setInterval(() => {}, 1000);
       await store.put('u/m/a', body);`,
      JSON.stringify(testBucket.settings),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await s3.restart();
  assert.deepEqual(await listKeys(testBucket.store), []);
  assert.equal(await testBucket.store.removeUnfinished(tomorrow()), 1);
  assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
});

testS3('reports an error for a connection that breaks while an object is read', async (s3, t) => {
  const proxy = await startTcpProxy();
  t.after(() => proxy.cut());
  await using testBucket = await makeBucket(s3);
  const settings = { ...testBucket.settings, endpoint: new URL(proxy.setTarget(s3.endpoint)).origin };
  const store = openS3Store(settings, log);
  await testBucket.store.put('u/m/a', toStream(makeTestBytes(4, 64 * MiB)));
  const expectedError = { name: 'StoreError', message: /^read u\/m\/a: .* after \d+ of 67108864 bytes/ };
  const broken = await store.open('u/m/a');
  await once(broken, 'readable');
  await proxy.cut();
  await assert.rejects(broken.toArray(), expectedError);
  await proxy.open();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const frozen = await store.open('u/m/a');
  await once(frozen, 'readable');
  proxy.freeze();
  const rejection = assert.rejects(frozen.toArray(), expectedError);
  for await (const _ of setInterval(10)) {
    if (frozen.destroyed) break;
    t.mock.timers.tick(defaultTimeouts.silenceMs);
  }
  await rejection;
  t.mock.timers.reset();
  const impatient = openS3Store(settings, log, { timeouts: { connectMs: 500, silenceMs: 500 } });
  await assert.rejects(impatient.file('u/m/a', testBucket.outside), StoreError);
  assert.deepEqual(await readdir(testBucket.outside), []);
  proxy.thaw();
  assert.equal((await read(store, 'u/m/a')).length, 64 * MiB);
});

testS3('returns all bytes to a reader that pauses longer than the timeout, without reading ahead', async (s3, t) => {
  await using testBucket = await makeBucket(s3);
  const whole = makeTestBytes(5, 64 * MiB);
  await testBucket.store.put('u/m/a', toStream(whole));
  const proxy = await startCountingProxy(t, Number(new URL(s3.endpoint).port));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stream = await openS3Store({ ...testBucket.settings, endpoint: proxy.endpoint }, log).open('u/m/a');
  await once(stream, 'readable');
  const first = stream.read() as Buffer;
  let seen = -1;
  let stableChecks = 0;
  await waitUntil('the store has sent all, or the reader takes no more', () => {
    stableChecks = proxy.isBlocked() && proxy.passed() === seen ? stableChecks + 1 : 0;
    seen = proxy.passed();
    return seen >= whole.length || stableChecks === 10;
  });
  t.mock.timers.tick(2 * defaultTimeouts.silenceMs);
  t.mock.timers.reset();
  // Allows for the kernel's socket buffers of both connections, by default at most 6 MiB each.
  assert.ok(proxy.passed() < 16 * MiB, `${proxy.passed()} bytes were sent to a reader that took ${first.length}`);
  assert.ok(Buffer.concat([first, ...((await stream.toArray()) as Buffer[])]).equals(whole));
});

testS3('keeps only idle connections after readers are destroyed or read to the end', async (s3) => {
  const proxy = await startTcpProxy();
  await using testBucket = await makeBucket(s3);
  const store = openS3Store({ ...testBucket.settings, endpoint: new URL(proxy.setTarget(s3.endpoint)).origin }, log);
  await store.put('u/m/a', toStream(makeTestBytes(6, 8 * MiB)));
  const open = async (): Promise<Readable> => store.open('u/m/a');
  const left = await Promise.all(Array.from({ length: 40 }, open));
  const idle = Math.max(1, proxy.count() - 40);
  for (const stream of left) stream.destroy();
  await waitUntil('the connections of destroyed readers are closed', () => proxy.count() <= idle);
  for (let i = 0; i < 10; i++) await (await open()).toArray();
  assert.ok(proxy.count() <= idle + 1, 'sequential readers share one connection');
  await proxy.cut();
});

testS3('repeats a request on an idle connection that the server closes at that moment', async (s3) => {
  await using testBucket = await makeBucket(s3);
  await testBucket.store.put('u/m/a', toStream(bytes));
  let reset = 0;
  // Each connection serves one request and is reset on the next, like one that the server closed just before.
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(s3.endpoint).port), '127.0.0.1').unref();
    let hasResponded = false;
    client
      .unref()
      .on('error', () => upstream.destroy())
      .on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('data', (chunk) => {
      if (!hasResponded) return upstream.write(chunk);
      reset += 1;
      client.resetAndDestroy();
    });
    upstream.on('data', (chunk) => {
      hasResponded = true;
      client.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = openS3Store({ ...testBucket.settings, endpoint }, log);
  for (let round = 0; round < 3; round++) {
    await store.stat('u/m/a');
    assert.deepEqual(await read(store, 'u/m/a'), bytes);
    await store.put('u/m/b', toStream(makeTestBytes(7, 200_000)));
    assert.deepEqual(await listKeys(store), ['u/m/a', 'u/m/b']);
    await store.remove(['u/m/b']);
  }
  assert.ok(reset >= 6, `only ${reset} connections were reset`);
  server.close();
});
