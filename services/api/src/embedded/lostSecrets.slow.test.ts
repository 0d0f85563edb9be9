import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { createClient } from '@hearth/testkit/api/client.ts';
import { startEmbedded } from '@hearth/testkit/api/embeddedHearth.ts';

/** Runs `npm run secrets`, or another command of embedded mode. */
const run = (folder: string, program = 'newSecrets.ts', ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, program), ...args], {
    env: { ...compileCache, PATH: '/usr/local/bin:/usr/bin:/bin', HEARTH_DATA_DIR: folder },
  });

const signInAs = async (url: string, username: string, password: string): Promise<number> =>
  (await createClient(url)('login', { body: { username, password } })).status;

test('explains a lost secrets.json, and npm run secrets creates a new one', async (t) => {
  const folder = await mkdtemp(join(getFastFolder(), 'hearth-lost-secrets-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = join(folder, 'secrets.json');
  const first = await startEmbedded(t, folder);
  const [, password = ''] = /Sign in as +family\s+Password +(\S+)/.exec(first.output) ?? [];
  const signIn = (url: string): Promise<number> => signInAs(url, 'family', password);
  assert.equal(await signIn(first.url), 200);
  await first.stop();
  await assert.rejects(run(folder), { stderr: /secrets.json exists in .*; nothing to do/ });

  await rm(file);
  const { exitCode, output } = await startEmbedded(t, folder);
  assert.equal(exitCode, 1);
  assert.match(output, /secrets\.json is missing.*Restore the file from a backup.*npm run secrets/);
  assert.ok(!(await readdir(folder)).includes('secrets.json'), 'nothing was written in its place');

  const { stdout } = await run(folder);
  const { adminPassword } = JSON.parse(await readFile(file, 'utf8')) as { adminPassword: string };
  assert.ok(stdout.includes(adminPassword));
  const second = await startEmbedded(t, folder);
  assert.equal(await signIn(second.url), 200);
  await second.stop();

  const { tokenSecret: _lost, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify(rest));
  const third = await startEmbedded(t, folder);
  assert.match(third.output, /secrets\.json had no tokenSecret; generated a new one: everyone has to sign in again/);
});

test('explains a secrets.json of another library, and npm run secrets replaces it', async (t) => {
  const folder = await mkdtemp(join(getFastFolder(), 'hearth-wrong-secrets-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const first = await startEmbedded(t, folder);
  const [, password = ''] = /Sign in as +family\s+Password +(\S+)/.exec(first.output) ?? [];
  await first.stop();
  const file = join(folder, 'secrets.json');
  const secrets = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  const wrong = JSON.stringify({ ...secrets, databasePassword: 'that of another library' });
  await writeFile(file, wrong);

  const explanation = /secrets\.json does not match the database in .*postgres.*from a backup.*npm run secrets/;
  const { exitCode, output } = await startEmbedded(t, folder);
  assert.equal(exitCode, 1);
  assert.match(output, explanation);
  assert.doesNotMatch(output, /HEARTH_DATABASE_URL/);
  await assert.rejects(run(folder, 'password.ts', 'family'), { stderr: explanation });
  assert.equal(await readFile(file, 'utf8'), wrong);

  const { stdout } = await run(folder);
  const [, aside = ''] = /The old file is now (.*)/.exec(stdout) ?? [];
  assert.equal(await readFile(aside, 'utf8'), wrong);
  const second = await startEmbedded(t, folder);
  assert.equal(await signInAs(second.url, 'family', password), 200);
  const { adminPassword } = JSON.parse(await readFile(file, 'utf8')) as { adminPassword: string };
  assert.ok(stdout.includes(adminPassword));
});
