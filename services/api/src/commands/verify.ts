import { parseArgs } from 'node:util';
import { claimStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { getS3Settings } from '@hearth/core/config/commonConfig.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { requireCurrentSchema } from '@hearth/core/db/migrate.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { openObjects } from '@hearth/core/backEnds/openObjects.ts';
import { embeddedVariables } from '../embedded/config.ts';
import { withDatabase } from '../embedded/withDatabase.ts';
import { verifyOriginals } from '../features/originals/verifyOriginals.ts';

/*
 * npm run verify: reads every original and compares its checksum, as the scrub does, and prints a summary.
 * npm run verify -- --sample 1%: checks a random sample.
 * Uses the configuration of npm start, or of a cluster's API. Works while Hearth is running, too.
 */
const purpose = `npm run verify [-- --sample 1%]: compares every stored original, or a random sample, with its checksum.
Exits with 0 if all are fine, 1 if any is damaged, missing or unreadable, and 2 if it could not check them.`;
const exitCode = { faults: 1, cannotRun: 2 } as const;

const config = configureProcess(purpose, embeddedVariables);
const log = createLog('api', config.logLevel);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new Error('Stopped. The results so far are recorded.')));

try {
  const sample = readSample();
  await withDatabase(config, async (databaseUrl) => {
    await using opened = new AsyncDisposableStack();
    const db = openDatabase({ url: databaseUrl, maxConnections: 2, onError: () => undefined });
    opened.defer(() => db.destroy());
    await requireCurrentSchema(db);
    const objects = await openObjects({ dataDirectory: config.dataDirectory, s3: getS3Settings(config) }, log);
    await claimStore(objects, db);
    const faults = await verifyOriginals({ db, objects }, { sample, signal: stopping.signal, print });
    if (faults > 0) process.exitCode = exitCode.faults;
  });
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = exitCode.cannotRun;
}

/**
 * Returns the fraction of items to check, from 0 to 1, or undefined for all.
 * @throws Error for invalid arguments
 */
function readSample(): number | undefined {
  const { values } = parseArgs({ options: { sample: { type: 'string' } } });
  if (values.sample === undefined) return undefined;
  const percent = Number(/^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(values.sample)?.[1] ?? Number.NaN);
  if (!(percent > 0 && percent <= 100)) throw new Error('--sample expects a percentage of all originals, such as 1%.');
  return percent / 100;
}
