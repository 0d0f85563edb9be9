import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startInstallation, type Installation } from '@hearth/testkit/servers/installation.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { chart } from './helm.ts';
import { runScript } from './runScript.ts';

/** Starts one API and one worker, with a stub web app. */
const start = async (t: TestContext): Promise<Installation> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-helm-test-'));
  const web = join(directory, 'web');
  await mkdir(web);
  await writeFile(join(web, 'index.html'), '<!doctype html><title>Hearth</title>');
  const database = await createMigratedDatabase();
  const env = { HEARTH_WEB_DIR: web, HEARTH_PUBLIC_URL: 'https://photos.example.org' };
  const installation = await startInstallation({ directory, databaseUrl: database.url, env, apis: 1, workers: 1 });
  t.after(async () => {
    await installation.stop();
    await database.drop();
    await rm(directory, { recursive: true });
  });
  return installation;
};

/** Runs the script as the pod of `helm test` does. */
const run = ({ url, admin }: Installation, password = admin.password) =>
  runScript(join(chart, 'files/scripts/tryLibrary.mts'), {
    LIBRARY_URL: url,
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: password,
  });

test('the helm test script passes on a real Hearth, leaves no data behind, and fails with a wrong password', async (t) => {
  const installation = await start(t);
  const [code, output] = await run(installation);
  assert.equal(code, 0, output);
  assert.deepEqual(
    output.split('\n').map((line) => line.replace(/[ :].*\d.*$/, '')),
    [
      'created an account',
      'signed in',
      'uploaded a photo',
      'ready',
      'searched',
      'read',
      'opened',
      'deleted the account',
      '',
    ],
    output,
  );
  const { url, admin } = installation;
  const authorization = `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`;
  const users = await fetch(`${url}/v1/users`, { headers: { Authorization: authorization } });
  assert.deepEqual(await users.json(), []);
  const [failed, problem] = await run(installation, 'not-the-password');
  assert.equal(failed, 1);
  assert.match(problem, /POST \/v1\/users: 401/);
});
