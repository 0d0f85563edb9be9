import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { openConfinement } from '../sandbox/confinement/confinement.ts';
import type { DecodeError } from '../errors/decodeError.ts';
import { openDecoderQueue, type DecoderQueue, type DecoderQueueOptions } from './decoderQueue.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';
import { makeFlatImage } from '@hearth/testkit/mediaSet/renderBytes.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-compromised-queue-'));
const scratchDirectory = join(folder, 'data', 'scratch');
await mkdir(scratchDirectory, { recursive: true });
const confinement = await openConfinement({ dataDirectory: join(folder, 'data'), scratchDirectory });
after(() => rm(folder, { recursive: true }));
const lacksConfinement = confinement.kind === 'none' && confinement.failures.join();

/** Opens a queue whose children are compromised from the first file on. */
function openQueue(t: TestContext, options: Partial<DecoderQueueOptions> = {}): DecoderQueue {
  const program = new URL('../sandbox/testing/maliciousDecoderChild.ts', import.meta.url);
  const limits = { timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 1e6 };
  const queue = openDecoderQueue({ size: 1, maxChildren: 1, ...limits, program, confinement, ...options });
  t.after(() => queue.close());
  return queue;
}

let files = 0;
const render = async (queue: DecoderQueue, ownerId: string, text: string): Promise<RenderedPhoto> => {
  const path = join(scratchDirectory, `original-${(files += 1)}`);
  await writeFile(path, text);
  return queue.request(ownerId, { kind: 'photo', path, format: 'jpeg' });
};

/** Returns everything that the child has read up to this file. */
const renderAttack = async (queue: DecoderQueue, ownerId: string, text: string): Promise<string[]> => {
  const error = await render(queue, ownerId, text).then(
    () => assert.fail('the child responded with a picture'),
    (error: DecodeError) => error,
  );
  assert.equal(error.code, 'CORRUPT');
  return (error.cause as Error).message.split(',');
};

for (const maxChildren of [1, 3]) {
  test(
    `shows a compromised child no file of another owner, with up to ${maxChildren} children`,
    { skip: lacksConfinement },
    async (t) => {
      const queue = openQueue(t, { maxChildren });
      assert.deepEqual(await renderAttack(queue, 'Ada', 'secret 1 of Ada'), ['secret 1 of Ada']);
      const both = ['secret 1 of Ada', 'secret 2 of Ada'];
      assert.deepEqual(await renderAttack(queue, 'Ada', 'secret 2 of Ada'), both, 'the child kept the first secret');
      assert.deepEqual(await renderAttack(queue, 'Ben', 'secret of Ben'), ['secret of Ben']);
      const later = await renderAttack(queue, 'Ada', 'secret 3 of Ada');
      assert.deepEqual(later, [...(maxChildren === 1 ? [] : both), 'secret 3 of Ada']);
      assert.equal(queue.childPids().length, Math.min(2, maxChildren));
    },
  );
}

const countSandboxes = async (): Promise<number> =>
  (await readdir(scratchDirectory)).filter((name) => name.startsWith('sandbox')).length;

test(
  'keeps no more children than allowed, and removes the sandbox of each that ends',
  { skip: lacksConfinement },
  async (t) => {
    const queue = openQueue(t, { maxChildren: 2 });
    for (const owner of ['Ada', 'Ben', 'Cem', 'Ada', 'Ben']) await renderAttack(queue, owner, `secret of ${owner}`);
    assert.equal(queue.childPids().length, 2);
    assert.equal(await countSandboxes(), 2);
    await queue.close();
    assert.equal(await countSandboxes(), 0);
  },
);

test(
  'replaces a decoder after more than 4 GiB of input, because it may have kept all of it',
  { skip: lacksConfinement },
  async (t) => {
    const queue = openQueue(t, { program: undefined });
    const path = join(scratchDirectory, 'large.jpg');
    await writeFile(path, await makeFlatImage('#808080').jpeg().toBuffer());
    await truncate(path, 2.5 * 1024 ** 3);
    const pids: number[][] = [];
    for (let i = 0; i < 2; i += 1) {
      await queue.request('Ada', { kind: 'photo', path, format: 'jpeg' });
      pids.push(queue.childPids());
    }
    assert.deepEqual(
      pids.map(({ length }) => length),
      [1, 0],
    );
  },
);

test('ends a child that allocates without limit', async (t) => {
  const queue = openQueue(t, { memoryLimitBytes: 300e6 });
  await assert.rejects(render(queue, 'Ada', 'allocate'), {
    code: 'OUT_OF_MEMORY',
    permanent: false,
    message: /300 MB/,
  });
  assert.equal((await render(queue, 'Ada', 'plausible')).width, 640);
});

for (const action of ['huge', 'film', 'ready']) {
  test(`ends a child that responds with anything but a photo (${action}), and counts the attempt`, async (t) => {
    const queue = openQueue(t);
    assert.equal((await render(queue, 'Ada', 'plausible')).width, 640);
    const [pid] = queue.childPids();
    await assert.rejects(render(queue, 'Ada', action), { code: 'CRASHED', permanent: false });
    assert.equal((await render(queue, 'Ada', 'plausible')).width, 640);
    assert.notEqual(queue.childPids()[0], pid);
  });
}

for (const action of ['flood', 'spin', 'leak']) {
  test(`ends a child that continues to work after its response (${action})`, async (t) => {
    const queue = openQueue(t, { memoryLimitBytes: 300e6 });
    await renderAttack(queue, 'Ada', action);
    await waitUntil('the child has ended', () => queue.childPids().length === 0);
  });
}

test('ends a child that has started other processes, and decodes the next file', async (t) => {
  const queue = openQueue(t, { confinement: undefined, timeoutMs: 1_000 });
  await assert.rejects(render(queue, 'Ada', 'start'), { code: 'TIMED_OUT' });
  assert.equal((await render(queue, 'Ada', 'plausible')).width, 640);
});
