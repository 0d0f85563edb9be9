import { setTimeout as sleep } from 'node:timers/promises';
import { getDecoderMemoryBytes } from '@hearth/core/config/memoryLimit.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import type { DrillContext, DrillReport } from '@hearth/testkit/hearth/drill.ts';
import { readDatabaseUrl } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { admin, adminVariables, runHearth, type RunningHearth } from '@hearth/testkit/hearth/hearth.ts';
import { sumCosts, watchMemory } from '@hearth/testkit/figures/cost.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { quantile } from '@hearth/testkit/figures/statistics.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { openClient, type Client } from '@hearth/testkit/hearth/client.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { openRegularUser, type RegularUser, type RegularUserTimes } from './regularUser.ts';
import { makeHostileFiles, type HostileCounts, type HostileFile } from './hostileFiles.ts';
import { fillRuns } from '../jobs/jobsDrillRecord.ts';
import { runNoisyNeighbour, type NoisyLoad, type Tally } from './noisyNeighbour.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';

export interface AttackDrillOptions extends DrillContext {
  /** Number of photos in the attacker's library. */
  readonly items: number;
  /** Number of times that all files are sent. Each round waits for the previous one. */
  readonly rounds: number;
  readonly files: HostileCounts;
  readonly noisyLoad: NoisyLoad;
  /** Interval between the other user's photos, in ms. */
  readonly photoEveryMs: number;
  /** Limits of the other user's activities, in ms. */
  readonly bounds: Readonly<Record<keyof RegularUserTimes, number>>;
}

/** Memory of the smallest machine in the guide, in bytes. Decoders get their share of it. */
const machineBytes = 2_000_000_000;

/** Number of photos that the other user uploads before the attack, for comparison. */
const quietPhotos = 3;

/** Concurrent uploads of the attacker. */
const uploadsAtOnce = 4;

/** Timeout for files to finish, in ms. */
const timeoutMs = 600_000;

/**
 * Runs Hearth like `npm start`. One user sends every hostile file, searches, holds connections open and tries
 * passwords, all at once, until all files are finished. Another user uploads photos, lists and signs in meanwhile.
 * Checks that the other user's times stay within the bounds, and that each file has an allowed final state.
 */
export const runAttackDrill = async (options: AttackDrillOptions): Promise<DrillReport> => {
  const drillOver = new AbortController();
  const env = { ...adminVariables, HEARTH_DECODERS_MEMORY_BYTES: String(getDecoderMemoryBytes(machineBytes)) };
  const hearth = await runHearth({ directory: options.directory, env });
  try {
    return await drill(options, hearth, drillOver);
  } finally {
    drillOver.abort();
    await hearth.stop();
  }
};

const drill = async (
  options: AttackDrillOptions,
  { url, query, output, processes }: RunningHearth,
  drillOver: AbortController,
): Promise<DrillReport> => {
  const { directory, items, rounds, files, noisyLoad, photoEveryMs, bounds, say } = options;
  const hostileUser = await createUser(url, admin, 'hostile');
  const regularUserCredentials = await createUser(url, admin, 'familiar');
  say(`filling the library of the attacker with ${items} items`);
  await fillDatabase(await readDatabaseUrl(directory), [{ userId: hostileUser.id, items }]);
  await query('delete from component_runs');
  await fillRuns(query);

  const regularUser = await openRegularUser(url, regularUserCredentials);
  const attackerClient = openClient(url, hostileUser, drillOver.signal);
  const regularUserStop = new AbortController();
  const stop = AbortSignal.any([regularUserStop.signal, drillOver.signal]);
  const regularUserRun = regularUser.run(stop);
  say('before the attack');
  const photos = await makePhotos(97, quietPhotos);
  for (const photo of photos) await regularUser.upload(photo);
  const timesBefore = getWorstTimes(regularUser.times);
  for (const durations of Object.values(regularUser.times) as number[][]) durations.length = 0;

  say('attacking');
  const memory = watchMemory(processes);
  const begunAt = performance.now();
  const tally: Tally = new Map();
  const attacked = new AbortController();
  const noise = runNoisyNeighbour(
    { url, token: await attackerClient.token(), username: regularUserCredentials.username },
    noisyLoad,
    tally,
    AbortSignal.any([attacked.signal, drillOver.signal]),
  );
  const uploading = uploadPhotos(regularUser, photoEveryMs, AbortSignal.any([attacked.signal, drillOver.signal]));
  const problems: string[] = [];
  let sent = 0;
  for (let round = 1; round <= rounds; round++) {
    const hostileFiles = makeHostileFiles(files);
    sent += hostileFiles.length;
    problems.push(...(await uploadAll(attackerClient, hostileFiles)));
    say(`round ${round} is over after ${Math.round((performance.now() - begunAt) / 1_000)} s`);
  }
  attacked.abort();
  await Promise.all([noise, uploading]);
  const seconds = (performance.now() - begunAt) / 1_000;
  regularUserStop.abort();
  await regularUserRun;
  const peakMegabytes = Math.round(sumCosts(await memory.stop()));

  const worst = getWorstTimes(regularUser.times);
  for (const name of ['ready', 'list', 'signIn'] as const) {
    if (!(worst[name] <= bounds[name]))
      problems.push(`${name} took up to ${worst[name]} ms, limit: ${bounds[name]} ms`);
  }
  problems.push(...regularUser.problems, ...attackerClient.figures.unexcused);
  const restarts = output().match(/worker exited; restarting it/g) ?? [];
  if (restarts.length > 0) problems.push(`the worker exited ${restarts.length} times`);
  for (const repeated of await listRepeated(query, hostileUser.id, output()))
    problems.push(`a hostile file was processed more than twice: ${repeated}`);
  if (peakMegabytes > machineBytes / 1e6)
    problems.push(`all processes used ${peakMegabytes} MB; the machine has ${machineBytes / 1e6} MB`);
  const figures = {
    'peak memory of all processes, MB (PSS)': peakMegabytes,
    'seconds of the attack': Math.round(seconds),
    'hostile files': sent,
    ...Object.fromEntries([...tally].toSorted(([a], [b]) => a.localeCompare(b)).map(([what, n]) => [`  ${what}`, n])),
    'READY photos of the regular user': regularUser.times.ready.length,
    'longest until READY before the attack, ms': timesBefore.ready,
    'median until READY, ms': roundedQuantile(regularUser.times.ready, 0.5),
    'longest until READY, ms': worst.ready,
    lists: regularUser.times.list.length,
    'slowest list before the attack, ms': timesBefore.list,
    'median of a list, ms': roundedQuantile(regularUser.times.list, 0.5),
    'p95 of a list, ms': roundedQuantile(regularUser.times.list, 0.95),
    'slowest list, ms': worst.list,
    'sign-ins': regularUser.times.signIn.length,
    'slowest sign-in, ms': worst.signIn,
  };
  return { figures, problems };
};

/** Uploads a photo every `everyMs` until `signal` is aborted. Uploads may overlap. */
const uploadPhotos = async (regularUser: RegularUser, everyMs: number, signal: AbortSignal): Promise<void> => {
  const uploads: Promise<unknown>[] = [];
  for (let seed = 800; !signal.aborted; seed++) {
    const [photo] = await makePhotos(seed, 1);
    uploads.push(regularUser.upload(photo!).catch((error: unknown) => regularUser.problems.push(String(error))));
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(uploads);
};

/**
 * Sends files with several concurrent uploads, waits until all are finished, and returns those with a wrong final
 * state.
 */
const uploadAll = async (client: Client, files: readonly HostileFile[]): Promise<string[]> => {
  const ids = await mapConcurrently(uploadsAtOnce, files, (file) => client.upload(file));
  const problems: string[] = [];
  const waitOptions = { timeoutMs, everyMs: 250 };
  for (const [index, { filename, allowedEnds }] of files.entries()) {
    const getFinalStatus = async (): Promise<string | false> => {
      const { status } = await client.get(ids[index]!);
      return (status === 'READY' || status === 'FAILED') && status;
    };
    const status = await waitFor(`${filename} is done`, getFinalStatus, waitOptions).catch(
      (error: Error) => `unfinished: ${error.message}`,
    );
    if (!allowedEnds.some((each) => each === status)) problems.push(`${filename} is ${status}`);
  }
  return problems;
};

/**
 * Finds runs of a user's files with more than the two attempts of a timeout, with the log lines of the failed attempts.
 */
const listRepeated = async (query: Query, userId: string, log: string): Promise<string[]> => {
  const runs = await query<{ id: string; filename: string; component: string; attempts: number }>(
    `select media_items.id, filename, component, attempts from component_runs
    join media_items on media_items.id = media_item_id
    where media_items.user_id = $1 and attempts > 2`,
    [userId],
  );
  const lines = log.split('\n').filter((line) => line.includes('"run failed"'));
  return runs.map(({ id, filename, component, attempts }) => {
    const failed = lines.filter((line) => line.includes(id) && line.includes(`"${component}"`));
    return `${attempts} attempts of ${component} for ${filename}\n${failed.join('\n')}`;
  });
};

const getWorstTimes = ({ ready, list, signIn }: RegularUserTimes): Record<keyof RegularUserTimes, number> => ({
  ready: roundedQuantile(ready, 1),
  list: roundedQuantile(list, 1),
  signIn: roundedQuantile(signIn, 1),
});

/** Rounds the quantile to whole ms. */
const roundedQuantile = (times: readonly number[], share: number): number => Math.round(quantile(times, share));
