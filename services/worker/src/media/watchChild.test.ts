import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBox } from './confinement/box.ts';
import { endChild } from './endChild.ts';
import { watchChild, type Excess } from './watchChild.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-watch-child-'));
after(() => rm(folder, { recursive: true }));

const bounds = { residentBytes: 300e6, cpuSeconds: 0.5, fileBytes: 1e6 };
const idle = 'setInterval(() => {}, 1e6);';

/** Programs, by what they take too much of; \`out\` is the folder that they may write to. */
const programs: Readonly<Record<string, [Excess, string]>> = {
  memory: ['memory', `globalThis.taken = Buffer.alloc(400e6, 1); ${idle}`],
  'the processor': ['time', 'for (;;);'],
  'a process besides': ['processes', `require('node:child_process').spawn('/bin/sleep', ['1000']); ${idle}`],
  'a file that is too long': ['files', `fs.writeFileSync(out + '/a', Buffer.alloc(2e6)); ${idle}`],
  'files together that are too long': [
    'files',
    `for (const name of 'ab') fs.writeFileSync(out + '/' + name, Buffer.alloc(0.6e6)); ${idle}`,
  ],
  'too many files': ['files', `for (let i = 0; i < 100; i++) fs.writeFileSync(out + '/' + i, ''); ${idle}`],
  'a folder': ['files', `fs.mkdirSync(out + '/folder'); ${idle}`],
  'a file without a name': [
    'files',
    `const file = fs.openSync(out + '/a', 'w'); fs.unlinkSync(out + '/a'); fs.writeSync(file, Buffer.alloc(2e6)); ${idle}`,
  ],
};

for (const [what, [expected, program]] of Object.entries(programs)) {
  test(`${what} is seen from outside`, async () => {
    const box = openBox(join(folder, what), 'write', { confine: (command) => command, processes: 1 });
    const out = `const out = ${JSON.stringify(join(box.place('x'), '..'))};`;
    const child = spawn(process.execPath, ['-e', out + program], { detached: true, stdio: 'ignore' });
    const excess = Promise.withResolvers<Excess>();
    try {
      using _ = watchChild(() => child, box, bounds, excess.resolve);
      assert.equal(await excess.promise, expected);
    } finally {
      await endChild(child);
      await box.remove();
    }
  });
}
