import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { unconfined } from '../confinement/confinement.ts';
import { endChild } from './endChild.ts';
import { forkDecoder } from './forkDecoder.ts';
import { isRunning, listProcessTree } from '@hearth/core/process/processUsage.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-end-child-'));
after(() => rm(folder, { recursive: true }));

/** Starts a child that starts a second process in a new session. The second process inherits the channel. The child then runs `then`. */
async function startWithGrandchild(then: string) {
  const program = join(folder, `${then.length}.mjs`);
  const source = `import { spawn } from 'node:child_process'; import { writeSync } from 'node:fs';
    const { pid } = spawn('/bin/sleep', ['1000'], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 3] });
    writeSync(3, String(pid)); ${then}`;
  await writeFile(program, source);
  const child = forkDecoder(pathToFileURL(program), [], unconfined, { openFiles: 256 });
  const [output] = (await once(child.stdio[3]!, 'data')) as [Buffer];
  return { child, grandchild: Number(output) };
}

test('ends the processes that a child has started, even in another session', async () => {
  const { child, grandchild } = await startWithGrandchild('setInterval(() => {}, 1e6);');
  assert.deepEqual(listProcessTree(child.pid!), [child.pid, grandchild]);
  const closed = once(child, 'close');
  await endChild(child);
  await closed;
  assert.deepEqual([isRunning(child.pid!), isRunning(grandchild)], [false, false]);
});

test('does not wait for processes whose parent has already ended', async () => {
  const { child, grandchild } = await startWithGrandchild('process.kill(process.pid, "SIGKILL");');
  try {
    await once(child, 'exit');
    const closed = once(child, 'close');
    await endChild(child);
    await closed;
  } finally {
    process.kill(grandchild, 'SIGKILL');
  }
});
