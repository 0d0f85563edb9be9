import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

test('is readable only by this user, and is removed with its process even after a kill', async (t) => {
  const source = `
    import { makeMemoryFolder } from ${JSON.stringify(import.meta.resolve('./memoryFolder.ts'))};
    console.log(makeMemoryFolder() ?? '');
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  owner.kill('SIGKILL');
  const folder = line.toString().trim();
  if (folder === '') return t.skip('this machine has too little memory');
  assert.match(folder, /^\/dev\/shm\/hearth-tests-/);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  while (existsSync(folder)) await delay(20);
});

test('does not keep its process running', async () => {
  const source = `import { makeMemoryFolder } from ${JSON.stringify(import.meta.resolve('./memoryFolder.ts'))}; makeMemoryFolder();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
