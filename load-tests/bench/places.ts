import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { saveFigures, publishTable } from '@hearth/testkit/figures/publish.ts';
import { placesBounds, placesTable, type MeasuredPlaces } from './placesTable.ts';

/*
 * npm run bench:places [-- --file FILE --publish --json PATH]: measures CPU, memory and accuracy of reverse geocoding,
 * in a separate process. Without `--file` it uses the place map of the tests (`npm run tools -- places`). Exits with 1
 * if a bound is missed.
 */
const { values } = parseArgs({
  options: { file: { type: 'string' }, json: { type: 'string' }, publish: { type: 'boolean', default: false } },
});
const file = values.file ?? toolPath('places');
const program = join(import.meta.dirname, 'measurePlaces.ts');
const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, file]);
const measured = JSON.parse(stdout) as MeasuredPlaces;
await publishTable('bench:places', placesTable(measured, (await stat(file)).size / 1e6), {
  publish: values.publish,
  page: 'metadata.md',
});
for (const line of measured.accuracy?.wrong ?? []) console.log(`unexpected: ${line}`);
await saveFigures(values.json, measured);

const { anywhere, crowded, megabytes, accuracy } = measured;
const isWithinBounds =
  Math.max(anywhere.microseconds, crowded.microseconds) <= placesBounds.microseconds &&
  megabytes <= placesBounds.megabytes &&
  (accuracy === undefined ||
    (accuracy.country === accuracy.points &&
      accuracy.state >= placesBounds.states &&
      accuracy.town >= placesBounds.towns &&
      accuracy.atSea.length === 0));
if (!isWithinBounds) process.exitCode = 1;
