import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { markerKey } from '@hearth/core/objects/marker.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { createClient, type Client } from '@hearth/testkit/api/client.ts';
import { startEmbedded, type EmbeddedHearth, type ExitOptions } from '@hearth/testkit/api/embeddedHearth.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { withDatabase } from './withDatabase.ts';

const makeFolder = async (t: ExitOptions): Promise<string> => {
  const folder = await mkdtemp(join(getFastFolder(), 'hearth-old-objects-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

/** Signs in as the first user, with the password printed by the first start. */
const signIn = async ({ url }: EmbeddedHearth, { output }: EmbeddedHearth): Promise<Client> => {
  const [, password = ''] = /Sign in as +family\s+Password +(\S+)/.exec(output) ?? [];
  const { body } = await createClient(url)('login', { body: { username: 'family', password } });
  return createClient(url, `Bearer ${body.accessToken}`);
};

/** Runs `npm run orphans` or `npm run verify`. */
const run = async (command: 'orphans' | 'verify', dataDirectory: string, ...args: string[]): Promise<string> => {
  const program = join(import.meta.dirname, '../commands', `${command}.ts`);
  const env = { ...compileCache, PATH: '/usr/local/bin:/usr/bin:/bin', HEARTH_DATA_DIR: dataDirectory };
  return (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout;
};

/** Downloads all originals and returns their SHA-256 checksums. */
const listChecksums = async ({ url }: EmbeddedHearth, call: Client): Promise<string[]> => {
  const { body } = await call('listMediaItems');
  const download = async ({ sourceUrl }: { sourceUrl: string }): Promise<string> =>
    createHash('sha256')
      .update(await (await fetch(new URL(sourceUrl, url))).bytes())
      .digest('hex');
  return (await Promise.all(body.map(download))).toSorted();
};

/** Data folder of a stopped Hearth with photos, and their checksums. Tests work on copies. */
const library = await (async () => {
  const folder = await makeFolder({ after });
  const hearth = await startEmbedded({ after }, folder);
  const call = await signIn(hearth, hearth);
  for (let i = 0; i < 2; i++) await call('uploadMediaItem', fileUpload(await makeNextPhoto()));
  const checksums = await listChecksums(hearth, call);
  assert.equal(new Set(checksums).size, 2);
  await hearth.stop();
  return { folder, hearth, checksums };
})();

/** Copies the data folder including file owners: PostgreSQL rejects files of other users. */
const copyLibrary = async (t: ExitOptions): Promise<string> => {
  const folder = await makeFolder(t);
  await promisify(execFile)('cp', ['-a', `${library.folder}/.`, folder]);
  return folder;
};

test('refuses to start without its objects, and starts when they are back', async (t) => {
  const folder = await copyLibrary(t);
  await rename(join(folder, 'objects'), join(folder, 'objects-away'));
  const { exitCode, output } = await startEmbedded(t, folder);
  assert.equal(exitCode, 1);
  assert.match(output, /Hearth cannot start: the object store has no library marker.*mount its disk/);
  assert.ok(!(await readdir(folder)).includes('objects'), 'a refused start makes no folder');
  await rename(join(folder, 'objects-away'), join(folder, 'objects'));
  const again = await startEmbedded(t, folder);
  assert.deepEqual(await listChecksums(again, await signIn(again, library.hearth)), library.checksums);
});

/** Arguments of `npm run orphans`, as printed by the refused start. */
let command = '';

test('refuses a database with other migrations, and prints how to move its objects to a new data folder', async (t) => {
  const old = await copyLibrary(t);
  await withDatabase({ databaseUrl: undefined, dataDirectory: old }, (url) =>
    queryOnce(url, 'update applied_migrations set sha256 = md5(name)'),
  );
  const { exitCode, output } = await startEmbedded(t, old);
  assert.equal(exitCode, 1);
  const found =
    /the database was created by Hearth .* run "npm run orphans -- (.*)" \(for npm start: family\).*/.exec(output) ??
    [];
  [, command = ''] = found;
  for (const program of ['orphans', 'verify'] as const)
    await assert.rejects(run(program, old), ({ stderr }: { stderr: string }) => stderr === `${found[0]}\n`);
});

for (const hasMarker of [true, false])
  test(`takes over old objects ${hasMarker ? 'with' : 'without'} a marker in a new data folder, as the refused start advises`, async (t) => {
    const old = await copyLibrary(t);
    const folder = await makeFolder(t);
    await rename(join(old, 'objects'), join(folder, 'objects'));
    if (!hasMarker) await rm(join(folder, 'objects', markerKey));
    const first = await startEmbedded(t, folder);
    assert.equal(first.exitCode, hasMarker ? 1 : null);
    if (hasMarker) assert.match(first.output, /the object store belongs to library .*npm run orphans -- --take-over/);
    await first.stop();
    const args = command.replace('USERNAME', 'family').split(' ');
    assert.match(await run('orphans', folder, ...args), /2 adopted, 0 skipped/);
    const second = await startEmbedded(t, folder);
    assert.deepEqual(await listChecksums(second, await signIn(second, hasMarker ? second : first)), library.checksums);
    const marker = await readFile(join(folder, 'objects', markerKey), 'utf8');
    assert.match(marker, /^\{"library":"[0-9a-f-]{36}"\}\n$/);
  });
