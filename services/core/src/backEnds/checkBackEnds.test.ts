import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkBackEnds } from './checkBackEnds.ts';
import { openDatabase } from '../db/database.ts';
import { createLog } from '../log/log.ts';
import { StoreError } from '../objects/objectErrors.ts';
import { openObjects } from './openObjects.ts';
import { openQueues } from '../queue/openQueues.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';

test('reports back ends as up if they respond, and as down if they are closed, refuse or do not respond', async (t) => {
  const log = createLog('test', 'fatal');
  const directory = await mkdtemp(join(tmpdir(), 'hearth-back-ends-'));
  const database = await createMigratedDatabase();
  const db = openDatabase({ url: database.url, isPooled: false, maxConnections: 2, onError: () => undefined });
  const queues = await openQueues(
    { databaseUrl: database.url, databaseDirectUrl: undefined, redisUrl: undefined },
    log,
  );
  const objects = await openObjects({ dataDirectory: directory, s3: undefined }, log);
  t.after(async () => {
    await queues.close();
    await database.drop();
    await rm(directory, { recursive: true });
  });
  assert.deepEqual(await checkBackEnds({ db, queues, objects }), { database: true, queue: true, objects: true });

  const refusing = {
    stat: () => Promise.reject(new StoreError('the store is unavailable', new Error('ECONNREFUSED'))),
  };
  const silent = { depth: () => new Promise<never>(() => undefined) };
  await db.destroy();
  const begin = performance.now();
  const found = await checkBackEnds({ db, queues: silent, objects: refusing });
  assert.deepEqual(found, { database: false, queue: false, objects: false });
  const seconds = (performance.now() - begin) / 1_000;
  assert.ok(seconds > 1.9 && seconds < 9, `${seconds} s`);
});
