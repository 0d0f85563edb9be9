import { parseArgs } from 'node:util';
import { findPool, poolNames } from '@hearth/core/config/pipeline.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { keepFigures, publishTable } from '@hearth/testkit/figures/publish.ts';
import { waysToRun, type WayToRun } from './benchTarget.ts';
import { measureFloor, type Floor } from './floor.ts';
import { compareWithFloor, ingestTable } from './ingestTable.ts';
import { measureIngest, warmUpPhotos, type Ingested } from './measureIngest.ts';
import { prepareCorpus } from '../corpus/photoCorpus.ts';

/*
 * npm run bench:ingest [-- --photos 300 --on embedded,cluster --publish]: what it costs to take photos in, from the upload to preview,
 * thumbnail and description, on each way to run Hearth, next to bare sharp in the same run. The floor is measured before, between and after:
 * each way is compared with the floors on both sides of it. `--without-models` has no worker look for what
 * photos show. `--json PATH` keeps all figures, `--publish` puts the table into the guide, and `--cpu-prof FOLDER` has every Node process but the
 * decoders write a CPU profile there. Ends with 1 where a bound is missed.
 */
const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '300' },
    on: { type: 'string', default: Object.keys(waysToRun).join(',') },
    connections: { type: 'string', default: '4' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
    'without-models': { type: 'boolean', default: false },
  },
});
const ways = values.on.split(',') as WayToRun[];
for (const way of ways)
  if (!(way in waysToRun)) throw new Error(`--on ${way}: expected ${Object.keys(waysToRun).join()}`);
const profileFolder = values['cpu-prof'];
const nodeArguments = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];

const isWithoutModels = values['without-models'];
const pools = poolNames.filter((pool) => pool !== findPool('OCR', 'PHOTO'));
const env: Record<string, string> = isWithoutModels ? { HEARTH_POOLS: pools.join(',') } : {};

const photos = await prepareCorpus(warmUpPhotos + Number(values.photos), console.log);
/** Enough for a steady figure. */
const floorPhotos = photos.slice(0, 100);

const measure = async (way: WayToRun): Promise<Ingested> => {
  const directory = await makeFolder(`bench-${way}`);
  const target = await waysToRun[way]({ directory, nodeArguments, env });
  try {
    return await measureIngest(target, photos, { connections: Number(values.connections), isWithoutModels });
  } finally {
    await target.stop();
    await removeFolder(directory);
  }
};

console.log('bare sharp …');
const floors: Floor[] = [await measureFloor(floorPhotos)];
const ingests: { readonly way: WayToRun; readonly ingested: Ingested }[] = [];
for (const way of ways) {
  console.log(`${way} …`);
  ingests.push({ way, ingested: await measure(way) });
  console.log('bare sharp …');
  floors.push(await measureFloor(floorPhotos));
}

const results = ingests.map(({ way, ingested }, index) =>
  compareWithFloor(way, ingested, [floors[index]!, floors[index + 1]!]),
);
await publishTable('bench:ingest', ingestTable(results, floors), values);
await keepFigures(values.json, { floors, results });
const missed = results.flatMap(({ missed }) => missed);
for (const each of missed) console.error(`\nmissed: ${each}`);
if (missed.length > 0) process.exitCode = 1;
process.exit();
