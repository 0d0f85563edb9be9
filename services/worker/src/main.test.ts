import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { markFolder } from '@hearth/testkit/servers/markFolder.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { placesFileVariable } from '@hearth/testkit/libraries/placesFile.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { lacksModels, testStore } from '@hearth/testkit/models/testModels.ts';
import { decodeCapability } from './media/formats/photoFormats.ts';
import { taskCapabilities } from './context/tools.ts';
import { openPlaces } from './places/places.ts';
import { placesCapability } from './places/placesData.ts';

const database = await createMigratedDatabase();
const directory = await mkdtemp(join(tmpdir(), 'hearth-worker-main-test-'));
for (const folder of ['.', 'without-map', 'without-models', 'confined'])
  await markFolder(database.db, join(directory, folder));
after(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

test('starts while its metrics port is in use, serves metrics once the port is free, and exits 0 on SIGTERM', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const env = {
    HEARTH_DATABASE_URL: database.url,
    HEARTH_DATA_DIR: directory,
    HEARTH_METRICS_PORT: String(port),
    // The metrics server ignores this variable.
    HEARTH_HOST: '127.0.0.2',
    ...placesFileVariable(),
    ...compileCache,
    PATH: '/usr/local/bin:/usr/bin:/bin',
  };
  const worker = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(worker, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    lines.push(line);
    if (line.includes('worker started')) break;
  }
  assert.ok(lines.some((line) => line.includes('metrics port in use; retrying until it is free')));
  worker.stdout.resume();

  holder.close();
  await once(holder, 'close');
  const isServed = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil('metrics are served', isServed);
  assert.deepEqual(await (await fetch(`http://127.0.0.1:${port}/livez`)).json(), { status: 'ok' });
  worker.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('builds a missing places file while it works, and then looks up places', async () => {
  const dataDirectory = join(directory, 'without-map');
  const { id } = await buildMediaItem(database.db, (await buildUser(database.db)).id);
  const block = async (component: ComponentName, blockedOn: string): Promise<void> => {
    const blocked = { state: 'BLOCKED', blocked_on: blockedOn } as const;
    await database.db.updateTable('component_runs').set(blocked).where('component', '=', component).execute();
  };
  await block('PREVIEW_THUMBNAIL', decodeCapability('image/jpeg'));
  await block('PLACES', placesCapability);
  const worker = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      HEARTH_DATABASE_URL: database.url,
      HEARTH_DATA_DIR: dataDirectory,
      HEARTH_METRICS_PORT: '0',
      HEARTH_OFFLINE: '1',
      ...compileCache,
      PATH: '/usr/local/bin:/usr/bin:/bin',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(worker, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const isBlocked = async (component: ComponentName): Promise<boolean> =>
    (await listRuns(database.db, id)).some((run) => run.component === component && run.state === 'BLOCKED');
  await waitUntil('the worker has started', async () => !(await isBlocked('PREVIEW_THUMBNAIL')));
  assert.ok(await isBlocked('PLACES'), 'the worker starts without places');
  await waitUntil('the places file is built', async () => !(await isBlocked('PLACES')), { timeoutMs: 300_000 });
  assert.deepEqual((await openPlaces(join(dataDirectory, 'places.bin'))).about.postcodesOf, []);
  worker.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test(
  'reports missing models once, downloads them for blocked runs, and unblocks these',
  { skip: lacksModels },
  async () => {
    const item = await buildMediaItem(database.db, (await buildUser(database.db)).id);
    const blocked = { state: 'BLOCKED', reason: 'NO_MODEL', blocked_on: taskCapabilities.labels } as const;
    const runKey = { media_item_id: item.id, component: 'CLASSIFICATION' } as const;
    await database.db
      .updateTable('component_runs')
      .set(blocked)
      .where((block) => block.and(runKey))
      .execute();
    const worker = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        HEARTH_DATABASE_URL: database.url,
        HEARTH_DATA_DIR: join(directory, 'without-models'),
        HEARTH_METRICS_PORT: '0',
        HEARTH_POOLS: 'ml',
        HEARTH_MODEL_MIRROR: testStore.directory,
        ...placesFileVariable(),
        ...compileCache,
        PATH: '/usr/local/bin:/usr/bin:/bin',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(worker, 'exit');
    const message = text(worker.stdout);
    const state = async () =>
      (await listRuns(database.db, item.id)).find(({ component }) => component === 'CLASSIFICATION')?.state;
    await waitUntil('the run is unblocked', async () => (await state()) === 'PENDING');
    worker.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    const lines = (await message).split('\n');
    assert.equal(lines.filter((line) => /yolox-nano.* is missing.*npm run models/.test(line)).length, 1);
    assert.equal(lines.filter((line) => line.includes('"provider":"cpu"')).length, 1);
  },
);

const confined = {
  HEARTH_DATABASE_URL: database.url,
  HEARTH_DATA_DIR: join(directory, 'confined'),
  HEARTH_CONFINEMENT: 'required',
  ...placesFileVariable(),
  ...compileCache,
  PATH: '/usr/local/bin:/usr/bin:/bin',
};

test('reports the confinement of its decoders in the log and as a metric', { skip: missingTool('bwrap') }, async () => {
  const port = await findFreePort();
  const worker = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...confined, HEARTH_METRICS_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(worker, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    lines.push(line);
    if (line.includes('worker started')) break;
  }
  worker.stdout.resume();
  assert.equal(lines.filter((line) => line.includes('"confinement":"bubblewrap"')).length, 1);
  const isServed = async (): Promise<boolean> =>
    (
      await fetch(`http://127.0.0.1:${port}/metrics`).then(
        (response) => response.text(),
        () => '',
      )
    ).includes('hearth_decoder_confinement{kind="bubblewrap"} 1');
  await waitUntil('metrics are served', isServed);
  worker.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('does not start if confinement is required but impossible', { skip: missingTool('bwrap') }, async () => {
  // Both programs exist and fail.
  const refusals = ['/usr/bin/bwrap', '/usr/bin/setpriv'].flatMap((path) => ['--ro-bind', '/bin/false', path]);
  const worker = spawn(
    toolPath('bwrap'),
    ['--dev-bind', '/', '/', ...refusals, '--', process.execPath, join(import.meta.dirname, 'main.ts')],
    { env: { ...confined, HEARTH_METRICS_PORT: '0' }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const [message, [code]] = await Promise.all([text(worker.stderr), once(worker, 'exit')]);
  assert.equal(code, 78);
  assert.match(message, /HEARTH_CONFINEMENT is "required"/);
  assert.match(message, /worker\.confinement: off.*\. Risk: .*\s.*read all originals/);
  assert.ok(Buffer.byteLength(message) <= 2_048, 'Kubernetes would truncate it');
});
