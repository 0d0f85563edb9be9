import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSandbox } from '../confinement/sandbox.ts';
import { endChild } from './endChild.ts';
import { watchChild, type Excess } from './watchChild.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-watch-child-'));
after(() => rm(folder, { recursive: true }));

const bounds = { residentBytes: 300e6, cpuSeconds: 0.5 };
const idle = 'setInterval(() => {}, 1e6);';

/** Programs that exceed a limit, by resource. */
const programs: Readonly<Record<string, [Excess, string]>> = {
  memory: ['memory', `globalThis.taken = Buffer.alloc(400e6, 1); ${idle}`],
  'CPU time': ['time', 'for (;;);'],
  processes: ['processes', `require('node:child_process').spawn('/bin/sleep', ['1000']); ${idle}`],
};

for (const [description, [expected, program]] of Object.entries(programs)) {
  test(`reports a child that exceeds its limit of ${description}`, async () => {
    const sandbox = createSandbox(join(folder, description), 'write', { confine: (command) => command, processes: 1 });
    const child = spawn(process.execPath, ['-e', program], { detached: true, stdio: 'ignore' });
    const excess = Promise.withResolvers<Excess>();
    try {
      using _ = watchChild(() => child, sandbox, bounds, excess.resolve);
      assert.equal(await excess.promise, expected);
    } finally {
      await endChild(child);
      await sandbox.remove();
    }
  });
}
