import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitForOrphanSweep } from './kills/checkStored.ts';
import { queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { twoDaysAhead } from './kills/drillTarget.ts';
import { getDataDirectory, listFiles } from '@hearth/testkit/hearth/dataFolder.ts';
import { waitForOutput, type Hearth } from '@hearth/testkit/hearth/hearth.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { startTestHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { waitUntilReady } from '@hearth/testkit/hearth/wait.ts';

/* npm run drill:restore: the same with 1,000 photos uploaded after the backup. */
const lostCount = Number(process.argv[2] ?? 8);

const program = fileURLToPath(new URL('../../services/api/src/commands/orphans.ts', import.meta.url));

const stop = async ({ pid, ended }: Hearth): Promise<void> => {
  process.kill(pid, 'SIGTERM');
  assert.deepEqual(await ended, { code: 0, signal: null });
};

test('keeps, lists and adopts all photos uploaded since the backup after a database restore', needsLinux, async (t) => {
  const { directory, client, hearth, start } = await startTestHearth(t, {});
  const query = queryEmbedded(directory);
  const data = getDataDirectory(directory);
  /** Runs the `orphans` command next to the running Hearth. */
  const orphans = async (...args: string[]): Promise<string[]> => {
    const env = { HEARTH_DATA_DIR: data, HEARTH_LOG_LEVEL: 'error' };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
      env,
      maxBuffer: 64 * 2 ** 20,
    });
    return stdout.trimEnd().split('\n');
  };
  const originals = async (): Promise<string[]> =>
    (await listFiles(directory)).filter((path) => path.endsWith('/original'));

  const [kept, lost] = [await makePhotos(31, 2), await makePhotos(32, lostCount)];
  for (const photo of kept) await client.upload(photo);
  await waitUntilReady(query);
  await stop(hearth);
  // `cp -a` keeps the owner, which is another user if root starts Hearth.
  await promisify(execFile)('cp', ['-a', join(data, 'postgres'), join(directory, 'backup')]);

  const second = start();
  await second.running;
  for (const photo of lost) await client.upload(photo);
  await waitUntilReady(query);
  await stop(second);
  const stored = await originals();
  assert.equal(stored.length, kept.length + lost.length);

  await rm(join(data, 'postgres'), { recursive: true });
  await rename(join(directory, 'backup'), join(data, 'postgres'));
  const restoredAt = new Date();
  const third = start(twoDaysAhead);
  await third.running;
  await query('delete from housekeeping_tasks');
  await waitForOrphanSweep(query, restoredAt);
  assert.deepEqual(await originals(), stored);
  await waitForOutput(third, /npm run orphans lists or restores them/);
  const listed = await orphans();
  assert.equal(listed.length, lost.length + 1);
  assert.match(listed.at(-1)!, new RegExp(`^${lost.length.toLocaleString('en')} originals of `));

  await stop(third);

  // With the correct clock: two days ahead, the sweep would treat writes in progress as old ones and remove
  // them.
  const fourth = start();
  await fourth.running;
  const adopted = await orphans('--adopt');
  assert.equal(adopted.at(-1), `${lost.length.toLocaleString('en')} adopted, 0 skipped.`);
  await waitUntilReady(query);
  const rows = await query<{ checksum: string }>(`select encode(checksum, 'hex') as checksum from media_items`);
  assert.deepEqual(
    rows.map(({ checksum }) => checksum).toSorted(),
    [...kept, ...lost].map(({ checksum }) => checksum).toSorted(),
  );
  assert.equal((await originals()).length, stored.length);
  assert.deepEqual(await orphans(), ['Every original in the store has its media item.']);
  await stop(fourth);
});
