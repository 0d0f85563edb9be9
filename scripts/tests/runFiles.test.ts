import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { findLeak } from './findLeak.ts';

/** The names of the tests that passed, and those of the failed ones with their reasons. */
type Answer = readonly [passed: readonly string[], failed: readonly (readonly [name: string, reason: string])[]];

// The runner cannot run within itself: it is asked in a process of its own.
const ask = async (directory: string, groups: readonly (readonly string[])[]): Promise<Answer> => {
  const runner = pathToFileURL(join(import.meta.dirname, 'runFiles.ts')).href;
  const script = join(directory, 'run.mjs');
  await writeFile(
    script,
    `import { runFiles } from ${JSON.stringify(runner)};
     const { passed, failed } = await runFiles(${JSON.stringify(groups)}, { silenceMs: 3_000 });
     console.log('\\n' + JSON.stringify([passed.map(({ name }) => name), failed.map(({ name, reason }) => [name, reason])]));`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env, timeout: 60_000 });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Answer;
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
  const [passed, failed] = await ask(
    directory,
    files.map((file) => [file]),
  );
  assert.deepEqual(passed, ['stays.test.mjs', 'leaves.test.mjs', 'ends.test.mjs']);
  assert.deepEqual(failed, [['the process ends well', 'test failed: its process was ended by SIGKILL']]);
});

test('a file fails whose processes write a secret, also one that they have inherited their output to', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-run-files-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'tells.test.mjs');
  // Put together, so that this file does not hold it.
  const secret = ['/v1/files/a?signature', 'x'.repeat(43)].join('=');
  await writeFile(
    path,
    `import { test } from 'node:test'; import { spawnSync } from 'node:child_process';
     test('tells', () => void spawnSync('echo', ['fetched ${secret}'], { stdio: 'inherit' }));`,
  );
  assert.deepEqual(await ask(directory, [[path]]), [
    ['tells'],
    [['its processes write no secret', 'the signature of a link']],
  ]);
});

test('a test that fails is told with what its error says', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-run-files-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'fails.test.mjs');
  await writeFile(
    path,
    `import { suite, test } from 'node:test';
     suite('all', () => { test('is wrong', () => { throw new Error('one is not two'); }); });`,
  );
  assert.deepEqual(await ask(directory, [[path]]), [[], [['is wrong', 'one is not two']]]);
});

test('the files of a group run in one process, one after another with their hooks, and each fails by itself', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-run-files-'));
  t.after(() => rm(directory, { recursive: true }));
  const write = async (name: string, body: string): Promise<string> => {
    const path = join(directory, name);
    await writeFile(path, `import { after, afterEach, beforeEach, test } from 'node:test'; ${body}`);
    return path;
  };
  const group = [
    await write(
      'first.test.mjs',
      `await null;
       let steps;
       beforeEach(() => void (steps = [step]));
       afterEach(() => void steps.push('second'));
       after(() => void (globalThis.steps = steps));
       test('is right', () => {});
       await null;
       const step = 'first';
       test('is wrong', () => { throw new Error('one is not two'); });`,
    ),
    await write('broken.test.mjs', `import './is-not-there.mjs';`),
    await write(
      'hook.test.mjs',
      `after(() => { throw new Error('it does not stop'); }); test('is stopped', () => {});`,
    ),
    await write('last.test.mjs', `test(globalThis.steps.join(', '), () => {});`),
  ];
  const [passed, failed] = await ask(directory, [group]);
  assert.deepEqual(passed, ['is right', 'is stopped', 'first, second']);
  const [, broken, hook] = group;
  assert.deepEqual(new Set(failed.map(([name]) => name)), new Set(['is wrong', broken, hook]));
});

for (const [end, body, name] of [
  ['is ended by one of its files', `process.exit(0);`, 'the file runs to its end'],
  ['dies after a test has failed', `process.kill(process.pid, 'SIGSEGV');`, 'the process ends well'],
] as const)
  test(`files fail that a process has not run to their end, which ${end}`, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'hearth-run-files-'));
    t.after(() => rm(directory, { recursive: true }));
    const bodies = [`throw new Error('one is not two');`, body, ''];
    const files = bodies.map((_, index) => join(directory, `${index}.test.mjs`));
    for (const [index, path] of files.entries())
      await writeFile(path, `import { test } from 'node:test'; test('${index}', () => { ${bodies[index]} });`);
    const [passed, failed] = await ask(directory, [files]);
    assert.deepEqual(passed, []);
    const names = failed.map(([failedName]) => failedName);
    assert.ok(names.includes(name), names.join());
    assert.ok(names.filter((each) => each === 'the file runs to its end').length >= 2, names.join());
  });

for (const [leak, text] of [
  ['an access token', `Bearer eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(40)}.${'c'.repeat(43)}`],
  ['a hash of a password', ['$argon2id', 'v=19$m=19456'].join('$')],
  ['the id of a shared album', 'GET /v1/sharing/b41e5635-3bc5-412b-b839-fdc0cbc56e7a 404'],
  [undefined, 'GET /v1/sharing/:id 404 and /v1/mediaItems/b41e5635-3bc5-412b-b839-fdc0cbc56e7a'],
] as const) {
  test(`${leak ?? 'no secret'} is found in what a process writes`, () => assert.equal(findLeak(text), leak));
}
