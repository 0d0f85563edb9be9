import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import type { DrillContext, DrillReport } from '@hearth/testkit/hearth/drill.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { watchProcessTree, type ProcessTree } from '@hearth/testkit/hearth/processTree.ts';
import { send } from '@hearth/testkit/hearth/request.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';
import { checkLibrary, countRepeatedRuns } from './checkLibrary.ts';
import { checkStored, waitForOrphanSweep } from './checkStored.ts';
import type { DrillTarget } from './drillTarget.ts';
import { startClusterTarget } from './clusterTarget.ts';
import { startEmbeddedTarget } from './embeddedTarget.ts';
import { drawPlan, type DrillPlan, type DrillSize } from './drillPlan.ts';
import { executePlan, type PlanResult } from './executePlan.ts';

/** Start functions by deployment mode. */
export const waysToRun = { embedded: startEmbeddedTarget, cluster: startClusterTarget } as const;

export interface DrillOptions extends DrillContext, DrillSize {
  readonly on: keyof typeof waysToRun;
  readonly seed: number;
}

/**
 * Uploads photos to Hearth while its processes are killed, its queue is emptied and its object store is down. Checks
 * that nothing is lost or duplicated.
 *
 * 1. Run the plan: uploads, kills and outages. Killed processes are restarted.
 * 2. Wait until everything is READY and the queue is empty.
 * 3. Compare the API, the database and the object store with the uploads.
 * 4. Stop, and check that no process or temporary file is left.
 * 5. Run the orphan sweep, and compare the object store again.
 */
export const runDrill = async (options: DrillOptions): Promise<DrillReport> => {
  const { directory, on, seed, say } = options;
  const startedAt = Date.now();
  const processes = watchProcessTree();
  const problems: string[] = [];
  const drillOver = new AbortController();
  let target: DrillTarget | undefined;
  try {
    const photos = await makePhotos(seed, options.photos);
    target = await waysToRun[on](directory, processes, drillOver.signal);
    const { query, error: serverError } = target;
    const plan = drawPlan(createRandom(seed), options, target.victims, photos);
    const client = openClient(target.url, target.credentials, drillOver.signal);
    say(`uploading ${photos.length} photos, with ${plan.kills.length} kills in ${getLastSecond(plan)} s`);
    const result: PlanResult = { returnedIds: new Map(), killed: new Map(), awayMs: 0 };
    await Promise.race([executePlan(plan, target, client, result, drillOver.signal), serverError]);
    const attackedMs = Date.now() - startedAt;

    say('waiting until every photo is done');
    await Promise.race([target.running().then(() => waitUntilReady(query)), serverError]);
    const readyMs = Date.now() - startedAt;
    say('checking the library');
    // In a short drill a victim may not be running when its only kill is due.
    if (plan.kills.length >= 3 * target.victims.length) {
      for (const victim of target.victims) if (!result.killed.has(victim)) problems.push(`${victim} was never killed`);
    }
    const awayMs = target.stopStore === undefined ? 0 : (plan.outage?.forMs ?? 0);
    if (result.awayMs < awayMs)
      problems.push(`the object store was down for ${result.awayMs} ms, expected ${awayMs} ms`);
    problems.push(...client.figures.unexcused);
    problems.push(
      ...(await checkLibrary(query, client, {
        photos,
        returnedIds: result.returnedIds,
        interruptions: plan.kills.length * target.concurrency,
      })),
    );
    problems.push(...(await checkActs(target)), ...(await checkMetrics(target)), ...(await checkQueue(target)));

    say('sweeping orphans');
    const repeatedRuns = await countRepeatedRuns(query);
    const storedBefore = await target.listStored();
    problems.push(...(await checkStop(target, processes)));
    const stoppedAt = new Date();
    await target.restartInTwoDays();
    await waitForOrphanSweep(query, stoppedAt);
    // Resolves when every process is up. A worker that is stopped during its start does not remove the leftovers of a
    // previously killed worker.
    problems.push(...(await checkMetrics(target)));
    problems.push(...(await checkStored(target)));
    const storedAfter = await target.listStored();
    const report = await query('select from orphans');
    problems.push(...(await checkStop(target, processes)));
    const figures = {
      ...Object.fromEntries(target.victims.map((victim) => [`kills: ${victim}`, result.killed.get(victim) ?? 0])),
      'starts of processes that were killed': target.starts(),
      'interrupted and restarted runs': repeatedRuns,
      'queue emptied': plan.empties.length,
      'seconds without object store': Math.round(result.awayMs / 1_000),
      'retried requests': client.figures.retries,
      'duplicate uploads': client.figures.duplicates,
      'swept as orphans': storedBefore.length - storedAfter.length,
      'originals recorded as orphans': report.length,
      'seconds of kills': Math.round(attackedMs / 1_000),
      'seconds until all are READY': Math.round(readyMs / 1_000),
      'total seconds': Math.round((Date.now() - startedAt) / 1_000),
    };
    return { figures, problems };
  } finally {
    drillOver.abort();
    await target?.end();
    // No process stays behind after a failure. After a clean end this kills nothing.
    await processes.kill();
  }
};

const getLastSecond = ({ kills }: DrillPlan): number => Math.round((kills.at(-1)?.atMs ?? 0) / 1_000);

/** Checks that each run has one outcome, however often it was started. */
const checkActs = async ({ acts }: DrillTarget): Promise<string[]> => {
  const done = (await acts.list()).filter(({ what }) => what === 'done').map(({ subject }) => subject);
  const again = done.filter((subject, index) => done.indexOf(subject) < index);
  return again.map((subject) => `${subject} was processed twice`);
};

/** Checks that every process still serves metrics after the kills, including the one killed last. */
const checkMetrics = async ({ metricsUrls }: DrillTarget): Promise<string[]> => {
  const responses = metricsUrls().map(async (url) => {
    const hasMetrics = (): Promise<boolean> =>
      send(url, '').then(
        ({ text }) => text.includes('process_cpu_seconds_total'),
        () => false,
      );
    return waitFor(`metrics of ${url}`, hasMetrics, { timeoutMs: 30_000 }).then(() => [], toMessages);
  });
  return (await Promise.all(responses)).flat();
};

/**
 * Checks that the queue becomes empty. A job whose worker was killed leaves it within a minute, as documented in
 * `queue.ts`.
 */
const checkQueue = async ({ countJobs }: DrillTarget): Promise<string[]> => {
  const isEmpty = async (): Promise<boolean> => (await countJobs()) === 0;
  return waitFor('the queue is empty', isEmpty, { timeoutMs: 60_000, everyMs: 500 }).then(() => [], toMessages);
};

const toMessages = (error: Error): string[] => [error.message];

const checkStop = async ({ stop, findLeftovers }: DrillTarget, processes: ProcessTree): Promise<string[]> => {
  await stop();
  const living = await processes.waitForEnd(10_000);
  return [
    ...living.map(({ pid, command }) => `process ${pid} still runs after shutdown: ${command}`),
    ...(await findLeftovers()).map((name) => `temporary file left after shutdown: ${name}`),
  ];
};
