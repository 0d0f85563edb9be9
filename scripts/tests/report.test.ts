import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type Report, findLeak } from './report.ts';

/** Runs test files with these bodies in a child process, so that their output does not mix with this test's. */
const report = async (
  t: TestContext,
  bodies: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Report> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-report-'));
  t.after(() => rm(directory, { recursive: true }));
  const files = Object.keys(bodies).map((name) => join(directory, `${name}.test.mjs`));
  for (const [index, body] of Object.values(bodies).entries())
    await writeFile(
      files[index]!,
      `import { suite, test } from 'node:test'; import { spawn, spawnSync } from 'node:child_process'; ${body}`,
    );
  const script = join(directory, 'run.mjs');
  await writeFile(
    script,
    `import { runSuite } from ${JSON.stringify(import.meta.resolve('./runSuite.ts'))};
     const report = await runSuite(${JSON.stringify(files)}, { filesPerCore: 4, env: ${JSON.stringify(env)} });
     console.log('\\n' + JSON.stringify(report));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 60_000 });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Report;
};

/** Formats tests as name and reason. */
const summarize = (tests: Report['failed']): string[] =>
  tests.map(({ name, reason }) => `${name}: ${reason}`).toSorted();

test('counts tests that pass, and names those that fail or are skipped with their reasons', async (t) => {
  const { passed, failed, skipped, seconds } = await report(t, {
    one: `suite('all', () => { test('right', () => {}); test('wrong', () => { throw new Error('one is not two'); }); });`,
    two: `test('later', { skip: 'no tool' }, () => {}); test('right', () => {});`,
  });
  assert.equal(passed, 2);
  assert.deepEqual(summarize(failed), ['wrong: one is not two']);
  assert.deepEqual(summarize(skipped), ['later: no tool']);
  assert.equal(Object.keys(seconds).length, 2);
});

test('counts every test of a file that ends with many results at once', async (t) => {
  const { passed } = await report(t, { many: `for (let index = 0; index < 3_000; index++) test('right', () => {});` });
  assert.equal(passed, 3_000);
});

test('fails a file that cannot be loaded, and one whose process is killed', async (t) => {
  const { passed, failed } = await report(t, {
    broken: `import './missing.mjs';`,
    killed: `test('kills itself', () => { process.kill(process.pid, 'SIGSEGV'); });`,
    good: `test('right', () => {});`,
  });
  assert.equal(passed, 1);
  assert.equal(failed.length, 2);
  assert.match(failed.map(({ reason }) => reason).join(' '), /code 1.*SIGSEGV|SIGSEGV.*code 1/);
});

test('ends a file with pending work after its tests', async (t) => {
  const { passed, failed } = await report(t, { stays: `setInterval(() => {}, 1_000); test('right', () => {});` });
  assert.deepEqual([passed, failed], [1, []]);
});

test('ends and names a file if a process left by its tests keeps the output open', async (t) => {
  const { failed } = await report(
    t,
    { leaves: `test('right', () => { spawn('sleep', ['15'], { stdio: 'inherit' }).unref(); });` },
    { HEARTH_TEST_SILENCE_MS: '3000' },
  );
  assert.deepEqual(summarize(failed), ['the file ends: no output for too long']);
});

test('fails a file whose processes write a secret', async (t) => {
  // Joined here, so that this file does not contain it.
  const secret = ['/v1/files/a?signature', 'x'.repeat(43)].join('=');
  const { passed, failed } = await report(t, {
    tells: `test('right', () => void spawnSync('echo', ['fetched ${secret}'], { stdio: 'inherit' }));`,
  });
  assert.equal(passed, 1);
  assert.deepEqual(summarize(failed), ['its processes print no secret: the signature of a link']);
});

for (const [leak, text] of [
  ['an access token', `Bearer eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(40)}.${'c'.repeat(43)}`],
  ['a hash of a password', ['$argon2id', 'v=19$m=19456'].join('$')],
  ['the id of a shared album', 'GET /v1/sharing/b41e5635-3bc5-412b-b839-fdc0cbc56e7a 404'],
  [undefined, 'GET /v1/sharing/:id 404 and /v1/mediaItems/b41e5635-3bc5-412b-b839-fdc0cbc56e7a'],
] as const) {
  test(`${leak ?? 'no secret'} is found in the output of a process`, () => assert.equal(findLeak(text), leak));
}
