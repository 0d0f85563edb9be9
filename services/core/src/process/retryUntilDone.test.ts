import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const moduleUrl = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

test('retries until success and logs each failure with its cause', () => {
  const source = `
    import { createLog } from ${moduleUrl('../log/log.ts')};
    import { retryUntilDone } from ${moduleUrl('retryUntilDone.ts')};
    let tries = 0;
    const result = await retryUntilDone(createLog('test', 'warn'), 'connecting', async () => {
      tries++;
      if (tries < 3) throw new Error('no response to attempt ' + tries);
      return 'connected';
    });
    console.log(result, 'after', tries);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 3);
  assert.match(lines[0]!, /no response to attempt 1.*connecting failed, retrying/);
  assert.match(lines[1]!, /no response to attempt 2/);
  assert.equal(lines[2], 'connected after 3');
});
