import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';

// The runner cannot run within itself: it is asked in a process of its own.
const ask = async (directory: string, files: readonly string[]): Promise<unknown> => {
  const runner = pathToFileURL(join(import.meta.dirname, 'runFiles.ts')).href;
  const script = join(directory, 'run.mjs');
  await writeFile(
    script,
    `import { runFiles } from ${JSON.stringify(runner)};
     const { passed, failed } = await runFiles(${JSON.stringify(files)}, {}, 3_000);
     console.log('\\n' + JSON.stringify([passed, failed].map((tests) => tests.map(({ name }) => name))));`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env, timeout: 60_000 });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
};

test('a file whose process does not end fails, one that leaves a process behind does not keep the runner, and the others are run', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-run-files-'));
  t.after(() => rm(directory, { recursive: true }));
  const write = async (name: string, body: string): Promise<string> => {
    const path = join(directory, name);
    await writeFile(
      path,
      `import { test } from 'node:test'; import { spawn } from 'node:child_process'; test('${name}', () => { ${body} });`,
    );
    return path;
  };
  const files = [
    await write('stays.test.mjs', 'setInterval(() => {}, 1_000);'),
    await write(
      'leaves.test.mjs',
      `process.kill(spawn('sleep', ['600'], { stdio: 'inherit' }).pid, 'SIGSTOP'); setTimeout(() => process.exit(), 100);`,
    ),
    await write('ends.test.mjs', ''),
  ];
  const [stays] = files;
  assert.deepEqual(await ask(directory, files), [['stays.test.mjs', 'leaves.test.mjs', 'ends.test.mjs'], [stays]]);
});
