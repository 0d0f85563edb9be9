import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { makeScannedJpeg } from '@hearth/testkit/media/makeScannedJpeg.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { pathToFileURL } from 'node:url';
import { DecodeError } from '../errors/decodeError.ts';
import { type DecoderPoolOptions } from './decoderPool.ts';
import { readProcessUsage } from '@hearth/core/process/processUsage.ts';
import { drawPhoto, makeProgressiveJpeg } from '@hearth/testkit/media/testPhotos.ts';
import { type TestDecoders, openTestDecoders } from '@hearth/testkit/decoders/testDecoders.ts';

let folder: string;
/** Path of a photo that decodes in a few milliseconds. */
let small: string;
/** Path of a photo of 48 megapixels, whose decoding takes about a second and 150 MB. */
let large: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-decoders-'));
  small = join(folder, 'small.png');
  large = join(folder, 'large.jpg');
  await writeFile(small, await drawPhoto(640, 480));
  await writeFile(large, await makeProgressiveJpeg(8000, 6000));
});
after(() => rm(folder, { recursive: true }));

const generousOptions: DecoderPoolOptions = { size: 1, timeoutMs: 60_000, memoryLimitBytes: 2e9, maxPixels: 150e6 };

function openPool(t: TestContext, options: Partial<DecoderPoolOptions> = {}): TestDecoders {
  const pool = openTestDecoders({ ...generousOptions, ...options });
  t.after(() => pool.close());
  return pool;
}

/** Renders a photo and returns the pid of the pool's only child. */
async function warmUp(pool: TestDecoders): Promise<number> {
  await pool.renderPhoto(small);
  return pool.childPids()[0]!;
}

const cpuSeconds = (pid: number): number => readProcessUsage(pid)!.cpuSeconds;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('kills a decode that computes until its timeout, and reports TOO_LARGE', async (t) => {
  const slow = join(folder, 'slow.jpg');
  await writeFile(slow, makeScannedJpeg({ width: 10_000, height: 10_000, scans: 100 }));
  const pool = openPool(t, { timeoutMs: 500 });
  // Mocked, so that the timeout fires after the child has computed long enough, however busy the machine is.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const pid = await warmUp(pool);
  const idleSeconds = cpuSeconds(pid);
  const rejection = assert.rejects(pool.renderPhoto(slow), {
    code: 'TOO_LARGE',
    isTimeout: true,
    message: /0\.5 seconds/,
  });
  await waitUntil('the child has computed for its time', () => cpuSeconds(pid) > idleSeconds + 0.5);
  t.mock.timers.tick(500);
  t.mock.timers.reset();
  await rejection;
  await waitUntil('the child is gone', () => pool.childPids().length === 0);
});

test('kills a child that computes forever at startup, without blaming the photo', async (t) => {
  const program = join(folder, 'endless.mjs');
  await writeFile(program, 'for (;;);');
  const pool = openPool(t, { program: pathToFileURL(program), startTimeoutMs: 500 });
  await assert.rejects(pool.renderPhoto(small), { code: 'TIMED_OUT', isTimeout: false });
});

test('kills a hung child, and does not count time in the queue as decoding', async (t) => {
  const pool = openPool(t);
  const hangingPid = await warmUp(pool);
  process.kill(hangingPid, 'SIGSTOP');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Either request may get the hung child: each reads the header of its file first.
  const both = Promise.allSettled([pool.renderPhoto(small), pool.renderPhoto(small)]);
  await waitUntil('the hung child is ended', () => {
    if (!isAlive(hangingPid)) return true;
    t.mock.timers.tick(generousOptions.timeoutMs);
    return false;
  });
  t.mock.timers.reset();
  const [first, second] = await both;
  const [late, inTime] = first.status === 'rejected' ? [first, second] : [second, first];
  assert.ok(late.status === 'rejected' && late.reason instanceof DecodeError);
  assert.deepEqual([late.reason.code, late.reason.permanent], ['TIMED_OUT', false]);
  assert.ok(inTime.status === 'fulfilled' && inTime.value.width === 640);
});

test('renders other photos while one child hangs', async (t) => {
  const pool = openPool(t, { size: 2 });
  const hangingPid = await warmUp(pool);
  process.kill(hangingPid, 'SIGSTOP');
  const five = Promise.withResolvers<void>();
  let rendered = 0;
  // Any of the six requests may get the hung child: each reads the header of its file first.
  const six = Array.from({ length: 6 }, async () => {
    await pool.renderPhoto(small);
    rendered += 1;
    if (rendered === 5) five.resolve();
  });
  await Promise.race([five.promise, Promise.allSettled(six)]);
  process.kill(hangingPid, 'SIGKILL');
  const results = await Promise.allSettled(six);
  assert.deepEqual(
    results.flatMap((each) => (each.status === 'rejected' ? [(each.reason as DecodeError).code] : [])),
    ['CRASHED'],
  );
});

test('ends a decode above the memory limit as OUT_OF_MEMORY', async (t) => {
  const pool = openPool(t, { memoryLimitBytes: 150e6 });
  await assert.rejects(pool.renderPhoto(large), { code: 'OUT_OF_MEMORY', permanent: false, message: /150 MB/ });
  assert.equal((await pool.renderPhoto(small)).width, 640);
});

test('fails only the active photo when a child is killed', async (t) => {
  const pool = openPool(t);
  const pid = await warmUp(pool);
  const idleSeconds = cpuSeconds(pid);
  const first = assert.rejects(pool.renderPhoto(large), { code: 'CRASHED', permanent: false, message: /SIGKILL/ });
  await waitUntil('the child computes', () => cpuSeconds(pid) > idleSeconds + 0.1);
  const others = [pool.renderPhoto(small), pool.renderPhoto(small)];
  process.kill(pid, 'SIGKILL');
  await first;
  assert.deepEqual(
    (await Promise.all(others)).map(({ width }) => width),
    [640, 640],
  );
});

test('replaces a child that was killed while idle, without an error', async (t) => {
  const pool = openPool(t);
  const pid = await warmUp(pool);
  process.kill(pid, 'SIGKILL');
  await waitUntil('the child is gone', () => !pool.childPids().includes(pid));
  assert.notEqual(await warmUp(pool), pid);
});

test('ends children with their parent, even during a decode', async () => {
  const program = `
    import { openDecoderPool } from ${JSON.stringify(new URL('decoderPool.ts', import.meta.url).href)};
    const pool = openDecoderPool(${JSON.stringify({ ...generousOptions, size: 2 })});
    const own = pool.forOwner('owner');
    const paths = ${JSON.stringify([small, large])};
    await Promise.all([own.renderPhoto(paths[0]), own.renderPhoto(paths[0])]);
    for (;;) { own.renderPhoto(paths[1]); console.log(pool.childPids().join()); await own.renderPhoto(paths[1]); }`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const pids = String(line).split('\n')[0]!.split(',').map(Number);
  assert.equal(pids.length, 2);
  parent.kill('SIGKILL');
  await waitUntil('no child is alive', () => !pids.some(isAlive));
});

test('rejects pending requests and leaves no process on close', async (t) => {
  const pool = openPool(t, { size: 2 });
  const unfinished = [large, large, small].map((path) => assert.rejects(pool.renderPhoto(path), { code: 'CRASHED' }));
  await waitUntil('two children run', () => pool.childPids().length === 2);
  const pids = pool.childPids();
  await pool.close();
  await Promise.all(unfinished);
  assert.deepEqual(pids.map(isAlive), [false, false]);
});

test(
  'passes a child no environment variables except those for malloc and the compile cache',
  { skip: existsSync('/proc/self/environ') ? false : 'no /proc here' },
  async (t) => {
    const pid = await warmUp(openPool(t));
    const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((entry) => entry.split('=')[0]);
    assert.deepEqual(
      new Set(names.filter((name) => name && !name.startsWith('NODE_CHANNEL_'))),
      new Set(['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_', ...Object.keys(compileCache)]),
    );
  },
);

test('sets resource limits on a child, and makes it the first to be killed when memory runs out', async (t) => {
  const pid = await warmUp(openPool(t));
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
  const softLimit = (name: string): number => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(limits)?.[1]);
  assert.deepEqual([softLimit('Max open files'), softLimit('Max core file size')], [256, 0]);
  assert.equal(Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')), 1000);
});
