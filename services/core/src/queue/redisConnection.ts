import { Redis, type Command, type RedisOptions } from 'ioredis';

/** A connection that reconnects whenever it breaks, until `disconnect`. Errors are emitted as `error`, for which the caller must listen. */
export const connectRedis = (url: string, options: RedisOptions): Redis => {
  const redis = makeRedis(url, { retryStrategy: (attempt) => Math.min((attempt - 1) * 100, 1_000), ...options });
  const disconnect = redis.disconnect.bind(redis);
  // A connection that waits for its next attempt is ended by ioredis without an event, and commands on it would wait for ever.
  redis.disconnect = (isToReconnect) => {
    if (redis.status === 'reconnecting' && !isToReconnect) redis.connect().catch(() => undefined);
    disconnect(isToReconnect);
  };
  return redis;
};

/** A connection that `becomeReady` opens, also after it broke. Until it is open every command fails at once. */
export const connectRedisOnDemand = (url: string, options: RedisOptions): Redis =>
  makeRedis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    // Otherwise commands would queue up in memory for as long as Redis is away.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    ...options,
  });

/** Opens the connection where it is not open. Resolves when it can be used, rejects where it cannot be opened now. */
export const becomeReady = async (redis: Redis): Promise<void> => {
  if (redis.status === 'ready') return;
  let reason: unknown;
  const onError = (error: Error): void => void (reason = error);
  redis.on('error', onError);
  try {
    await redis.connect();
  } catch (error) {
    // The error of the promise says only that the connection is closed; the event's error says why.
    throw reason ?? error;
  } finally {
    redis.off('error', onError);
  }
};

const makeRedis = (url: string, options: RedisOptions): Redis => {
  const redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    // After a failover the old primary answers READONLY: the address leads to the new one by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    // IPv4 or IPv6, whichever the name resolves to.
    family: 0,
    ...options,
  });
  giveUpSilentHandshakes(redis);
  rejectUnanswered(redis);
  return redis;
};

/**
 * Rejects what is unanswered when a connection has ended for good. ioredis keeps the commands that were under way when the connection broke, to send
 * them again over the next one; where there is no next one it forgets them, and whoever waits for an answer would wait for ever.
 */
const rejectUnanswered = (redis: Redis): void => {
  const unanswered = new Set<Command>();
  const sendCommand = redis.sendCommand.bind(redis);
  redis.sendCommand = (command: Command, ...more) => {
    unanswered.add(command);
    const forget = (): boolean => unanswered.delete(command);
    command.promise.then(forget, forget);
    return sendCommand(command, ...more);
  };
  redis.on('end', () => {
    for (const command of unanswered) command.reject(new Error('Connection is closed.'));
  });
};

/** Milliseconds after which an attempt to connect is given up. */
const connectTimeoutMs = 5_000;

/** Breaks a connection whose server accepts it and then says nothing: ioredis would wait for ever. */
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
 * Breaks a connection on which a PING stays unanswered, so that it is opened again: a machine that vanishes closes no connection, and TCP
 * waits about a quarter of an hour. Not for connections with blocking commands.
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

/** Milliseconds between two PINGs, and how long to wait for the answer: longer than `enqueue` waits. */
const heartbeatMs = 5_000;
const answerTimeoutMs = 5_000;
