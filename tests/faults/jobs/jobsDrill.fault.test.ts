import { test } from 'node:test';
import { createRunBackEnds } from '@hearth/testkit/hearth/backEnds.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { runDrillInTest } from '@hearth/testkit/hearth/drill.ts';
import { runJobsDrill } from './runJobsDrill.ts';

/** Small version of `npm run drill:jobs`, on the back ends of this test run. */
test('a job that is killed at random moments, paused and resumed processes each item once', async (t) => {
  const { database, redisUrl, remove } = await createRunBackEnds();
  try {
    await runDrillInTest(t, (context) =>
      runJobsDrill({
        ...context,
        databaseUrl: database.url,
        redisUrl,
        items: 4_000,
        kills: 5,
        pauses: 1,
        seed: testSeed,
      }),
    );
  } finally {
    await remove();
  }
});
