import { parseArgs } from 'node:util';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { runDrillAsProgram } from '@hearth/testkit/hearth/drill.ts';
import { runJobsDrill } from './runJobsDrill.ts';

/*
 * npm run drill:jobs: runs a job over a large library, kills its processes at random moments, and pauses and resumes
 * it. `--on cluster` uses Redis as the queue. `--seed` repeats the moments of another run, relative to the job's
 * progress. `--keep` keeps the logs, as a failure does.
 */
const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'embedded' },
    items: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '20' },
    pauses: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(testSeed) },
    keep: { type: 'boolean', default: false },
  },
});
if (!['embedded', 'cluster'].includes(values.on)) throw new Error(`--on ${values.on}: expected embedded or cluster`);
console.log(`${values.on}, seed ${values.seed}`);
await runDrillAsProgram(
  [
    async (context) => {
      const database = await createMigratedDatabase();
      const redis = values.on === 'cluster' ? await startTestRedis() : undefined;
      try {
        return await runJobsDrill({
          ...context,
          databaseUrl: database.url,
          redisUrl: redis?.url,
          items: Number(values.items),
          kills: Number(values.kills),
          pauses: Number(values.pauses),
          seed: Number(values.seed),
        });
      } finally {
        await database.drop();
      }
    },
  ],
  { repeat: `with seed ${values.seed}`, keep: values.keep },
);
