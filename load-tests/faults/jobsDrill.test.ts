import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestBackEnds } from '@hearth/core/testing/backEnds.ts';
import { createMigratedDatabase } from '@hearth/core/testing/migratedDatabase.ts';
import { runJobsDrill } from './runJobsDrill.ts';

/** The small form of `npm run drill:jobs`, on the back ends of this test run. */
test('a job that is killed at any moment, paused and resumed handles each item once', async (t) => {
  const seed = Number(process.env['HEARTH_DRILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`drill with seed ${seed}: HEARTH_DRILL_SEED=${seed} repeats its moments`);
  const directory = await mkdtemp(join(tmpdir(), 'hearth-drill-'));
  const database = await createMigratedDatabase();
  const backEnds = await createTestBackEnds();
  try {
    const { figures, problems } = await runJobsDrill({
      databaseUrl: database.url,
      redisUrl: backEnds.variables['HEARTH_REDIS_URL'],
      items: 4_000,
      kills: 5,
      pauses: 1,
      seed,
      directory,
      say: (doing) => t.diagnostic(doing),
    });
    t.diagnostic(JSON.stringify(figures));
    assert.deepEqual(problems, [], `the logs are kept in ${directory}`);
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  } finally {
    await database.drop();
    await backEnds.remove();
  }
});
