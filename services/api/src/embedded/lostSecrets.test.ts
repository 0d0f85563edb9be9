import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { quickFolder } from '@hearth/core/testing/quickFolder.ts';
import { createClient } from '../testing/client.ts';
import { startEmbedded } from '../testing/embeddedHearth.ts';

test('a lost secrets.json is explained, and npm run secrets makes a new one for the database', async (t) => {
  const folder = await mkdtemp(join(quickFolder(), 'hearth-lost-secrets-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = join(folder, 'secrets.json');
  const newSecrets = () =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, 'newSecrets.ts')], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HEARTH_DATA_DIR: folder },
    });
  const first = await startEmbedded(t, folder);
  const [, password = ''] = /Sign in as +family\s+Password +(\S+)/.exec(first.output) ?? [];
  const signIn = async (url: string): Promise<number> =>
    (await createClient(url)('login', { body: { username: 'family', password } })).status;
  assert.equal(await signIn(first.url), 200);
  await first.stop();
  await assert.rejects(newSecrets(), { stderr: /has its secrets.json: nothing to do/ });

  await rm(file);
  const { exitCode, output } = await startEmbedded(t, folder);
  assert.equal(exitCode, 1);
  assert.match(output, /secrets\.json is missing.*Restore the file from a backup.*npm run secrets/);
  assert.ok(!(await readdir(folder)).includes('secrets.json'), 'nothing was written in its place');

  const { stdout } = await newSecrets();
  const { adminPassword } = JSON.parse(await readFile(file, 'utf8')) as { adminPassword: string };
  assert.ok(stdout.includes(adminPassword));
  const second = await startEmbedded(t, folder);
  assert.equal(await signIn(second.url), 200);
  await second.stop();

  const { tokenSecret: _lost, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify(rest));
  const third = await startEmbedded(t, folder);
  assert.match(third.output, /secrets\.json had no tokenSecret; a new one was made: everybody has to sign in again/);
});
