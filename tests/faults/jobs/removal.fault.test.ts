import { test } from 'node:test';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { createRunBackEnds } from '@hearth/testkit/hearth/backEnds.ts';
import { listFiles } from '@hearth/testkit/hearth/dataFolder.ts';
import { runDrillInTest } from '@hearth/testkit/hearth/drill.ts';
import { runRemovalDrill } from './runRemovalDrill.ts';

/*
 * npm run drill:removal: the same with 200,000 items and the bounds of an idle machine. Here other tests run in
 * parallel, so the bounds only detect a standstill.
 */
const itemCount = process.argv[2];
const minute = 60_000;
const bounds =
  itemCount === undefined
    ? { readyMs: 2 * minute, rollUpMs: 2 * minute, jobStepMs: 2 * minute, listMs: minute }
    : // Includes the time while the API is dead, starts, and waits for the previous lease to expire.
      { readyMs: 30_000, rollUpMs: 30_000, jobStepMs: 30_000, listMs: 2_000 };

test('removes an account without a trace despite a kill, while uploads, roll-ups and jobs continue', async (t) => {
  const { database, query, variables: env, remove } = await createRunBackEnds();
  const { HEARTH_S3_ENDPOINT: endpoint, HEARTH_S3_BUCKET: bucket = '' } = env;
  const [accessKey = '', secretKey = ''] = [env['HEARTH_S3_ACCESS_KEY'], env['HEARTH_S3_SECRET_KEY']];
  try {
    await runDrillInTest(t, (context) =>
      runRemovalDrill({
        ...context,
        database,
        query,
        env,
        items: Number(itemCount ?? 1_200),
        bounds,
        listStored: async () =>
          endpoint === undefined
            ? listFiles(context.directory)
            : listBucket({ endpoint, accessKey, secretKey }, bucket),
      }),
    );
  } finally {
    await remove();
  }
});
