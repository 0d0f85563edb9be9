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
import { isRunning, processTree } from '@hearth/core/process/processUsage.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-end-child-'));
after(() => rm(folder, { recursive: true }));

/** A child that starts another one in a session of its own, which holds the channel; then it does as it is told. */
async function startWithGrandchild(then: string) {
  const program = join(folder, `${then.length}.mjs`);
  const source = `import { spawn } from 'node:child_process'; import { writeSync } from 'node:fs';
    const { pid } = spawn('/bin/sleep', ['1000'], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 3] });
    writeSync(3, String(pid)); ${then}`;
  await writeFile(program, source);
  const child = forkDecoder(pathToFileURL(program), [], unconfined, { openFiles: 256 });
  const [said] = (await once(child.stdio[3]!, 'data')) as [Buffer];
  return { child, grandchild: Number(said) };
}

test('what a child has started ends with it, also in a session of its own', async () => {
  const { child, grandchild } = await startWithGrandchild('setInterval(() => {}, 1e6);');
  assert.deepEqual(processTree(child.pid!), [child.pid, grandchild]);
  const closed = once(child, 'close');
  await endChild(child);
  await closed;
  assert.deepEqual([isRunning(child.pid!), isRunning(grandchild)], [false, false]);
});

test('a child that has ended before what it has started is not waited for', async () => {
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
