import { Redis, type RedisOptions } from 'ioredis';

/** A connection that opens itself again whenever it breaks, until `disconnect`. Errors arrive as the event `error`, to be listened to. */
export const connectRedis = (url: string, options: RedisOptions): Redis => {
  const redis = makeRedis(url, { retryStrategy: (attempt) => Math.min((attempt - 1) * 100, 1_000), ...options });
  const disconnect = redis.disconnect.bind(redis);
  // ioredis ends one that waits for its next attempt without a word, and leaves those who wait for it waiting.
  redis.disconnect = (isToReconnect) => {
    if (redis.status === 'reconnecting' && !isToReconnect) redis.connect().catch(() => undefined);
    disconnect(isToReconnect);
  };
  return redis;
};

/** A connection that is opened by `becomeReady`, again after each time it broke, and on which every command fails at once until then. */
export const connectRedisOnDemand = (url: string, options: RedisOptions): Redis =>
  makeRedis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    // A list of commands that wait would grow as long as Redis is away.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    ...options,
  });

/** Resolves when the connection can be used, or rejects where it cannot be opened now; opens it on demand. */
export const becomeReady = async (redis: Redis): Promise<void> => {
  if (redis.status === 'ready') return;
  let reason: unknown;
  const onError = (error: Error): void => void (reason = error);
  redis.on('error', onError);
  try {
    await redis.connect();
  } catch (error) {
    // That of the promise only says that the connection is closed.
    throw reason ?? error;
  } finally {
    redis.off('error', onError);
  }
};

const makeRedis = (url: string, options: RedisOptions): Redis => {
  const redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    // A replica that was the primary until a moment ago: the address leads to another one by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    // IPv4 or IPv6, as the name resolves.
    family: 0,
    ...options,
  });
  giveUpSilentHandshakes(redis);
  return redis;
};

/** Milliseconds after which an attempt to connect is given up. */
const connectTimeoutMs = 5_000;

/** A server that takes connections and says nothing would be waited for without end. */
const giveUpSilentHandshakes = (redis: Redis): void => {
  let patience: NodeJS.Timeout | undefined;
  const isOver = (): void => clearTimeout(patience);
  redis
    .on('connect', () => {
      isOver();
      patience = setTimeout(() => redis.disconnect(true), connectTimeoutMs);
    })
    .on('ready', isOver)
    .on('close', isOver);
};

/**
 * Breaks a connection on which a question is not answered, so that it is opened anew: a machine that vanishes closes no connection, and TCP
 * waits about a quarter of an hour for it. Not for a connection on which commands block.
 */
export const endWhenSilent = (redis: Redis): void => {
  let pause: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;
  const rest = (): void => {
    clearTimeout(pause);
    clearTimeout(patience);
  };
  const askAfterPause = (): void => {
    rest();
    pause = setTimeout(() => {
      patience = setTimeout(() => redis.disconnect(true), answerTimeoutMs);
      redis.ping().then(askAfterPause, () => undefined);
    }, heartbeatMs);
  };
  redis.on('ready', askAfterPause).on('close', rest);
};

/** Milliseconds between two questions, and for which an answer is waited for: longer than `enqueue` waits. */
const heartbeatMs = 5_000;
const answerTimeoutMs = 5_000;
