import type { ChainableCommander } from 'ioredis';
import type { QueueObservation, UnknownQueue } from '../decide/observation.ts';
import type { QueueScalerSpec, QueueScalerSpecQueue } from '../api/queueScaler.ts';
import type { RedisConnections } from './redis.ts';

export interface ActiveJob {
  /** Name of the worker that processes the job. It should be the name of its pod. */
  readonly processedBy: string | undefined;
  /** Start of processing in ms since 1970. Undefined if unknown. */
  readonly processedOn: number | undefined;
}

/** State of the queues of a QueueScaler. */
export interface QueuesObservation {
  readonly queues: readonly QueueObservation[];
  readonly unknownQueues: readonly UnknownQueue[];
  readonly activeJobs: readonly ActiveJob[];
}

/** Maximum number of active jobs per queue for which the worker is read. Other jobs are reported without a worker. */
const maxInspectedJobs = 2_000;

/**
 * Maximum number of reported active jobs per queue. Jobs without a worker matter only while they are fewer than the
 * pods.
 */
const maxReportedJobs = 2 * maxInspectedJobs;

/** Versions with a supported key layout. BullMQ Pro keeps groups in other keys. */
const supportedVersion = /^bullmq:[56]\./;

/**
 * Factor in the score of delayed jobs: in BullMQ 5 and 6 the score is the due time in ms times this, plus a counter.
 */
const delayedScoreFactor = 0x1000;

/**
 * Reads BullMQ's keys in two pipelines: the counts of all queues, then the workers of the active jobs. A queue is
 * unknown if it cannot be read, has an unsupported version, or has no `meta` key. The key is also missing after Redis
 * was emptied, and in the wrong Redis.
 */
export const observeQueues = async (
  redis: RedisConnections,
  url: string,
  { queues, lookaheadSeconds }: Pick<QueueScalerSpec, 'queues' | 'lookaheadSeconds'>,
  now: number,
): Promise<QueuesObservation> => {
  try {
    const results = await readAllCounts(redis, url, queues, now + lookaheadSeconds * 1_000);
    const found = results.filter((result): result is FoundQueue => 'observation' in result);
    const jobs =
      found.length === 0
        ? []
        : await redis.runPipeline(url, (pipeline) => found.map((queue) => addJobCommands(pipeline, queue)));
    return {
      ...readJobs(found, jobs, now),
      unknownQueues: results.filter((result): result is UnknownQueue => 'reason' in result),
    };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = message || code || 'Redis is unavailable';
    return { queues: [], unknownQueues: queues.map(({ name }) => ({ name, reason })), activeJobs: [] };
  }
};

/** Result of the first pipeline for an existing queue. */
interface FoundQueue {
  readonly key: string;
  readonly observation: QueueObservation;
  /** Id of the next job. Undefined if no job is waiting. */
  readonly nextId: string | undefined;
  readonly activeIds: readonly string[];
}

const readAllCounts = async (
  redis: RedisConnections,
  url: string,
  queues: readonly QueueScalerSpecQueue[],
  dueBefore: number,
): Promise<readonly (FoundQueue | UnknownQueue)[]> => {
  const replies = await redis.runPipeline(url, (pipeline) => {
    for (const queue of queues) addCountCommands(pipeline, queue, dueBefore);
  });
  const commandsPerQueue = replies.length / queues.length;
  return queues.map((queue, index) =>
    readCounts(queue, replies.slice(index * commandsPerQueue, (index + 1) * commandsPerQueue)),
  );
};

const addCountCommands = (
  pipeline: ChainableCommander,
  { prefix, name }: QueueScalerSpecQueue,
  dueBefore: number,
): void => {
  const key = `${prefix}:${name}`;
  pipeline
    .exists(`${key}:meta`)
    .hmget(`${key}:meta`, 'paused', 'version')
    .llen(`${key}:wait`)
    // BullMQ 5 moves the waiting jobs of a paused queue to this list; BullMQ 6 does not.
    .llen(`${key}:paused`)
    .zcard(`${key}:prioritized`)
    .zcard(`${key}:delayed`)
    .zcount(`${key}:delayed`, '-inf', `(${(dueBefore + 1) * delayedScoreFactor}`)
    .llen(`${key}:active`)
    .zcard(`${key}:waiting-children`)
    .lindex(`${key}:wait`, -1)
    .zrange(`${key}:prioritized`, 0, 0)
    .lrange(`${key}:active`, 0, maxInspectedJobs - 1);
};

const readCounts = ({ prefix, name }: QueueScalerSpecQueue, replies: readonly unknown[]): FoundQueue | UnknownQueue => {
  const error = replies.find((reply) => reply instanceof Error);
  if (error !== undefined) return { name, reason: error.message };
  const [exists, [pausedField, version]] = replies as [number, (string | null)[]];
  if (exists !== 1) return { name, reason: `queue ${prefix}:${name} does not exist in this Redis` };
  if (version && !supportedVersion.test(version))
    return {
      name,
      reason: `queue ${prefix}:${name} was opened by ${version.slice(0, 40)}; only BullMQ 5 and 6 are supported`,
    };
  const counts = replies.slice(2, 9) as number[];
  const [nextWaiting, nextPrioritized, activeIds] = replies.slice(9) as [string | null, string[], string[]];
  const isValid = counts.every((count) => Number.isSafeInteger(count) && count >= 0) && Array.isArray(activeIds);
  if (!isValid) return { name, reason: `Redis sent invalid counts of queue ${prefix}:${name}` };
  const [waiting = 0, paused = 0, prioritized = 0, delayed = 0, dueDelayed = 0, active = 0, waitingChildren = 0] =
    counts;
  return {
    key: `${prefix}:${name}`,
    observation: {
      name,
      // A producer can be configured not to write its version.
      version: version ?? undefined,
      isPaused: (pausedField ?? null) !== null,
      waiting: waiting + paused,
      prioritized,
      delayed,
      dueDelayed,
      active,
      waitingChildren,
      oldestWaitSeconds: undefined,
    },
    nextId: nextWaiting ?? nextPrioritized[0],
    activeIds,
  };
};

const addJobCommands = (pipeline: ChainableCommander, { key, nextId, activeIds }: FoundQueue): void => {
  pipeline.hget(`${key}:${nextId ?? ''}`, 'timestamp');
  for (const id of activeIds) pipeline.hmget(`${key}:${id}`, 'pb', 'processedOn', 'timestamp');
};

/**
 * Adds the results of the second pipeline: the age of the next job and the workers of the active ones. A job that no
 * longer exists has ended and is not counted.
 */
const readJobs = (
  found: readonly FoundQueue[],
  replies: readonly unknown[],
  now: number,
): Pick<QueuesObservation, 'queues' | 'activeJobs'> => {
  const queues: QueueObservation[] = [];
  const activeJobs: ActiveJob[] = [];
  let offset = 0;
  for (const { observation, nextId, activeIds } of found) {
    const addedAt = nextId === undefined ? undefined : parseTime(replies[offset]);
    const oldestWaitSeconds = addedAt === undefined ? undefined : Math.max(0, Math.floor((now - addedAt) / 1_000));
    const jobs = replies.slice(offset + 1, offset + 1 + activeIds.length).filter((job) => !isMissing(job));
    offset += 1 + activeIds.length;
    const active = Math.max(0, observation.active - (activeIds.length - jobs.length));
    queues.push({ ...observation, active, oldestWaitSeconds });
    const reported = Math.min(active, maxReportedJobs);
    for (let index = 0; index < reported; index++) activeJobs.push(readActiveJob(jobs[index]));
  }
  return { queues, activeJobs };
};

/** Returns true if the job no longer exists. An existing one always has a timestamp. */
const isMissing = (reply: unknown): boolean => Array.isArray(reply) && reply.every((value) => value === null);

const readActiveJob = (reply: unknown): ActiveJob => {
  const [processedBy, processedOn] = (Array.isArray(reply) ? reply : []) as (string | null | undefined)[];
  return { processedBy: processedBy ?? undefined, processedOn: parseTime(processedOn) };
};

/** Parses a job's timestamp in ms since 1970. Returns undefined if it is not a valid number. */
const parseTime = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
