import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { FuzzFailure } from './fuzzFailure.ts';
import { runFuzz } from './runFuzz.ts';

/*
 * npm run fuzz: mutated uploads and requests against a real API and a real worker.
 *
 *   --count N   how many cases, 20,000 unless given
 *   --seed N    repeats the cases of an earlier run
 *   --case N    repeats one case of it
 */
const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, seed: { type: 'string' }, case: { type: 'string' } },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const [first, count] = values.case === undefined ? [0, Number(values.count)] : [Number(values.case), 1];
if (![seed, first, count].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error('--count, --seed and --case take whole numbers');
  process.exit(2);
}

const list = (counts: ReadonlyMap<unknown, number>): string =>
  [...counts]
    .map(([name, n]) => `${String(name)}: ${n}`)
    .toSorted()
    .join(', ');

console.log(`seed ${seed}: ${count} cases from ${first}`);
const began = Date.now();
const onProgress = (done: number): void => {
  if (done % 1_000 === 0) console.log(`${done} cases`);
};
try {
  const { statuses, items } = await runFuzz({ seed, first, count, onProgress });
  console.log(`answers   ${list(statuses)} (0: closed without one)`);
  console.log(`items     ${list(items)}`);
  console.log(`no fault found in ${Math.round((Date.now() - began) / 1_000)} s`);
} catch (error) {
  if (!(error instanceof FuzzFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
