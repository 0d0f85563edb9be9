import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@hearth/contract/jobs.ts';
import type { JobStatus } from '@hearth/contract/vocabulary.ts';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import { emptyQueue } from '@hearth/testkit/servers/emptyQueue.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import type { SupervisedServer } from '@hearth/testkit/servers/supervisedServer.ts';
import { fillLibrary } from '@hearth/testkit/libraries/fillLibrary.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { makeQuery } from '@hearth/testkit/hearth/backEnds.ts';
import { openClient, type Client } from '@hearth/testkit/hearth/client.ts';
import type { DrillContext, DrillReport } from '@hearth/testkit/hearth/drill.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { waitForEnd } from '@hearth/testkit/hearth/wait.ts';
import { fillRuns, listProblems, recordRuns } from './jobsDrillRecord.ts';

export interface JobsDrillOptions extends DrillContext {
  /** A database with all tables and no rows. */
  readonly databaseUrl: string;
  /** Undefined if the queue is in the database. */
  readonly redisUrl?: string | undefined;
  readonly items: number;
  /** Number of kills, alternating between API and worker. Every fifth time the queue is emptied instead. */
  readonly kills: number;
  readonly pauses: number;
  readonly seed: number;
}

/** Items that a worker processes at once: a photo and a video. */
const activeRunsPerWorker = 2;

/**
 * Reprocesses the places of a library filled by SQL, with two API processes and two workers. Meanwhile it kills
 * processes at random moments, empties the queue, and pauses and resumes the job. Checks that each item was processed
 * once, and that no run started during a pause.
 */
export const runJobsDrill = async (options: JobsDrillOptions): Promise<DrillReport> => {
  const { databaseUrl, redisUrl, items, kills, pauses, seed, directory, say } = options;
  const query = makeQuery(databaseUrl);
  const random = createRandom(seed);
  const drillOver = new AbortController();
  const installation = await startInstallation({
    directory,
    databaseUrl,
    workers: 2,
    env: {
      HEARTH_LEASE_SECONDS: '10',
      HEARTH_WORKER_CONCURRENCY: '1',
      HEARTH_LOG_LEVEL: 'warn',
      ...(redisUrl !== undefined && { HEARTH_REDIS_URL: redisUrl }),
    },
  });
  try {
    const startedAt = Date.now();
    const user = await createUser(installation.url, installation.admin);
    say(`filling a library of ${items} items`);
    await fillLibrary(databaseUrl, user.id, items);
    await fillRuns(query);
    await recordRuns(query);
    const client = openClient(installation.url, user, drillOver.signal);
    const id = await client.createJob(['PLACES']);

    const events = random.shuffle([
      ...Array.from({ length: kills }, (_, index) => (index % 5 === 4 ? 'empty' : index % 2 === 0 ? 'api' : 'worker')),
      ...Array.from({ length: pauses }, () => 'pause'),
    ]);
    const moments = events.map(() => random.between(0, 0.9)).toSorted((a, b) => a - b);
    const restarting = new Map<SupervisedServer, Promise<void>>();
    const problems: string[] = [];
    let workerKills = 0;
    let eventCount = 0;
    for (const [index, what] of events.entries()) {
      const job = await waitForJob(client, id, ({ progress }) => progress.done >= moments[index]! * progress.total);
      if (finalStatuses.has(job.status)) break;
      await sleep(random.between(0, 500));
      say(`${what} at ${job.progress.done} of ${job.progress.total}`);
      eventCount += 1;
      if (what === 'empty') await emptyQueue({ databaseUrl, redisUrl });
      else if (what === 'pause') problems.push(...(await pauseAndResume(client, id, query)));
      else {
        const replica = random.pick<SupervisedServer>(what === 'api' ? installation.apis : installation.workers);
        if (what === 'worker') workerKills += 1;
        await restarting.get(replica);
        await replica.kill();
        restarting.set(replica, replica.restart());
      }
    }
    await Promise.all(restarting.values());
    say('waiting until the job is completed');
    const { progress, lastMediaItemId } = await waitForJob(client, id, ({ status }) => status === 'COMPLETED');
    const { repeated, problems: found } = await listProblems(query, workerKills * activeRunsPerWorker);
    problems.push(...found);
    if (eventCount < events.length / 2)
      problems.push(`the job finished after ${eventCount} of ${events.length} disturbances`);
    const [last] = await query<{ id: string }>('select id from media_items order by id desc limit 1');
    if (lastMediaItemId !== last?.id) problems.push(`the job ended at ${lastMediaItemId}, not at ${last?.id}`);
    if (progress.total !== items || progress.done !== items || progress.failed !== 0) {
      problems.push(`the job of ${items} items finished with ${JSON.stringify(progress)}`);
    }
    const figures = {
      items,
      'kills, emptied queues and pauses': eventCount,
      'killed workers': workerKills,
      'runs interrupted and restarted': repeated,
      'total seconds': Math.round((Date.now() - startedAt) / 1_000),
    };
    return { figures, problems };
  } finally {
    drillOver.abort();
    await installation.stop();
  }
};

/**
 * Resolves when the job satisfies `condition` or has ended. @throws if it makes no progress for far longer than a
 * housekeeper lease and a BullMQ job lease
 */
const waitForJob = (client: Client, id: string, condition: (job: Job) => boolean): Promise<Job> =>
  waitForEnd(
    () => client.getJob(id),
    (job) => condition(job) || finalStatuses.has(job.status),
  );

const finalStatuses: ReadonlySet<JobStatus> = new Set(['COMPLETED', 'STOPPED']);

/** Length of a pause in ms: enough for active runs to end and for any new run to be noticed. */
const pauseMs = 2_000;

const pauseAndResume = async (client: Client, id: string, query: Query): Promise<string[]> => {
  const isDrillOver = await client.putJob(id, 'PAUSED').then(
    () => false,
    async (error: unknown) => {
      if (!finalStatuses.has((await client.getJob(id)).status)) throw error;
      return true;
    },
  );
  if (isDrillOver) return [];
  const [pausedAt] = await query<{ last: number }>('select coalesce(max(id), 0)::int as last from recorded_runs');
  await sleep(pauseMs);
  const later = await query<{ item: string }>(
    `select item from recorded_runs where id > $1 and what = 'begun' and attempts = 1`,
    [pausedAt!.last],
  );
  await client.putJob(id, 'RUNNING');
  return later.map(({ item }) => `${item} was started while the job was paused`);
};
