import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fuzzRequests } from './fuzzRequests.ts';
import { fuzzUploads, FuzzFailure } from './fuzzUploads.ts';
import { startFuzzedInstallation } from './installation.ts';

/*
 * npm run fuzz: mutated uploads, and requests by Schemathesis, against a real API and a real worker.
 *
 *   --count N      mutated uploads, 8,000 by default
 *   --examples N   random requests per operation, 100 by default
 *   --seed N       repeats an earlier run
 *   --case N       repeats one upload of it
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '8000' },
    examples: { type: 'string', default: '100' },
    seed: { type: 'string' },
    case: { type: 'string' },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const [first, count] = values.case === undefined ? [0, Number(values.count)] : [Number(values.case), 1];
const examples = values.case === undefined ? Number(values.examples) : 0;
if (![seed, first, count, examples].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error('--count, --examples, --seed and --case must be whole numbers');
  process.exit(2);
}

const list = (counts: ReadonlyMap<unknown, number>): string =>
  [...counts]
    .map(([name, n]) => `${String(name)}: ${n}`)
    .toSorted()
    .join(', ');

console.log(`seed ${seed}`);
const began = Date.now();
const onProgress = (done: number): void => {
  if (done % 1_000 === 0) console.log(`${done} uploads`);
};
const installation = await startFuzzedInstallation();
try {
  if (count > 0) {
    const { statuses, items } = await fuzzUploads(installation, { seed, first, count, onProgress });
    console.log(`uploads    ${list(statuses)} (0: closed without a response)`);
    console.log(`items      ${list(items)}`);
  }
  if (examples > 0) {
    const { statuses, operations, cases } = await fuzzRequests(installation, { seed, examples });
    console.log(`requests   ${list(statuses)} (${cases} cases of ${operations} operations)`);
  }
  console.log(`no fault found in ${Math.round((Date.now() - began) / 1_000)} s`);
} catch (error) {
  console.error(error instanceof FuzzFailure ? error.message : error);
  process.exitCode = 1;
} finally {
  await installation.stop();
}
