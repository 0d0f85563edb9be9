import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { until } from '@hearth/testkit/run/until.ts';
import { openConfinement } from '../sandbox/confinement/confinement.ts';
import type { DecodeError } from '../errors/decodeError.ts';
import { openDecoderLane, type DecoderLane, type DecoderLaneOptions } from './decoderLane.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';
import { flat } from '@hearth/testkit/mediaSet/renderBytes.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-taken-over-lane-'));
const scratchDirectory = join(folder, 'data', 'scratch');
await mkdir(scratchDirectory, { recursive: true });
const confinement = await openConfinement({ dataDirectory: join(folder, 'data'), scratchDirectory });
after(() => rm(folder, { recursive: true }));
const isFree = confinement.kind === 'none' && confinement.weaker.join();

/** Opens a lane whose children are compromised from the first file on. */
function openLane(t: TestContext, options: Partial<DecoderLaneOptions> = {}): DecoderLane {
  const program = new URL('../sandbox/testing/maliciousDecoderChild.ts', import.meta.url);
  const limits = { timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 1e6 };
  const lane = openDecoderLane({ size: 1, most: 1, ...limits, program, confinement, ...options });
  t.after(() => lane.close());
  return lane;
}

let files = 0;
const render = async (lane: DecoderLane, ownerId: string, text: string): Promise<RenderedPhoto> => {
  const path = join(scratchDirectory, `original-${(files += 1)}`);
  await writeFile(path, text);
  return lane.ask(ownerId, { kind: 'photo', path, format: 'jpeg' });
};

/** Returns everything that the child has read up to this file. */
const see = async (lane: DecoderLane, ownerId: string, text: string): Promise<string[]> => {
  const answer = await render(lane, ownerId, text).then(
    () => assert.fail('it has answered with a picture'),
    (error: DecodeError) => error,
  );
  assert.equal(answer.code, 'CORRUPT');
  return (answer.cause as Error).message.split(',');
};

for (const most of [1, 3]) {
  test(
    `a child that was taken over sees no file of another owner, where ${most} may be kept`,
    { skip: isFree },
    async (t) => {
      const lane = openLane(t, { most });
      assert.deepEqual(await see(lane, 'Ada', 'secret 1 of Ada'), ['secret 1 of Ada']);
      const both = ['secret 1 of Ada', 'secret 2 of Ada'];
      assert.deepEqual(await see(lane, 'Ada', 'secret 2 of Ada'), both, 'it really holds what it has seen');
      assert.deepEqual(await see(lane, 'Ben', 'secret of Ben'), ['secret of Ben']);
      const later = await see(lane, 'Ada', 'secret 3 of Ada');
      assert.deepEqual(later, [...(most === 1 ? [] : both), 'secret 3 of Ada']);
      assert.equal(lane.childPids().length, Math.min(2, most));
    },
  );
}

const countBoxes = async (): Promise<number> =>
  (await readdir(scratchDirectory)).filter((name) => name.startsWith('box')).length;

test('keeps no more children than allowed, and removes the sandbox of each that ends', { skip: isFree }, async (t) => {
  const lane = openLane(t, { most: 2 });
  for (const owner of ['Ada', 'Ben', 'Cem', 'Ada', 'Ben']) await see(lane, owner, `secret of ${owner}`);
  assert.equal(lane.childPids().length, 2);
  assert.equal(await countBoxes(), 2);
  await lane.close();
  assert.equal(await countBoxes(), 0);
});

test(
  'replaces a decoder after more than 4 GiB of input, because it may have kept all of it',
  { skip: isFree },
  async (t) => {
    const lane = openLane(t, { program: undefined });
    const path = join(scratchDirectory, 'large.jpg');
    await writeFile(path, await flat('#808080').jpeg().toBuffer());
    await truncate(path, 2.5 * 1024 ** 3);
    const pids: number[][] = [];
    for (let i = 0; i < 2; i += 1) {
      await lane.ask('Ada', { kind: 'photo', path, format: 'jpeg' });
      pids.push(lane.childPids());
    }
    assert.deepEqual(
      pids.map(({ length }) => length),
      [1, 0],
    );
  },
);

test('ends a child that allocates without limit', async (t) => {
  const lane = openLane(t, { memoryLimitBytes: 300e6 });
  await assert.rejects(render(lane, 'Ada', 'allocate'), { code: 'OUT_OF_MEMORY', permanent: false, message: /300 MB/ });
  assert.equal((await render(lane, 'Ada', 'plausible')).width, 640);
});

for (const act of ['huge', 'film', 'ready']) {
  test(`a child that answers what is no photo (${act}) is ended, and the attempt counts`, async (t) => {
    const lane = openLane(t);
    assert.equal((await render(lane, 'Ada', 'plausible')).width, 640);
    const [pid] = lane.childPids();
    await assert.rejects(render(lane, 'Ada', act), { code: 'CRASHED', permanent: false });
    assert.equal((await render(lane, 'Ada', 'plausible')).width, 640);
    assert.notEqual(lane.childPids()[0], pid);
  });
}

for (const act of ['flood', 'spin', 'leak']) {
  test(`a child that goes on when it has answered (${act}) is ended`, async (t) => {
    const lane = openLane(t, { memoryLimitBytes: 300e6 });
    await see(lane, 'Ada', act);
    await until('the child has ended', () => lane.childPids().length === 0);
  });
}

test('ends a child and starts the next file in spite of processes that the child has started', async (t) => {
  const lane = openLane(t, { confinement: undefined, timeoutMs: 1_000 });
  await assert.rejects(render(lane, 'Ada', 'start'), { code: 'TIMED_OUT' });
  assert.equal((await render(lane, 'Ada', 'plausible')).width, 640);
});
