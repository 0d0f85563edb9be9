import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { loadSecrets, type Secrets } from './secrets.ts';

const createDirectory = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-secrets-test-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
};

const readSecrets = async (directory: string): Promise<unknown> =>
  JSON.parse(await readFile(join(directory, 'secrets.json'), 'utf8'));

test('creates secrets once, readable by the owner only', async (t) => {
  const directory = await createDirectory(t);
  const created = await loadSecrets(directory);
  assert.deepEqual(await readSecrets(directory), created);
  assert.equal((await stat(join(directory, 'secrets.json'))).mode & 0o777, 0o600);
  assert.deepEqual(await loadSecrets(directory), created);
  assert.notEqual((await loadSecrets(await createDirectory(t))).tokenSecret, created.tokenSecret);
});

test('replaces a key that was moved to the previous ones and keeps the rest', async (t) => {
  const directory = await createDirectory(t);
  const { tokenSecret, ...rest } = await loadSecrets(directory);
  await writeFile(join(directory, 'secrets.json'), JSON.stringify({ ...rest, tokenSecretPrevious: [tokenSecret] }));
  const { tokenSecret: newSecret, ...others }: Secrets = await loadSecrets(directory);
  assert.deepEqual(others, { ...rest, tokenSecretPrevious: [tokenSecret] });
  assert.match(newSecret, /^[0-9a-f]{64}$/);
  assert.notEqual(newSecret, tokenSecret);
  assert.deepEqual(await readSecrets(directory), { ...others, tokenSecret: newSecret });
});

test('rejects a file with invalid keys without printing its content', async (t) => {
  const directory = await createDirectory(t);
  const created = await loadSecrets(directory);
  for (const [change, expected] of [
    [{ tokenSecretPrevious: created.tokenSecret }, /tokenSecretPrevious: .*array/],
    [{ linkSecretPrevious: [''] }, /linkSecretPrevious\.0: expected at least 32 characters/],
    [{ linkSecret: 'short' }, /linkSecret: expected at least 32 characters/],
    [{ adminPassword: 7 }, /adminPassword: /],
  ] as const) {
    await writeFile(join(directory, 'secrets.json'), JSON.stringify({ ...created, ...change }));
    await assert.rejects(loadSecrets(directory), (error: Error) => {
      assert.match(error.message, expected);
      for (const secret of Object.values(created)) assert.ok(!error.message.includes(String(secret)));
      return true;
    });
  }
});
