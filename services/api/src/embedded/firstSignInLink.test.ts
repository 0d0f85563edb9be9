import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createClient } from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { ensureUser } from './firstUser.ts';
import { createFirstSignInLink } from './firstSignInLink.ts';

const address = 'http://127.0.0.1:5001';

/** Starts an API with a built web app and no account. */
const startWithWebApp = async (t: TestContext): Promise<TestApi> => {
  const api = await startTestApi();
  t.after(() => api.stop());
  const { webDirectory } = api.deps.config;
  await mkdir(webDirectory, { recursive: true });
  await writeFile(join(webDirectory, 'index.html'), '<!doctype html>');
  return api;
};

/**
 * Inserts the account directly: through the API, the administrator would have to sign in, which counts as a sign-in.
 */
const addUser = async ({ deps: { db } }: TestApi, username: string): Promise<void> => {
  await ensureUser(db, { username, password: 'a password that nobody has' });
};

test('creates a link that signs the only account in', async (t) => {
  const api = await startWithWebApp(t);
  assert.equal(await createFirstSignInLink(api.deps, address), undefined);
  await addUser(api, 'family');
  const link = (await createFirstSignInLink(api.deps, address)) ?? '';
  const [, code = ''] = /^http:\/\/127\.0\.0\.1:5001\/welcome#([\w-]{43})$/.exec(link) ?? [];
  assert.notEqual(await createFirstSignInLink(api.deps, address), link);
  assert.equal((await api.call('logInOnce', { body: { code } })).status, 401);
});

test('creates no link after a sign-in, even when the session has ended', async (t) => {
  const api = await startWithWebApp(t);
  await addUser(api, 'family');
  const link = (await createFirstSignInLink(api.deps, address)) ?? '';
  const { body } = await api.call('logInOnce', { body: { code: link.split('#')[1] ?? '' } });
  assert.equal(await createFirstSignInLink(api.deps, address), undefined);
  await createClient(api.url, `Bearer ${body.accessToken}`)('logout');
  assert.equal(await createFirstSignInLink(api.deps, address), undefined);
});

test('creates no link if photos or a second account exist, or the web app is not built', async (t) => {
  const api = await startWithWebApp(t);
  const { db, config } = api.deps;
  const user = await api.signUp();
  await user.call('uploadMediaItem', fileUpload(await makeNextPhoto()));
  for (const table of ['sessions', 'audit_log'] as const) await db.deleteFrom(table).execute();
  assert.equal(await createFirstSignInLink(api.deps, address), undefined);
  await db.deleteFrom('media_items').execute();
  assert.notEqual(await createFirstSignInLink(api.deps, address), undefined);
  const unbuilt = { ...config, webDirectory: join(config.webDirectory, 'nowhere') };
  assert.equal(await createFirstSignInLink({ ...api.deps, config: unbuilt }, address), undefined);
  await addUser(api, 'guests');
  assert.equal(await createFirstSignInLink(api.deps, address), undefined);
});
