import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Log } from '../log/log.ts';
import { metrics } from '../metrics/metrics.ts';
import { openBallast } from './ballast.ts';
import { openDiskSpace, type DiskSpaceOptions } from './diskSpace.ts';
import { readFileSystem, computeReserveBytes, toFileSystemSizes, type FileSystem } from './fileSystem.ts';

const MiB = 2 ** 20;
const GiB = 2 ** 30;

const makeDirectory = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
};

/** Creates a disk of 1,000 GiB whose free space, ballast not counted, can be set. Collects the log lines about it. */
const openTestDisk = (options: Partial<DiskSpaceOptions> = {}) => {
  const lines: string[] = [];
  const log = { warn: (_: object, line: string) => lines.push(line), debug: () => undefined } as unknown as Log;
  const state: { freeBytes: number; lines: string[] } = { freeBytes: 100 * GiB, lines };
  const read = async (): Promise<FileSystem> => ({
    totalBytes: 1_000 * GiB,
    freeBytes: state.freeBytes - (options.ballast?.heldBytes ?? 0),
  });
  const folders = [
    { name: 'objects', path: '/' },
    { name: 'database', path: '/' },
  ] as const;
  const space = openDiskSpace({ folders, reserveBytes: 200 * MiB, log, read, ...options });
  return { state, space };
};

const inMiB = async (gauge: typeof metrics.diskFreeBytes): Promise<number[]> =>
  (await gauge.get()).values.map(({ value }) => value / MiB);

test('adapts the reserve to the size of the file system', () => {
  const reserveGiB = (totalBytes: number, configuredBytes?: number): number =>
    computeReserveBytes({ totalBytes, freeBytes: 0 }, configuredBytes) / GiB;
  assert.equal(reserveGiB(1_000 * GiB), 20);
  assert.equal(reserveGiB(50 * GiB), 2);
  assert.equal(reserveGiB(10 * GiB), 1);
  assert.equal(reserveGiB(1_000 * GiB, GiB), 1);
  assert.equal(reserveGiB(1_000 * GiB, 0), 0);
});

test('reads the size of a file system, and returns undefined for a missing path', async (t) => {
  const { totalBytes, freeBytes } = (await readFileSystem(await makeDirectory(t)))!;
  assert.ok(totalBytes > freeBytes && freeBytes > 0);
  assert.equal(await readFileSystem('/there/is/no/such/folder'), undefined);
});

test('does not report a file system without a size as full', { skip: process.platform !== 'linux' }, async () => {
  assert.equal(await readFileSystem('/proc'), undefined);
});

test('counts blocks by frsize, not by the preferred I/O size', () => {
  const stats = { bsize: MiB, frsize: 4_096, blocks: 100, bavail: 10 };
  assert.deepEqual(toFileSystemSizes(stats), { totalBytes: 409_600, freeBytes: 40_960 });
  assert.deepEqual(toFileSystemSizes({ ...stats, frsize: 0 }), { totalBytes: 100 * MiB, freeBytes: 10 * MiB });
});

test('always has space without folders to watch', async () => {
  const { space } = openTestDisk({ folders: [] });
  using reservation = await space.reserve({ ownerId: 'ada', bytes: 2 ** 50, received: () => 0 });
  assert.equal(reservation.signal.aborted, false);
  await space.check();
  assert.deepEqual([space.isNearlyFull, await space.isLow()], [false, false]);
});

test('reserves no more than fits, and does not count received bytes twice', async () => {
  const { state, space } = openTestDisk();
  state.freeBytes = 300 * MiB;
  let received = 0;
  const first = await space.reserve({ ownerId: 'ada', bytes: 80 * MiB, received: () => received });
  const reserve = (bytes: number) => space.reserve({ ownerId: 'ada', bytes, received: () => 0 });
  await assert.rejects(reserve(30 * MiB), { code: 'STORAGE_FULL', status: 507 });
  (await reserve(20 * MiB))[Symbol.dispose]();
  [received, state.freeBytes] = [70 * MiB, 230 * MiB];
  await assert.rejects(reserve(30 * MiB), { code: 'STORAGE_FULL' });
  (await reserve(20 * MiB))[Symbol.dispose]();
  first[Symbol.dispose]();
  (await reserve(30 * MiB))[Symbol.dispose]();
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => reserve(MiB)));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 30);
});

test("leaves half of the space to other owners while one owner's announced bytes do not arrive", async () => {
  let reads = 0;
  const { state, space } = openTestDisk({
    read: async () => {
      reads += 1;
      return { totalBytes: 1_000 * GiB, freeBytes: state.freeBytes };
    },
  });
  state.freeBytes = 300 * MiB;
  const reserve = (ownerId: string, bytes: number | undefined) => space.reserve({ ownerId, bytes, received: () => 0 });
  const announced = await reserve('many', 100 * MiB);
  await space.check();
  assert.equal(space.isNearlyFull, false);
  await assert.rejects(reserve('many', 1), { code: 'STORAGE_FULL' });
  await assert.rejects(reserve('few', 51 * MiB), { code: 'STORAGE_FULL' });
  const first = await reserve('few', 30 * MiB);
  await assert.rejects(reserve('few', 21 * MiB), { code: 'STORAGE_FULL' });
  (await reserve('few', 20 * MiB))[Symbol.dispose]();
  for (const held of [announced, first]) held[Symbol.dispose]();

  state.freeBytes = 400 * MiB;
  const [mine, unknown] = [await reserve('many', 200 * MiB), await reserve('few', undefined)];
  const enoughReads = reads + 6;
  const isReadOften = (): boolean => reads >= enoughReads;
  while (!isReadOften()) await nextTurn();
  assert.equal(unknown.signal.aborted, false);
  for (const held of [mine, unknown]) held[Symbol.dispose]();
});

test('logs each change once, without repeating it for a disk at the limit', async () => {
  const { state, space } = openTestDisk();
  const nearlyFull = 'disk nearly full; uploads are rejected and processing waits';
  const spaceAvailable = 'disk space available again; uploads and processing resume';
  for (const [freeBytes, isNearlyFull, logged] of [
    [300 * MiB, false, []],
    [199 * MiB, true, [nearlyFull]],
    [198 * MiB, true, []],
    [201 * MiB, true, []],
    [199 * MiB, true, []],
    [220 * MiB, false, [spaceAvailable]],
    [201 * MiB, false, []],
  ] as const) {
    state.freeBytes = freeBytes;
    await space.check();
    assert.equal(space.isNearlyFull, isNearlyFull, `${freeBytes / MiB} MiB`);
    assert.deepEqual(state.lines.splice(0), logged, `${freeBytes / MiB} MiB`);
  }
  assert.deepEqual(await inMiB(metrics.diskFreeBytes), [201, 201]);
  assert.deepEqual(await inMiB(metrics.diskReserveBytes), [200, 200]);
});

test('grows the ballast when there is space, shrinks it step by step when the disk fills, and grows it again', async (t) => {
  const directory = await makeDirectory(t);
  const ballast = await openBallast(directory);
  const { state, space } = openTestDisk({ ballast });
  const sizeMiB = async (): Promise<number> =>
    ((await stat(join(directory, 'ballast')).catch(() => undefined))?.size ?? 0) / MiB;
  await space.check({ isStarting: true });
  assert.equal(await sizeMiB(), 0);
  for (const grown of [64, 128, 192, 200, 200]) {
    await space.check();
    assert.equal(await sizeMiB(), grown);
  }
  const { blocks, mode } = await stat(join(directory, 'ballast'));
  assert.ok(blocks * 512 >= 200 * MiB, 'it takes up disk space');
  assert.equal(mode & 0o777, 0o600);
  const sample = (await readFile(join(directory, 'ballast'))).subarray(0, MiB);
  assert.ok(gzipSync(sample).length > 0.99 * MiB, 'it cannot be compressed');

  // With less free space than the reserve, the ballast keeps its size. It shrinks when almost no space is left.
  state.freeBytes = 300 * MiB;
  await space.check();
  assert.equal(await sizeMiB(), 200);
  const left: number[] = [];
  for (let checks = 0; checks < 5; checks++) {
    state.freeBytes = ballast.heldBytes + MiB;
    await space.check({ isStarting: checks === 0 });
    left.push(await sizeMiB());
  }
  assert.deepEqual(left, [136, 72, 8, 0, 0]);

  // The ballast grows only if the reserve stays free when the ballast has its full size.
  state.freeBytes = 399 * MiB;
  await space.check();
  assert.equal(await sizeMiB(), 0);
  await assert.rejects(space.reserve({ ownerId: 'ada', bytes: 1, received: () => 0 }), { code: 'STORAGE_FULL' });
  state.freeBytes = 400 * MiB;
  for (let checks = 0; checks < 4; checks++) await space.check();
  assert.equal(await sizeMiB(), 200);
  assert.equal((await openBallast(directory)).heldBytes, 200 * MiB);
});

test('does not count the space of an upload as free if it finishes while the file system is read', async () => {
  const reads: PromiseWithResolvers<FileSystem>[] = [];
  const { space } = openTestDisk({
    folders: [{ name: 'objects', path: '/' }],
    read: () => {
      reads.push(Promise.withResolvers());
      return reads.at(-1)!.promise;
    },
  });
  const respond = (): void => reads.at(-1)!.resolve({ totalBytes: 1_000 * GiB, freeBytes: 300 * MiB });
  let received = 0;
  const first = space.reserve({ ownerId: 'ada', bytes: 60 * MiB, received: () => received });
  respond();
  const held = await first;
  const second = space.reserve({ ownerId: 'ada', bytes: 60 * MiB, received: () => 0 });
  received = 60 * MiB;
  held[Symbol.dispose]();
  respond();
  await assert.rejects(second, { code: 'STORAGE_FULL' });
});
