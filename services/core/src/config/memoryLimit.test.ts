import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getDecoderMemoryBytes, getMemoryLimitBytes } from './memoryLimit.ts';

const limitBytes = 512 * 1024 ** 2;

/** Mount points of the cgroup v1 and v2 memory controllers, with the name of the limit file. */
const controllers = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const;

/** Creates a cgroup limited to `limitBytes` of memory. Returns undefined without the permission to. */
const makeLimitedGroup = (): string | undefined => {
  for (const [folder, file] of controllers) {
    if (!existsSync(folder)) continue;
    const group = join(folder, `hearth-test-${process.pid}`);
    try {
      mkdirSync(group);
      after(() => rmdirSync(group));
      if (!existsSync(join(group, file))) continue;
      writeFileSync(join(group, file), String(limitBytes));
      return group;
    } catch {
      // Not root, or the folder is read-only.
    }
  }
  return undefined;
};

const group = makeLimitedGroup();

test(
  'uses the memory limit of its cgroup',
  { skip: group === undefined && 'no cgroup with a memory limit can be made here' },
  () => {
    const program = `
      import { getMemoryLimitBytes } from ${JSON.stringify(new URL('memoryLimit.ts', import.meta.url).href)};
      import { readConfig } from ${JSON.stringify(new URL('config.ts', import.meta.url).href)};
      import { workerVariables } from ${JSON.stringify(new URL('workerConfig.ts', import.meta.url).href)};
      const { decodersMemoryBytes } = readConfig(workerVariables({}), { HEARTH_DATABASE_URL: 'postgres:///' });
      console.log(JSON.stringify([getMemoryLimitBytes(), decodersMemoryBytes]));`;
    // The shell joins the cgroup, then Node replaces the shell.
    const script = 'echo $$ > "$1/cgroup.procs" && exec "$2" --input-type=module --eval "$3"';
    const found = execFileSync('sh', ['-c', script, 'sh', group!, process.execPath, program], { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(found), [limitBytes, limitBytes / 2]);
  },
);

test('uses the memory of the machine without a limit', () => {
  assert.ok(getMemoryLimitBytes() <= totalmem());
});

test('gives decoders all memory except 1 GB, and at least half', () => {
  assert.deepEqual([8e9, 2e9, 1e9].map(getDecoderMemoryBytes), [7e9, 1e9, 0.5e9]);
});
