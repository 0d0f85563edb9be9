import { parseArgs } from 'node:util';
import { findPool, poolNames } from '@hearth/core/config/pipeline.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { saveFigures, publishTable } from '@hearth/testkit/figures/publish.ts';
import { targets, type TargetName } from './benchTarget.ts';
import { measureBaseline, type Baseline } from './floor.ts';
import { compareWithBaseline, ingestTable } from './ingestTable.ts';
import { measureIngest, warmUpPhotos, type IngestResult } from './measureIngest.ts';
import { prepareCorpus } from '../corpus/photoCorpus.ts';

/*
 * npm run bench:ingest [-- --photos 300 --on embedded,cluster --publish]: measures the cost of importing photos in each
 * deployment mode, from the upload to preview, thumbnail and description, relative to plain sharp.
 * The sharp baseline runs before, between and after the modes. Each mode is compared with the baselines on both sides
 * of it. Exits with 1 if a bound is exceeded.
 *
 *   --without-models      runs no worker for the model-based components
 *   --json PATH           writes all figures
 *   --publish             writes the table into the guide
 *   --cpu-prof FOLDER     writes a CPU profile of each Node process except the decoders
 */
const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '300' },
    on: { type: 'string', default: Object.keys(targets).join(',') },
    connections: { type: 'string', default: '4' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
    'without-models': { type: 'boolean', default: false },
  },
});
const modes = values.on.split(',') as TargetName[];
for (const mode of modes)
  if (!(mode in targets)) throw new Error(`--on ${mode}: expected ${Object.keys(targets).join()}`);
const profileFolder = values['cpu-prof'];
const nodeArguments = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];

const isWithoutModels = values['without-models'];
const pools = poolNames.filter((pool) => pool !== findPool('OCR', 'PHOTO'));
const env: Record<string, string> = isWithoutModels ? { HEARTH_POOLS: pools.join(',') } : {};

const photos = await prepareCorpus(warmUpPhotos + Number(values.photos), console.log);
/** Enough photos for a stable baseline. */
const baselinePhotos = photos.slice(0, 100);

const measure = async (mode: TargetName): Promise<IngestResult> => {
  const directory = await makeFolder(`bench-${mode}`);
  const target = await targets[mode]({ directory, nodeArguments, env });
  try {
    return await measureIngest(target, photos, { connections: Number(values.connections), isWithoutModels });
  } finally {
    await target.stop();
    await removeFolder(directory);
  }
};

console.log('bare sharp …');
const baselines: Baseline[] = [await measureBaseline(baselinePhotos)];
const ingests: { readonly mode: TargetName; readonly ingested: IngestResult }[] = [];
for (const mode of modes) {
  console.log(`${mode} …`);
  ingests.push({ mode, ingested: await measure(mode) });
  console.log('bare sharp …');
  baselines.push(await measureBaseline(baselinePhotos));
}

const results = ingests.map(({ mode, ingested }, index) =>
  compareWithBaseline(mode, ingested, [baselines[index]!, baselines[index + 1]!]),
);
await publishTable('bench:ingest', ingestTable(results, baselines), values);
await saveFigures(values.json, { baselines, results });
const missed = results.flatMap(({ missed }) => missed);
for (const each of missed) console.error(`\nmissed: ${each}`);
if (missed.length > 0) process.exitCode = 1;
process.exit();
