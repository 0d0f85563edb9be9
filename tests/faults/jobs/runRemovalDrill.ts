import type { Query } from '@hearth/testkit/run/actsLog.ts';
import { findAllCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { dumpRowsWith } from '@hearth/testkit/database/dumpRows.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { startInstallation, type Installation } from '@hearth/testkit/servers/installation.ts';
import type { MigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import type { Replica } from '@hearth/testkit/servers/replica.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import type { DrillContext, DrillReport } from '@hearth/testkit/hearth/drill.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { createUser, sendForJson } from '@hearth/testkit/hearth/request.ts';
import { median } from '@hearth/testkit/figures/statistics.ts';
import { waitFor, waitForEnd } from '@hearth/testkit/hearth/wait.ts';
import { findRecordedIds, recordIdsOfAccount, allowedTables } from './accountTraces.ts';
import { runBackgroundUser, type BackgroundUserTimes } from './backgroundUser.ts';
import { holdRemoval } from './holdRemoval.ts';
import { fillRuns } from './jobsDrillRecord.ts';
import { makeSlowPicture } from '../workers/poison.ts';

export interface RemovalDrillOptions extends DrillContext {
  readonly database: MigratedDatabase;
  readonly query: Query;
  /** Environment variables of all processes, with the addresses of the other back ends. */
  readonly env: Readonly<Record<string, string>>;
  /** Number of items of the removed account. The other account has a tenth of this number. */
  readonly items: number;
  /** Limits of the other account's activities, in ms. */
  readonly bounds: Readonly<Record<keyof BackgroundUserTimes, number>>;
  /** Lists everything in the object store, by key or path. */
  readonly listStored: () => Promise<string[]>;
}

const usernames = { leaving: 'leaving', staying: 'staying' } as const;

/** Photos of the removed account with real objects: finished ones, and ones uploaded during the deletion. */
const photoCounts = { ready: 5, uploading: 10 } as const;

const slow = makeSlowPicture();

/**
 * Deletes a large account through the API while another one uploads, lists and runs a job. The removal is blocked
 * halfway until all of these have made progress, and then the only API process is killed. One of two workers is frozen
 * with an item of the account until the account is gone.
 * Checks that nothing of the account is left, that the other account lost nothing, and that all limits were met.
 */
export const runRemovalDrill = async (options: RemovalDrillOptions): Promise<DrillReport> => {
  const { database, directory, env } = options;
  const drillOver = new AbortController();
  const installation = await startInstallation({
    directory,
    databaseUrl: database.url,
    apis: 1,
    workers: 2,
    env: {
      HEARTH_LEASE_SECONDS: '5',
      HEARTH_WORKER_CONCURRENCY: '1',
      HEARTH_LOG_LEVEL: 'info',
      HEARTH_MAX_PIXELS: '500000000',
      ...env,
    },
  });
  try {
    return await drill(options, installation, drillOver);
  } finally {
    drillOver.abort();
    await installation.stop();
  }
};

const drill = async (
  { database, query, items, bounds, listStored, say }: RemovalDrillOptions,
  { url, admin, apis, workers }: Installation,
  drillOver: AbortController,
): Promise<DrillReport> => {
  const users = [
    await createUser(url, admin, usernames.leaving),
    await createUser(url, admin, usernames.staying),
  ] as const;
  const [leavingUser, stayingUser] = [users[0].id, users[1].id];
  const [leavingClient, stayingClient] = [
    openClient(url, users[0], drillOver.signal),
    openClient(url, users[1], drillOver.signal),
  ];

  say(`filling libraries of ${items} and ${items / 10} items`);
  await fillDatabase(database.url, [
    { userId: leavingUser, items },
    { userId: stayingUser, items: items / 10 },
  ]);
  await query('delete from component_runs');
  await fillRuns(query);
  for (const photo of await makePhotos(41, photoCounts.ready)) await leavingClient.upload(photo);
  await waitFor('the first photos are done', async () => (await countUndone(query)) === 0);

  say('freezing a worker that processes a picture of the account');
  const [first, second] = workers as [Replica, Replica];
  await second.freeze();
  const slowId = await leavingClient.upload(slow);
  await waitFor('the worker has the slow picture', async () => {
    const statement = `select from component_runs where media_item_id = $1 and component = 'PREVIEW_THUMBNAIL' and state = 'RUNNING'`;
    return (await query(statement, [slowId])).length === 1;
  });
  await first.freeze();
  await second.thaw();

  const times: BackgroundUserTimes = { readyMs: [], rollUpMs: [], jobStepMs: [], listMs: [] };
  const enough = new AbortController();
  const backgroundUsers = runBackgroundUser(
    { url, userId: stayingUser, client: stayingClient, query },
    times,
    AbortSignal.any([enough.signal, drillOver.signal]),
  );
  // `awaitWithUser` and the last `await` of `backgroundUsers` report the failure.
  backgroundUsers.catch(() => undefined);
  /** Resolves when uploads, roll-ups, jobs and lists have each progressed by two. */
  const waitForProgress = async (): Promise<void> => {
    const before = countTimes(times);
    await waitFor('uploads, roll-ups, jobs and lists continue', async () =>
      countTimes(times).every((count, index) => count >= before[index]! + 2),
    );
  };
  /** Awaits `work`. @throws as soon as the other account fails */
  const awaitWithUser = <Result>(work: Promise<Result>): Promise<Result> =>
    Promise.race([work, backgroundUsers.then(() => Promise.reject(new Error('the background user stopped early')))]);

  await awaitWithUser(waitForProgress());
  const held = await holdRemoval(database.db, leavingUser, items);
  drillOver.signal.addEventListener('abort', () => void held.release());
  await recordIdsOfAccount(query, leavingUser);
  say('deleting the account');
  const active = (await makePhotos(42, photoCounts.uploading)).map((photo) => leavingClient.upload(photo));
  await active[0];
  const begunAt = performance.now();
  await sendForJson(url, `/v1/users/${leavingUser}`, { method: 'DELETE', basic: admin });
  await Promise.allSettled(active);
  await held.reached();
  const leftAtKill = await countItems(query, leavingUser);
  await awaitWithUser(waitForProgress());
  say(`killing the API with ${leftAtKill} items left`);
  const worstBeforeKill = getWorstTimes(times);
  const [api] = apis;
  await api!.kill();
  await held.release();
  await api!.restart();
  await awaitWithUser(waitUntilRemoved(query, leavingUser));
  const removedMs = performance.now() - begunAt;
  await awaitWithUser(waitForProgress());

  say('waking the worker');
  await first.thaw();
  await waitFor('the worker has discarded its result', async () =>
    (await first.log()).some((line) => line.includes('lease lost, result discarded')),
  );
  enough.abort();
  await backgroundUsers;
  // Checked only now, because reading a folder fails if it is deleted at the same time.
  await waitFor('the worker has removed its files', async () =>
    (await listStored()).every((path) => !path.includes(leavingUser)),
  );
  await waitFor('all deltas are rolled up', async () => (await query('select from count_deltas')).length === 0);

  const problems = [
    ...(await findRecordedIds(query)),
    ...(await dumpRowsWith(database.db, [leavingUser, `"${usernames.leaving}"`])).filter(
      (row) => !allowedTables.has(row.split(' ', 1)[0]!),
    ),
    ...(await listStored()).filter((path) => path.includes(leavingUser)),
    ...(await findAllCountErrors(database.db)).map((error) => JSON.stringify(error)),
    ...leavingClient.figures.unexcused,
    ...stayingClient.figures.unexcused,
  ];
  if (leftAtKill === 0 || leftAtKill >= items)
    problems.push(`the API was killed with ${leftAtKill} of ${items} items left`);
  const remainingItems = await countItems(query, stayingUser);
  const expected = items / 10 + times.readyMs.length;
  if (remainingItems !== expected) problems.push(`the other account has ${remainingItems} items, not ${expected}`);
  const worst = getWorstTimes(times);
  for (const name of ['readyMs', 'rollUpMs', 'jobStepMs', 'listMs'] as const) {
    if (!(worst[name] <= bounds[name]))
      problems.push(`${name} took up to ${worst[name]} ms, limit: ${bounds[name]} ms`);
  }
  const figures = {
    items,
    'items left at the kill': leftAtKill,
    'seconds until the account was removed': Math.round(removedMs / 1_000),
    'uploads of the other account READY': times.readyMs.length,
    'slowest photo until READY, ms': worst.readyMs,
    'observed roll-ups': times.rollUpMs.length,
    'longest wait for a roll-up, ms': worst.rollUpMs,
    'longest before the kill (roll-up), ms': worstBeforeKill.rollUpMs,
    'observed job steps': times.jobStepMs.length,
    'longest pause of a job, ms': worst.jobStepMs,
    'longest before the kill (job), ms': worstBeforeKill.jobStepMs,
    'pages of the library': times.listMs.length,
    'median of a page, ms': Math.round(median(times.listMs)),
    'slowest page, ms': worst.listMs,
    'retried requests around the kill': stayingClient.figures.retries,
  };
  return { figures, problems };
};

const countTimes = ({ readyMs, rollUpMs, jobStepMs, listMs }: BackgroundUserTimes): number[] =>
  [readyMs, rollUpMs, jobStepMs, listMs].map(({ length }) => length);

/** Returns the longest duration of each activity so far, in ms. */
const getWorstTimes = ({
  readyMs,
  rollUpMs,
  jobStepMs,
  listMs,
}: BackgroundUserTimes): Record<keyof BackgroundUserTimes, number> => ({
  readyMs: getMax(readyMs),
  rollUpMs: getMax(rollUpMs),
  jobStepMs: getMax(jobStepMs),
  listMs: getMax(listMs),
});

const getMax = (times: readonly number[]): number => Math.round(Math.max(...times));

const countUndone = async (query: Query): Promise<number> =>
  (await query(`select from component_runs where state in ('PENDING', 'RUNNING')`)).length;

/** Returns the number of an account's items, of any visibility. */
const countItems = async (query: Query, userId: string): Promise<number> => {
  const [row] = await query<{ n: number }>('select count(*)::int as n from media_items where user_id = $1', [userId]);
  return row!.n;
};

/**
 * Resolves when the account's row is deleted, which happens last. @throws if there is no progress for longer than an API
 * start plus a lease
 */
const waitUntilRemoved = async (query: Query, userId: string): Promise<void> => {
  const check = async () => ({
    users: (await query('select from users where id = $1', [userId])).length,
    items: await countItems(query, userId),
  });
  await waitForEnd(check, ({ users }) => users === 0, { everyMs: 500 });
};
