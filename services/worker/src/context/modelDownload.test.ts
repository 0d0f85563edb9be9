import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { openFolderStore } from '@hearth/core/objects/folder/folderStore.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { unusualServers, slowServers, uselessServers, type Respond } from '@hearth/testkit/servers/fileServer.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { placesFileVariable } from '@hearth/testkit/libraries/placesFile.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { startModelMirror } from '@hearth/testkit/models/modelMirror.ts';
import { taskCapabilities } from './tools.ts';

const database = await createMigratedDatabase();
const directory = await mkdtemp(join(tmpdir(), 'hearth-model-download-'));
after(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

/** Responses of a mirror to the first files of the models. The download of the last file never ends. */
const mirrors: Readonly<Record<string, readonly Respond[]>> = {
  'closes connections after the body': Object.values(unusualServers),
  'violates HTTP': [
    uselessServers.truncation.respond,
    uselessServers['endless bytes'].respond,
    uselessServers['a redirect loop'].respond,
    uselessServers['a wrong length'].respond,
    uselessServers['garbage among chunks'].respond,
  ],
};

for (const [name, responses] of Object.entries(mirrors))
  test(`survives a model download from a mirror that ${name}`, async (t) => {
    const mirror = await startModelMirror([...responses, slowServers['a stall in the body'].respond]);
    t.after(mirror.close);
    const item = await buildMediaItem(database.db, (await buildUser(database.db)).id);
    await database.db
      .updateTable('component_runs')
      .set({ state: 'BLOCKED', reason: 'NO_MODEL', blocked_on: taskCapabilities.labels })
      .where('media_item_id', '=', item.id)
      .where('component', '=', 'CLASSIFICATION')
      .execute();
    await takeOverStore(await openFolderStore(join(directory, name, 'objects')), database.db);
    const worker = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
      env: {
        HEARTH_DATABASE_URL: database.url,
        HEARTH_DATA_DIR: join(directory, name),
        HEARTH_METRICS_PORT: '0',
        HEARTH_POOLS: 'ml',
        HEARTH_MODEL_MIRROR: mirror.url,
        ...placesFileVariable(),
        ...compileCache,
        PATH: '/usr/local/bin:/usr/bin:/bin',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => worker.kill('SIGKILL'));
    const exited = once(worker, 'exit');
    const log = text(worker.stdout);
    const paths = () => new Set(mirror.requests.map(({ path }) => path));
    await waitUntil(
      'the last file is requested',
      () => paths().size === responses.length + 1 || worker.exitCode !== null,
    );
    worker.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null], await log);
  });
