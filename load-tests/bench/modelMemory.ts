import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { drawPage } from '@hearth/testkit/pictures/drawnPage.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { lacksPortraits, listPortraits, placePortrait } from '@hearth/testkit/pictures/portraits.ts';
import { getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startReplica } from '@hearth/testkit/servers/replica.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { measureMemory, sumCosts, watchMemory, type ByKind } from '@hearth/testkit/figures/cost.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { makeStartOptions } from '@hearth/testkit/hearth/hearth.ts';
import { toPhoto } from '@hearth/testkit/hearth/photos.ts';
import { watchProcessTree } from '@hearth/testkit/hearth/processTree.ts';
import { describeMachine, saveFigures, publishTable, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { waitFor, waitForEnd } from '@hearth/testkit/hearth/wait.ts';

/*
 * npm run bench:model-memory [-- --photos 1000 --faces 500 --publish]: measures the memory of an `ml` pool worker with
 * its decoder and models. The worker processes photos with people, things and text, and one of a crowd, and is then
 * left idle.
 * Needs the test data. `--json PATH` writes all figures. Exits with 1 if a bound is exceeded or a run failed.
 */
const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '1000' },
    faces: { type: 'string', default: '500' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});
const [photoCount, faceCount] = [Number(values.photos), Number(values.faces)];
if (lacksPortraits !== false) throw new Error(lacksPortraits);

/** Limits of the worker and all its child processes, in MB (PSS). */
const bounds = { working: 700, idle: 150 } as const;

/** Every tenth picture is a page of text, which needs more memory than a photo. */
const photosPerPage = 10;

/** Enough text for a page about as wide as high. */
const pageLines = Array.from(
  { length: 40 },
  (_, line) => `Line ${line + 1} of a page that says nothing, but is read whole, word by word`,
);

const portraits = listPortraits().filter(({ person }) => person !== undefined);

const makePicture = async (nth: number): Promise<Buffer> =>
  nth % photosPerPage === 0
    ? drawPage([`Page ${nth}`, ...pageLines], 36)
    : placePortrait(portraits[nth % portraits.length]!, nth);

/** Width of a face in the group photo, in pixels. About 25 fit across a 1,440 px preview. */
const faceSide = 56;

/** Arranges portraits in a grid on white. */
const makeGroupPhoto = async (count: number): Promise<Buffer> => {
  const columns = Math.ceil(Math.sqrt(count * 1.25));
  const tiles = await Promise.all(
    portraits.map(({ path }) =>
      sharp(path).autoOrient().resize(faceSide, faceSide, { fit: 'cover', position: 'attention' }).png().toBuffer(),
    ),
  );
  const size = { width: columns * faceSide, height: Math.ceil(count / columns) * faceSide };
  return sharp({ create: { ...size, channels: 3, background: 'white' } })
    .composite(
      Array.from({ length: count }, (_, nth) => ({
        input: tiles[nth % tiles.length]!,
        left: (nth % columns) * faceSide,
        top: Math.floor(nth / columns) * faceSide,
      })),
    )
    .jpeg({ quality: 92 })
    .toBuffer();
};

const directory = await makeFolder('bench-model-memory');
const database = await createMigratedDatabase();
const env = {
  HEARTH_LOG_LEVEL: 'warn',
  HEARTH_MODEL_DIR: getTestDataFolder('models'),
  HEARTH_OFFLINE: '1',
};
const installation = await startInstallation({
  directory,
  databaseUrl: database.url,
  apis: 1,
  workers: 1,
  env: { ...env, HEARTH_POOLS: 'media' },
});
const worker = await startReplica({
  name: 'worker-ml',
  program: fileURLToPath(new URL('../../services/worker/src/main.ts', import.meta.url)),
  env: {
    ...env,
    ...makeStartOptions(),
    MALLOC_ARENA_MAX: '2',
    HEARTH_POOLS: 'ml',
    HEARTH_DATABASE_URL: database.url,
    HEARTH_DATA_DIR: join(directory, 'data'),
  },
  directory,
});
const processes = watchProcessTree();
processes.adopt(worker.pid);

const query = <Row extends object>(text: string): Promise<Row[]> => queryOnce<Row>(database.url, text);
const waitUntilProcessed = (): Promise<unknown> =>
  waitForEnd(
    async () =>
      (
        await query<{ left: number }>(
          `select count(*)::int as left from component_runs where state in ('PENDING', 'RUNNING')`,
        )
      )[0],
    ({ left }) => left === 0,
  );

/** Returns the memory after the models have been unloaded. An idle decoder stays loaded. */
const measureIdle = async (): Promise<ByKind> => {
  await waitFor('the models are unloaded', async () => measureMemory(processes)['models'] === undefined, {
    everyMs: 1_000,
  });
  await sleep(settleMs);
  return measureMemory(processes);
};

/** Time for the worker's garbage collection. */
const settleMs = 5_000;

const kinds = ['worker', 'decoders', 'models'] as const;
const memoryRow = (what: string, memory: ByKind, maxMegabytes: number): string =>
  renderRow(
    what,
    ...[...kinds.map((kind) => memory[kind] ?? 0), sumCosts(memory)].map((each) => each.toFixed(0)),
    `≤ ${maxMegabytes}`,
  );

try {
  const client = openClient(installation.url, await createUser(installation.url, installation.admin));
  const memory = watchMemory(processes, 200);
  const began = performance.now();
  await client.upload(toPhoto('crowd.jpg', await makeGroupPhoto(faceCount)));
  for (let nth = 0; nth < photoCount; nth += 1) await client.upload(toPhoto(`${nth}.jpg`, await makePicture(nth)));
  await waitUntilProcessed();
  const seconds = (performance.now() - began) / 1_000;
  const working = await memory.stop();
  const idle = await measureIdle();
  const failed = await query<{ component: string; state: string; reason: string | null; n: number }>(
    `select component, state, reason, count(*)::int as n from component_runs where state not in ('DONE', 'SKIPPED') group by 1, 2, 3`,
  );
  const [found] = await query<{ inCrowd: number; faces: number; texts: number }>(
    `select count(*) filter (where filename = 'crowd.jpg')::int as "inCrowd", count(*)::int as faces,
       (select count(*)::int from media_item_texts) as texts
     from faces join media_items on media_items.id = media_item_id`,
  );
  const table = [
    `${formatToday()}: ${photoCount.toLocaleString('en')} pictures (1 in ${photosPerPage} is a page of text); ${found!.inCrowd} of ${faceCount} faces found in the group photo; ${Math.round(seconds)} s; ${describeMachine()}.`,
    '',
    renderRow('MB', ...kinds, 'total', 'target'),
    renderRow('---', ...kinds.map(() => '---:'), '---:', '---:'),
    memoryRow('peak while processing', working, bounds.working),
    memoryRow('idle', idle, bounds.idle),
  ].join('\n');
  await publishTable('bench:model-memory', table, { publish: values.publish, page: 'models.md' });
  await saveFigures(values.json, { photoCount, faceCount, seconds, working, idle, failed, found });
  const missed = [
    ...(sumCosts(working) > bounds.working
      ? [`${Math.round(sumCosts(working))} MB while processing, limit ${bounds.working}`]
      : []),
    ...(sumCosts(idle) > bounds.idle ? [`${Math.round(sumCosts(idle))} MB idle, limit ${bounds.idle}`] : []),
    ...failed.map(({ component, state, reason, n }) => `${n} runs of ${component} are ${state}, ${reason}`),
  ];
  for (const sentence of missed) console.error(`missed: ${sentence}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  processes.stopWatching();
  await worker.stop();
  await installation.stop();
  await database.drop();
  await removeFolder(directory);
}
process.exit();
