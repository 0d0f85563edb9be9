import { Queue, Worker } from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import { explainFailure } from '../log/explainFailure.ts';
import type { Log } from '../log/log.ts';
import type { MediaItemJob } from '../config/pipeline.ts';
import type { ConsumerTimings } from './bullConsumer.ts';
import type { BullBackend } from './bullBackend.ts';
import { openBullQueues } from './bullQueues.ts';
import type { Queues } from './queue.ts';
import { ensureConnected, connectRedis, connectRedisOnDemand, disconnectWhenSilent } from './redisConnection.ts';

export interface RedisQueuesOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` over TLS. */
  readonly url: string;
  readonly log: Log;
  readonly timings?: ConsumerTimings;
}

/** Opens the queues on Redis or Valkey, with two connections for all queues and one per consumer. */
export const openRedisQueues = (options: RedisQueuesOptions): Queues =>
  openBullQueues(redisBackend(options), options.log, options.timings ?? defaultTimings);

/** The sum of both times is well below the minute that `Queues.consume` promises. */
const defaultTimings: ConsumerTimings = { lockMs: 30_000, stalledCheckMs: 15_000 };

/** Disables BullMQ's warnings on the console. `warnAboutRedisSettings` logs them instead. */
const commonOptions = { skipVersionCheck: true };

const redisBackend = ({ url, log }: RedisQueuesOptions): BullBackend => {
  let warned: string | undefined;
  const onError = (error: Error): void => {
    log.debug({ reason: error.message }, 'queue connection lost');
    // Reconnects never stop, so a repeated reason is logged only once.
    if (warned !== error.message) log.warn(`cannot use Redis for the queue: ${explainFailure(error)}`);
    warned = error.message;
  };
  const watch = (redis: Redis): Redis => redis.on('error', onError).setMaxListeners(Infinity);

  const enqueuing = watch(connectRedisOnDemand(url, { connectionName: 'hearth queue' }));
  disconnectWhenSilent(enqueuing);
  let isExamined = false;
  const open = async (): Promise<void> => {
    await ensureConnected(enqueuing);
    if (isExamined) return;
    warnAboutRedisSettings(await enqueuing.info(), log);
    isExamined = true;
  };
  let isClosed = false;
  let opening: Promise<void> | undefined;

  // Consumers' connections reconnect forever, as BullMQ requires, so that a job that finished meanwhile is recorded as
  // done.
  const consuming = new Set<Redis>();
  const connect = (options: RedisOptions): Redis => {
    // BullMQ ends the connection of a paused or closed worker, and reconnects it on resume.
    return watch(connectRedis(url, { maxRetriesPerRequest: null, ...options }))
      .on('connecting', function (this: Redis) {
        if (isClosed) this.disconnect();
        else consuming.add(this);
      })
      .on('end', function (this: Redis) {
        consuming.delete(this);
      });
  };
  let shared: Redis | undefined;
  const openShared = (): Redis => {
    const redis = connect({ connectionName: 'hearth consumers' });
    disconnectWhenSilent(redis);
    // BullMQ duplicates the connection for each worker's blocking command and cannot always end the copy while Redis is
    // unavailable.
    redis.duplicate = (override) => connect({ ...override });
    return redis;
  };

  return {
    prepare: async () => {
      if (isClosed) throw new Error('the queue was closed');
      await (opening ??= open().finally(() => (opening = undefined)));
    },
    openQueue: (name, queueOptions, onError) =>
      new Queue<MediaItemJob>(name, { ...queueOptions, ...commonOptions, connection: enqueuing }).on('error', onError),
    openWorker: (name, process, workerOptions, onError) => {
      const bullOptions = { ...workerOptions, ...commonOptions, connection: (shared ??= openShared()) };
      return new Worker<MediaItemJob, void>(name, process, bullOptions).on('error', onError);
    },
    close: async () => {
      isClosed = true;
      for (const redis of [enqueuing, ...consuming]) redis.disconnect();
    },
  };
};

/** Logs a warning if Redis is too old for the queue or may evict keys, according to its `INFO`. */
const warnAboutRedisSettings = (info: string, log: Log): void => {
  const version = findInfoValue(info, 'valkey_version') ?? findInfoValue(info, 'redis_version');
  if (version !== undefined && isOlder(version, minVersion))
    log.warn({ version }, `the queue needs Redis ${minVersion} or newer`);
  const policy = findInfoValue(info, 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    log.warn({ policy }, 'Redis may drop jobs when its memory is full; set maxmemory-policy to noeviction');
};

/** https://docs.bullmq.io/guide/going-to-production */
const minVersion = '6.2.0';

const findInfoValue = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.+?)\\r?$`, 'm').exec(info)?.[1];

const isOlder = (version: string, minimum: string): boolean =>
  version.localeCompare(minimum, 'en', { numeric: true }) < 0;
