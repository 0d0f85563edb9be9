import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { decodersShareBytes, memoryLimitBytes } from './memoryLimit.ts';

const limitBytes = 512 * 1024 ** 2;

/** The memory controller of cgroup v1 and of cgroup v2, with the file that holds the limit of a group. */
const controllers = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const;

/** Makes a cgroup with `limitBytes` of memory; undefined where this process may not. */
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
  'a process in a cgroup follows the limit of its memory',
  { skip: group === undefined && 'no cgroup with a memory limit can be made here' },
  () => {
    const program = `
      import { memoryLimitBytes } from ${JSON.stringify(new URL('memoryLimit.ts', import.meta.url).href)};
      import { readConfig } from ${JSON.stringify(new URL('config.ts', import.meta.url).href)};
      import { workerVariables } from ${JSON.stringify(new URL('workerConfig.ts', import.meta.url).href)};
      const { decodersMemoryBytes } = readConfig(workerVariables({}), { HEARTH_DATABASE_URL: 'postgres:///' });
      console.log(JSON.stringify([memoryLimitBytes(), decodersMemoryBytes]));`;
    // The shell joins the group, and Node takes its place there.
    const script = 'echo $$ > "$1/cgroup.procs" && exec "$2" --input-type=module --eval "$3"';
    const found = execFileSync('sh', ['-c', script, 'sh', group!, process.execPath, program], { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(found), [limitBytes, limitBytes / 2]);
  },
);

test('a process without a limit follows the memory of the machine', () => {
  assert.ok(memoryLimitBytes() <= totalmem());
});

test('decoders share all but 1 GB, and at least half', () => {
  assert.deepEqual([8e9, 2e9, 1e9].map(decodersShareBytes), [7e9, 1e9, 0.5e9]);
});
