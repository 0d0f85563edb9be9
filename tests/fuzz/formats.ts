/**
 * `npm run fuzz:formats`: decodes mutated small pictures and videos of every format as a worker does. Each must be
 * rendered or rejected with a reason within the time limit, and leave no files behind.
 *
 *   --count N   number of mutations, 20,000 by default, spread over the formats
 *   --seed N    repeats the mutations of an earlier run
 *   --case N    repeats one of them
 *   --only NAME only one format, such as `jxl` or `h264.mp4`
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { FormatFault, fuzzFormats } from '@hearth/testkit/decoders/fuzzFormats.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    case: { type: 'string' },
    only: { type: 'string' },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const [first, count] = values.case === undefined ? [0, Number(values.count)] : [Number(values.case), 1];
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
say(`seed ${seed}: ${count} mutations from ${first}`);
try {
  const outcomes = await fuzzFormats({
    seed,
    first,
    count,
    only: values.only,
    onProgress: (done) => done % 1_000 || say(`${done} mutations`),
  });
  for (const [format, counts] of outcomes) {
    say(
      `${format.padEnd(15)} ${[...counts]
        .map(([outcome, n]) => `${outcome} ${n}`)
        .toSorted()
        .join(', ')}`,
    );
  }
  say('no fault found');
} catch (error) {
  if (!(error instanceof FormatFault)) throw error;
  say(error.message);
  process.exitCode = 1;
}
