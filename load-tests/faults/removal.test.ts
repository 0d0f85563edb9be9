import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestBackEnds } from '@hearth/core/testing/backEnds.ts';
import { listBucket } from '@hearth/core/testing/listBucket.ts';
import { createMigratedDatabase } from '@hearth/core/testing/migratedDatabase.ts';
import { listFiles } from './listFiles.ts';
import { runRemovalDrill } from './runRemovalDrill.ts';

/*
 * npm run drill:removal: the same with an account of 200,000 items, and with the bounds of a machine with nothing else to do. Other tests
 * run beside this one, so that it only asks whether things go on.
 */
const asked = process.argv[2];
const minute = 60_000;
const bounds =
  asked === undefined
    ? { readyMs: 2 * minute, foldMs: 2 * minute, jobStepMs: 2 * minute, listMs: minute }
    : // In them is the time in which the API is dead, is started, and waits for the lease of the one before.
      { readyMs: 30_000, foldMs: 30_000, jobStepMs: 30_000, listMs: 2_000 };

test('an account goes without a trace, over a kill, beside uploads, folds and jobs that go on', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-removal-'));
  const database = await createMigratedDatabase();
  const backEnds = await createTestBackEnds();
  const env = backEnds.variables;
  const { HEARTH_S3_ENDPOINT: endpoint, HEARTH_S3_BUCKET: bucket = '' } = env;
  const [accessKey = '', secretKey = ''] = [env['HEARTH_S3_ACCESS_KEY'], env['HEARTH_S3_SECRET_KEY']];
  try {
    const { figures, problems } = await runRemovalDrill({
      database,
      env,
      items: Number(asked ?? 1_200),
      bounds,
      directory,
      listStored: async () =>
        endpoint === undefined ? listFiles(directory) : listBucket({ endpoint, accessKey, secretKey }, bucket),
      say: (doing) => t.diagnostic(`${new Date().toISOString()} ${doing}`),
    });
    for (const [name, value] of Object.entries(figures)) t.diagnostic(`${name.padEnd(44)}${value}`);
    assert.deepEqual(problems, [], `the logs are kept in ${directory}`);
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  } finally {
    await database.drop();
    await backEnds.remove();
  }
});
