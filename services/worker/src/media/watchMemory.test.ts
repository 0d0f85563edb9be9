import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { outOfMemorySignal } from './decoderProtocol.ts';

test('a process whose only thread never rests is ended above its limit of memory', async () => {
  const program = `
    import { watchMemory } from ${JSON.stringify(new URL('watchMemory.ts', import.meta.url).href)};
    await watchMemory(400e6);
    const taken = [];
    for (;;) if (taken.length < 30) taken.push(Buffer.alloc(30e6, taken.length + 1));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, outOfMemorySignal);
});
