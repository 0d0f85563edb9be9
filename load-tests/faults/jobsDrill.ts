import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createMigratedDatabase } from '@hearth/core/testing/migratedDatabase.ts';
import { startTestRedis } from '@hearth/core/testing/redis.ts';
import { runJobsDrill } from './runJobsDrill.ts';

/*
 * npm run drill:jobs: a job over a large library, whose processes are killed at random moments and which is paused and resumed. `--on cluster`
 * puts the queue into Redis. `--seed` repeats the moments of another run, in terms of the job's progress; `--keep` keeps the logs, as a failure does.
 */
const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'embedded' },
    items: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '20' },
    pauses: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    keep: { type: 'boolean', default: false },
  },
});
if (!['embedded', 'cluster'].includes(values.on)) throw new Error(`--on ${values.on}: expected embedded or cluster`);
console.log(`${values.on}, seed ${values.seed}`);
const directory = await mkdtemp(join(tmpdir(), 'hearth-drill-'));
const database = await createMigratedDatabase();
const redis = values.on === 'cluster' ? await startTestRedis() : undefined;
let problems: readonly string[];
try {
  const report = await runJobsDrill({
    databaseUrl: database.url,
    redisUrl: redis?.url,
    items: Number(values.items),
    kills: Number(values.kills),
    pauses: Number(values.pauses),
    seed: Number(values.seed),
    directory,
    say: (doing) => console.log(`${doing} …`),
  });
  console.log();
  for (const [name, value] of Object.entries(report.figures)) console.log(`${name.padEnd(44)}${value}`);
  console.log();
  problems = report.problems;
} catch (error) {
  problems = [(error as Error).stack ?? String(error)];
}
for (const problem of problems) console.log(problem);
if (values.keep || problems.length > 0) console.log(`kept: ${directory}`);
else await rm(directory, { recursive: true, force: true, maxRetries: 3 });
await database.drop();
console.log(
  problems.length === 0 ? 'drill passed' : `drill FAILED: ${problems.length} problems with seed ${values.seed}`,
);
// At once: what is still open, such as connections to servers that are gone, has nothing more to say.
process.exit(problems.length === 0 ? 0 : 1);
