import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { getDataDirectory } from '@hearth/testkit/hearth/dataFolder.ts';
import { readDatabaseUrl } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { getCredentials, startHearth, waitForOutput } from '@hearth/testkit/hearth/hearth.ts';
import { makePaddedPhoto } from '@hearth/testkit/hearth/photos.ts';
import { makeForm, send, signIn as signInOnce } from '@hearth/testkit/hearth/request.ts';
import { explainMissingNamespaces, runOnSmallDisk, getPathOfProcess } from './attack/smallDisk.ts';
import { prepareHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { waitFor as untilSo } from '@hearth/testkit/hearth/wait.ts';

const MiB = 2 ** 20;
const diskMiB = 448;
/** Size of the reserve in bytes. The file `ballast` occupies it. */
const reserveBytes = 96 * MiB;

/** Starts Hearth with its data on a small disk, and returns helpers for the tests. */
const startOnSmallDisk = async (t: TestContext) => {
  const sandbox = await prepareHearth(t);
  const data = getDataDirectory(sandbox.directory);
  mkdirSync(data, { recursive: true });
  const hearth = startHearth({
    ...sandbox,
    env: { HEARTH_DISK_RESERVE_BYTES: String(reserveBytes) },
    wrap: (command) => runOnSmallDisk(data, diskMiB, command),
  });
  sandbox.processes.adopt(hearth.pid);
  await hearth.running;
  const inside = (name: string): string => join(getPathOfProcess(hearth.pid, data), name);
  const call = async (method: string, path: string, body?: FormData | object, token?: string) => {
    const { status, text } = await send(hearth.url, path, { method, body, token });
    return { status, text, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const signIn = (): Promise<string> => signInOnce(hearth.url, getCredentials(hearth));
  let seed = 0;
  const upload = async (token: string, photoBytes = 12 * MiB) => {
    const content = await makePaddedPhoto((seed += 1), photoBytes);
    return call('POST', '/v1/mediaItems', makeForm('photo.jpg', content), token);
  };
  const remove = async (id: unknown, token: string): Promise<void> => {
    for (const query of ['', '?permanent=true']) {
      await waitUntil(
        async () => (await call('DELETE', `/v1/mediaItems/${String(id)}${query}`, undefined, token)).status === 204,
      );
    }
  };
  const ballastBytes = async (): Promise<number> => (await stat(inside('ballast')).catch(() => undefined))?.size ?? 0;
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(inside('.'));
    return bavail * bsize;
  };
  /** Fills the disk to the last byte, as another program might. */
  const fill = async (): Promise<void> => {
    await using file = await open(inside('filler'), 'a');
    const zeros = Buffer.alloc(MiB);
    for (;;) {
      try {
        await file.writeFile(zeros);
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
        return;
      }
    }
  };
  const empty = (): Promise<void> => rm(inside('filler'), { force: true });
  const databaseUrl = (): Promise<string> => readDatabaseUrl(getPathOfProcess(hearth.pid, sandbox.directory));
  return { hearth, call, signIn, upload, remove, ballastBytes, freeBytes, fill, empty, databaseUrl };
};

/** Retries on errors, because PostgreSQL may be restarting. */
const waitUntil = (condition: () => Promise<boolean>): Promise<boolean> =>
  untilSo('the expected state', () => condition().catch(() => false), { timeoutMs: 300_000, everyMs: 50 });

const options = explainMissingNamespaces();

test('keeps the reserve when uploads fill the disk, and everything except uploads works', options, async (t) => {
  const { call, signIn, upload, remove, freeBytes, ballastBytes, hearth } = await startOnSmallDisk(t);
  await waitUntil(async () => (await ballastBytes()) === reserveBytes);
  const token = await signIn();
  const ids: unknown[] = [];
  let last: Awaited<ReturnType<typeof upload>> | undefined;
  for (const bytes of [12 * MiB, MiB, MiB / 16, MiB / 128]) {
    while ((last = await upload(token, bytes)).status === 201) ids.push(last.body['id']);
  }
  assert.deepEqual([last?.status, last?.body['code']], [507, 'STORAGE_FULL'], last?.text);
  assert.ok(ids.length > 5, `only ${ids.length} uploads fit`);
  assert.ok((await freeBytes()) >= reserveBytes - 16 * MiB, `${await freeBytes()} bytes are free`);

  await waitUntil(async () => (await call('GET', '/readyz')).text.includes('"degraded":["disk"]'));
  await waitForOutput(hearth, /disk nearly full/);
  const other = await signIn();
  const album = await call('POST', '/v1/albums', { name: 'Summer' }, other);
  assert.equal(album.status, 201, album.text);
  const added = await call(
    'POST',
    `/v1/albums/${String(album.body['id'])}/mediaItems`,
    { mediaItems: [ids[0]] },
    other,
  );
  assert.ok(added.status < 300, added.text);
  assert.equal((await call('GET', '/v1/mediaItems?limit=100', undefined, other)).status, 200);
  const [first, ...rest] = ids;
  for (const id of rest) await remove(id, other);
  assert.equal((await call('GET', `/v1/mediaItems/${String(first)}`, undefined, other)).status, 200);

  await waitUntil(async () => (await call('GET', '/readyz')).text === '{"status":"ok"}');
  assert.equal((await upload(other)).status, 201);
  await waitForOutput(hearth, /disk space available again/);
});

test('deletes items on a disk that another program has filled to the last byte', options, async (t) => {
  const { call, signIn, upload, remove, ballastBytes, fill, empty } = await startOnSmallDisk(t);
  await waitUntil(async () => (await ballastBytes()) === reserveBytes);
  const token = await signIn();
  const ids = [];
  for (let index = 0; index < 5; index++) ids.push((await upload(token)).body['id']);
  await fill();
  assert.equal((await upload(token)).status, 507);
  await waitUntil(async () => (await ballastBytes()) < reserveBytes);
  for (const id of ids) await remove(id, token);
  const again = await signIn();
  assert.equal((await call('GET', '/v1/mediaItems', undefined, again)).text, '[]');
  await empty();
  await waitUntil(async () => (await ballastBytes()) === reserveBytes);
  assert.equal((await upload(again)).status, 201);
});

test('recovers when space is freed after another program also used up the reserve', options, async (t) => {
  const { call, signIn, upload, ballastBytes, fill, empty, hearth, databaseUrl } = await startOnSmallDisk(t);
  await waitUntil(async () => (await ballastBytes()) === reserveBytes);
  const token = await signIn();
  const { body } = await upload(token);
  const readItem = (as: string) => call('GET', `/v1/mediaItems/${String(body['id'])}`, undefined, as);
  // A worker that starts while the disk is full exits and is restarted.
  await waitUntil(async () => (await readItem(token)).text.includes('"status":"READY"'));
  // Keeps the disk full while Hearth writes to its database.
  const filled = new AbortController();
  const filling = (async () => {
    while (!filled.signal.aborted) {
      await fill();
      await sleep(20);
    }
  })();
  await waitUntil(async () => (await ballastBytes()) === 0);
  // PostgreSQL's WAL grows by 16 MiB segments. It shuts down when a new one does not fit.
  const adminUser = await databaseUrl();
  const writeLog = `select pg_logical_emit_message(false, '', repeat('x', 1000000)), pg_switch_wal()`;
  const writing = (async () => {
    for (;;) await queryOnce(adminUser, writeLog);
  })();
  await assert.rejects(writing, /No space left on device|terminat|reset|ECONN|recovery mode/);
  const { status } = await call('POST', '/v1/albums', { name: 'Summer' }, token);
  assert.ok([201, 503, 507].includes(status), `creating an album returned ${status}`);
  filled.abort();
  await filling;
  await empty();
  await waitUntil(async () => (await call('GET', '/readyz')).status === 200);
  await waitUntil(async () => (await ballastBytes()) === reserveBytes);
  const again = await signIn();
  assert.equal((await readItem(again)).status, 200);
  await waitUntil(async () => (await upload(again)).status === 201);
  assert.doesNotMatch(hearth.output(), /cannot start:/);
});
