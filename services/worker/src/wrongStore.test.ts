import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { placesFileVariable } from '@hearth/testkit/libraries/placesFile.ts';

test('does not run on an empty store if the database has items', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-worker-store-test-'));
  const database = await createMigratedDatabase();
  t.after(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });
  const { id } = await buildUser(database.db);
  await buildMediaItem(database.db, id);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      HEARTH_DATABASE_URL: database.url,
      HEARTH_DATA_DIR: directory,
      HEARTH_METRICS_PORT: '0',
      ...placesFileVariable(),
      ...compileCache,
      PATH: '/usr/local/bin:/usr/bin:/bin',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, exit] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.match(printed, /no library marker, and contains only 0 of 1 sampled originals.*"cannot use this object store/);
  assert.deepEqual(exit, [1, null]);
});
