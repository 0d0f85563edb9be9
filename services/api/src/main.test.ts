import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { createTestBackEnds } from '@hearth/testkit/run/backEnds.ts';
import { createTestDatabase } from '@hearth/testkit/database/postgres.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient } from '@hearth/testkit/api/client.ts';
import { readEvents } from '@hearth/testkit/api/eventReader.ts';
import { boundary, multipartType, partHead } from '@hearth/testkit/api/multipart.ts';
import { admin, toBasicAuth, testEnvironment } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, signUp } from '@hearth/testkit/api/testUser.ts';

const database = await createTestDatabase();
const backEnds = await createTestBackEnds();
const directory = await mkdtemp(join(getFastFolder(), 'hearth-main-test-'));
after(async () => {
  await database.drop();
  await backEnds.remove();
  await rm(directory, { recursive: true, force: true });
});

/** Starts the real process on an empty database and waits until it responds. */
const startProcess = async (variables: Record<string, string> = {}) => {
  const port = await findFreePort();
  const env = {
    ...testEnvironment(database.url, directory),
    ...backEnds.variables,
    HEARTH_PORT: String(port),
    ...variables,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('API ready')) break;
  child.stdout.resume();
  return { url: `http://127.0.0.1:${port}`, child, exited };
};

/** Starts an upload, waits until the process has received its first bytes, and returns how to finish it. */
const startUpload = async (url: string, token: string) => {
  const photo = await makeNextPhoto();
  const sent = request(`${url}/v1/mediaItems`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': multipartType, expect: '100-continue' },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(Buffer.concat([Buffer.from(partHead({ name: 'file', filename: 'a.jpg' })), photo]));
  const response = once(sent, 'response') as Promise<[IncomingMessage]>;
  return { response, end: () => void sent.end(`\r\n--${boundary}--\r\n`), sent };
};

test('on SIGTERM: accepts no more requests, finishes the upload in flight, and exits with 0', async () => {
  const { url, child, exited } = await startProcess();
  const { token } = await signUp(url, createClient(url, toBasicAuth(admin)));
  const upload = await startUpload(url, token);
  child.kill('SIGTERM');
  const isReady = async () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitUntil('the process is no longer ready', async () => !(await isReady()));
  upload.end();
  const [response] = await upload.response;
  assert.equal(response.statusCode, 201);
  assert.equal(response.headers.connection, 'close');
  response.resume();
  assert.deepEqual(await exited, [0, null]);
});

test('aborts an upload that takes longer than the stop timeout', async () => {
  const { url, child, exited } = await startProcess({ HEARTH_STOP_TIMEOUT_SECONDS: '1' });
  const { token } = await signUp(url, createClient(url, toBasicAuth(admin)));
  const upload = await startUpload(url, token);
  upload.response.catch(() => undefined);
  upload.sent.on('error', () => undefined);
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('ends event streams on SIGTERM without delaying the exit', async () => {
  const { url, child, exited } = await startProcess({ HEARTH_STOP_TIMEOUT_SECONDS: '600' });
  const { token } = await signUp(url, createClient(url, toBasicAuth(admin)));
  const reader = await readEvents(url, token);
  await reader.until(({ event }) => event === 'ready');
  child.kill('SIGTERM');
  assert.equal(await reader.ended, true);
  assert.deepEqual(await exited, [0, null]);
});

test('is live but not ready while the database is unreachable, and ready afterwards', async () => {
  const proxy = await startTcpProxy();
  const databaseUrl = proxy.setTarget(database.url);
  await proxy.cut();
  const port = await findFreePort();
  const env = { ...testEnvironment(databaseUrl, directory), ...backEnds.variables, HEARTH_PORT: String(port) };
  const start = () => spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const getStatus = (path: string): Promise<number> =>
    fetch(url + path).then(
      ({ status }) => status,
      () => 0,
    );
  for (const isBack of [false, true]) {
    const child = start();
    const exited = once(child, 'exit');
    await waitUntil('the process is live', async () => (await getStatus('/livez')) === 200);
    const refused = await fetch(`${url}/v1/auth/login`, { method: 'POST' });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    assert.equal(await getStatus('/readyz'), 503);
    assert.equal(await getStatus('/version'), 200);
    if (isBack) {
      await proxy.open();
      await waitUntil('the process is ready', async () => (await getStatus('/readyz')) === 200);
      await signUp(url, createClient(url, toBasicAuth(admin)));
    }
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  }
  await proxy.cut();
});

test('reports all configuration problems at once, without values of secrets', async () => {
  const env = { HEARTH_PORT: 'x', HEARTH_TOKEN_SECRET: 'too short' };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [text, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
  const printed = Buffer.concat(text as Buffer[]).toString();
  assert.equal(code, 78);
  for (const name of ['PORT', 'DATABASE_URL', 'ADMIN_PASSWORD', 'TOKEN_SECRET', 'LINK_SECRET'])
    assert.match(printed, new RegExp(`HEARTH_${name}:`));
  assert.doesNotMatch(printed, /too short/);
});

const isServed = (host: string, port: string): Promise<boolean> =>
  fetch(`http://${host}:${port}/metrics`).then(
    ({ ok }) => ok,
    () => false,
  );

test('serves metrics on 127.0.0.1 or HEARTH_METRICS_HOST, wherever the API listens', async (t) => {
  for (const [expected, other, variables] of [
    ['127.0.0.1', '127.0.0.2', { HEARTH_HOST: '127.0.0.2' }],
    ['127.0.0.2', '127.0.0.1', { HEARTH_METRICS_HOST: '127.0.0.2' }],
  ] as const) {
    const port = String(await findFreePort());
    const { child } = await startProcess({ HEARTH_METRICS_PORT: port, ...variables });
    t.after(() => child.kill());
    assert.deepEqual([await isServed(expected, port), await isServed(other, port)], [true, false], expected);
  }
});
