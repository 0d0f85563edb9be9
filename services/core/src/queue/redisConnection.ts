import { Redis, type Command, type RedisOptions } from 'ioredis';

/** Returns a connection that reconnects until `disconnect`. Emits errors as `error`, which needs a listener. */
export const connectRedis = (url: string, options: RedisOptions): Redis => {
  const redis = makeRedis(url, { retryStrategy: (attempt) => Math.min((attempt - 1) * 100, 1_000), ...options });
  const disconnect = redis.disconnect.bind(redis);
  // Between two attempts to connect, `disconnect` of ioredis emits no event, and waiting commands would hang.
  redis.disconnect = (willReconnect) => {
    if (redis.status === 'reconnecting' && !willReconnect) redis.connect().catch(() => undefined);
    disconnect(willReconnect);
  };
  return redis;
};

/** Returns a connection that only `ensureConnected` opens or reopens. While it is closed, commands fail at once. */
export const connectRedisOnDemand = (url: string, options: RedisOptions): Redis =>
  makeRedis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    // Otherwise commands would queue in memory while Redis is unavailable.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    ...options,
  });

/** Opens the connection if it is not open. Rejects if that fails. */
export const ensureConnected = async (redis: Redis): Promise<void> => {
  if (redis.status === 'ready') return;
  let reason: unknown;
  const onError = (error: Error): void => void (reason = error);
  redis.on('error', onError);
  try {
    await redis.connect();
  } catch (error) {
    // The rejection only reports a closed connection. The event has the reason.
    throw reason ?? error;
  } finally {
    redis.off('error', onError);
  }
};

const makeRedis = (url: string, options: RedisOptions): Redis => {
  const redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    // After a failover the old primary returns READONLY, and the address leads to the new one by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    // Accepts IPv4 and IPv6 addresses.
    family: 0,
    ...options,
  });
  timeOutHandshakes(redis);
  rejectPendingCommands(redis);
  return redis;
};

/**
 * Rejects pending commands when a connection has ended permanently. ioredis keeps active commands of a broken
 * connection to resend them on the next one. If there is none, it drops them, and their promises would never settle.
 */
const rejectPendingCommands = (redis: Redis): void => {
  const pending = new Set<Command>();
  const sendCommand = redis.sendCommand.bind(redis);
  redis.sendCommand = (command: Command, ...more) => {
    pending.add(command);
    const forget = (): boolean => pending.delete(command);
    command.promise.then(forget, forget);
    return sendCommand(command, ...more);
  };
  redis.on('end', () => {
    for (const command of pending) command.reject(new Error('Connection is closed.'));
  });
};

/** Timeout of a connection attempt, in ms. */
const connectTimeoutMs = 5_000;

/** Breaks a connection whose server accepts it and then sends nothing. ioredis would wait forever. */
const timeOutHandshakes = (redis: Redis): void => {
  let timeout: NodeJS.Timeout | undefined;
  const clearTimer = (): void => clearTimeout(timeout);
  redis
    .on('connect', () => {
      clearTimer();
      timeout = setTimeout(() => redis.disconnect(true), connectTimeoutMs);
    })
    .on('ready', clearTimer)
    .on('close', clearTimer);
};

/**
 * Breaks a connection if a PING gets no response, so that it reconnects. A vanished machine closes no connection, and
 * TCP waits about a quarter of an hour. Not for connections with blocking commands.
 */
export const disconnectWhenSilent = (redis: Redis): void => {
  let pause: NodeJS.Timeout | undefined;
  let timeout: NodeJS.Timeout | undefined;
  const stopTimers = (): void => {
    clearTimeout(pause);
    clearTimeout(timeout);
  };
  const pingAfterPause = (): void => {
    stopTimers();
    pause = setTimeout(() => {
      timeout = setTimeout(() => redis.disconnect(true), responseTimeoutMs);
      redis.ping().then(pingAfterPause, () => undefined);
    }, heartbeatMs);
  };
  redis.on('ready', pingAfterPause).on('close', stopTimers);
};

/** Pause between two PINGs, in ms. */
const heartbeatMs = 5_000;

/** Timeout of a PING, in ms. Longer than `enqueue` waits. */
const responseTimeoutMs = 5_000;
