import type { ChainableCommander } from 'ioredis';
import type { QueueObservation, UnknownQueue } from '../decide/observation.ts';
import type { QueueScalerSpec, QueueScalerSpecQueue } from '../queueScaler.ts';
import type { RedisConnections } from './redis.ts';

/** A job that counts as active. */
export interface JobInHand {
  /** The name of the worker that took it: that of its pod, where workers are named so. */
  readonly processedBy: string | undefined;
  /** Milliseconds since 1970; undefined where it is not known. */
  readonly processedOn: number | undefined;
}

/** What Redis knows of the queues of a QueueScaler. */
export interface QueuesObservation {
  readonly queues: readonly QueueObservation[];
  readonly unknownQueues: readonly UnknownQueue[];
  readonly jobsInHand: readonly JobInHand[];
}

/** Most active jobs of a queue that are asked whose they are; those beyond count as held by nobody known. */
const maxJobsInHand = 2_000;

/** Most jobs in hand that are told of, in all: of those that nobody was asked of, more than there may be pods change nothing. */
const maxToldJobs = 2 * maxJobsInHand;

/** The library and the version of BullMQ that opened a queue last, where its keys mean what is read here. BullMQ Pro keeps groups elsewhere. */
const knownVersion = /^bullmq:[56]\./;

/** A delayed job's score is the milliseconds at which it is due times this, plus a counter, in BullMQ 5 and 6. */
const delayedScoreFactor = 0x1000;

/**
 * Reads BullMQ's own keys: the counts of all queues at once, then whose the active jobs are. A queue that cannot be read is unknown,
 * and so is one that nobody has ever opened, since its keys are missing too where Redis was emptied or the wrong one is asked, and one of a
 * version whose keys may mean something else.
 */
export const observeQueues = async (
  redis: RedisConnections,
  url: string,
  { queues, lookaheadSeconds }: Pick<QueueScalerSpec, 'queues' | 'lookaheadSeconds'>,
  now: number,
): Promise<QueuesObservation> => {
  try {
    const looks = await lookAtAll(redis, url, queues, now + lookaheadSeconds * 1_000);
    const found = looks.filter((look): look is FoundQueue => 'observation' in look);
    const jobs =
      found.length === 0 ? [] : await redis.ask(url, (pipeline) => found.map((each) => askJobs(pipeline, each)));
    return {
      ...readJobs(found, jobs, now),
      unknownQueues: looks.filter((look): look is UnknownQueue => 'reason' in look),
    };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = message || code || 'Redis is away';
    return { queues: [], unknownQueues: queues.map(({ name }) => ({ name, reason })), jobsInHand: [] };
  }
};

/** What the first look at a queue finds. */
interface FoundQueue {
  readonly key: string;
  readonly observation: QueueObservation;
  /** Of the job that is next; undefined where none waits. */
  readonly nextId: string | undefined;
  readonly activeIds: readonly string[];
}

const lookAtAll = async (
  redis: RedisConnections,
  url: string,
  queues: readonly QueueScalerSpecQueue[],
  dueBefore: number,
): Promise<readonly (FoundQueue | UnknownQueue)[]> => {
  const answers = await redis.ask(url, (pipeline) => {
    for (const queue of queues) askCounts(pipeline, queue, dueBefore);
  });
  const each = answers.length / queues.length;
  return queues.map((queue, index) => readCounts(queue, answers.slice(index * each, (index + 1) * each)));
};

const askCounts = (pipeline: ChainableCommander, { prefix, name }: QueueScalerSpecQueue, dueBefore: number): void => {
  const key = `${prefix}:${name}`;
  pipeline
    .exists(`${key}:meta`)
    .hmget(`${key}:meta`, 'paused', 'version')
    .llen(`${key}:wait`)
    // BullMQ 5 moves what waits in a paused queue here; 6 leaves it where it is.
    .llen(`${key}:paused`)
    .zcard(`${key}:prioritized`)
    .zcard(`${key}:delayed`)
    .zcount(`${key}:delayed`, '-inf', `(${(dueBefore + 1) * delayedScoreFactor}`)
    .llen(`${key}:active`)
    .zcard(`${key}:waiting-children`)
    .lindex(`${key}:wait`, -1)
    .zrange(`${key}:prioritized`, 0, 0)
    .lrange(`${key}:active`, 0, maxJobsInHand - 1);
};

const readCounts = ({ prefix, name }: QueueScalerSpecQueue, answers: readonly unknown[]): FoundQueue | UnknownQueue => {
  const refusal = answers.find((answer) => answer instanceof Error);
  if (refusal !== undefined) return { name, reason: refusal.message };
  const [exists, [pausedMark, version]] = answers as [number, (string | null)[]];
  if (exists !== 1) return { name, reason: `nobody has opened the queue ${prefix}:${name} in this Redis` };
  if (version && !knownVersion.test(version))
    return {
      name,
      reason: `the queue ${prefix}:${name} was opened by ${version.slice(0, 40)}, and only the layout of bullmq 5 and 6 is known`,
    };
  const [waiting, paused, prioritized, delayed, dueDelayed, active, waitingChildren] = answers.slice(2) as number[];
  const [nextWaiting, nextPrioritized, activeIds] = answers.slice(9) as [string | null, string[], string[]];
  return {
    key: `${prefix}:${name}`,
    observation: {
      name,
      // Undefined where a producer was told to write none.
      version: version ?? undefined,
      isPaused: (pausedMark ?? null) !== null,
      waiting: (waiting ?? 0) + (paused ?? 0),
      prioritized: prioritized ?? 0,
      delayed: delayed ?? 0,
      dueDelayed: dueDelayed ?? 0,
      active: active ?? 0,
      waitingChildren: waitingChildren ?? 0,
      oldestWaitSeconds: undefined,
    },
    nextId: nextWaiting ?? nextPrioritized[0],
    activeIds,
  };
};

const askJobs = (pipeline: ChainableCommander, { key, nextId, activeIds }: FoundQueue): void => {
  pipeline.hget(`${key}:${nextId ?? ''}`, 'timestamp');
  for (const id of activeIds) pipeline.hmget(`${key}:${id}`, 'pb', 'processedOn', 'timestamp');
};

/** What the second look adds: how old the next jobs are, and whose the active ones. A job that is gone by now is done, and counts no longer. */
const readJobs = (
  found: readonly FoundQueue[],
  answers: readonly unknown[],
  now: number,
): Pick<QueuesObservation, 'queues' | 'jobsInHand'> => {
  const queues: QueueObservation[] = [];
  const jobsInHand: JobInHand[] = [];
  let place = 0;
  for (const { observation, nextId, activeIds } of found) {
    const addedAt = nextId === undefined ? undefined : timeOf(answers[place]);
    const oldestWaitSeconds = addedAt === undefined ? undefined : Math.max(0, Math.floor((now - addedAt) / 1_000));
    const jobs = answers.slice(place + 1, place + 1 + activeIds.length).filter((job) => !isGone(job));
    place += 1 + activeIds.length;
    const active = Math.max(0, observation.active - (activeIds.length - jobs.length));
    queues.push({ ...observation, active, oldestWaitSeconds });
    // Beyond `maxJobsInHand` nobody was asked.
    const told = Math.min(active, maxToldJobs);
    for (let index = 0; index < told; index++) jobsInHand.push(readJobInHand(jobs[index]));
  }
  return { queues, jobsInHand };
};

/** Every job has a time at which it was added. */
const isGone = (answer: unknown): boolean => Array.isArray(answer) && answer.every((value) => value === null);

const readJobInHand = (answer: unknown): JobInHand => {
  const [processedBy, processedOn] = (Array.isArray(answer) ? answer : []) as (string | null | undefined)[];
  return { processedBy: processedBy ?? undefined, processedOn: timeOf(processedOn) };
};

/** Milliseconds since 1970 as a job has them; undefined where that is no such number, whoever wrote it. */
const timeOf = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
