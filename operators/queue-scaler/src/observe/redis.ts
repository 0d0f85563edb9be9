import { Redis, type ChainableCommander } from 'ioredis';

/** One connection per Redis. A failed connection is closed, and the next pipeline opens a new one. */
export interface RedisConnections {
  /**
   * Runs the commands and returns their results in order. The result of a command that Redis rejects, such as for a key
   * of the wrong type, is an Error.
   * @throws Error if Redis is unavailable or does not respond in time
   */
  runPipeline(url: string, addCommands: (pipeline: ChainableCommander) => void): Promise<readonly unknown[]>;
  /** Closes connections unused for `idleMs`, and forgets all failures. */
  closeIdle(): void;
  close(): void;
}

/** Timeout for connecting and running a pipeline, in ms. */
const timeoutMs = 3_000;

/**
 * Time after a failure during which further pipelines fail immediately, in ms. Otherwise each QueueScaler of the same
 * Redis would wait for a timeout.
 */
const failureCacheMs = 1_000;

/** Idle time after which a connection is closed, in ms. It is longer than the longest poll interval. */
const idleMs = 10 * 60_000;

interface Connection {
  readonly redis: Redis;
  readonly opened: Promise<void>;
  lastUsedAt: number;
}

export const openRedisConnections = (): RedisConnections => {
  const connections = new Map<string, Connection>();
  const failures = new Map<string, { readonly error: unknown; readonly at: number }>();
  const open = (url: string): Connection => {
    const redis = connect(url);
    const connection = { redis, opened: waitUntilOpen(redis), lastUsedAt: 0 };
    redis.on('end', () => {
      if (connections.get(url) === connection) connections.delete(url);
    });
    connections.set(url, connection);
    return connection;
  };
  /**
   * Drops a failed or idle connection. A failed connection is never reused: a server that was frozen would first
   * respond to older pipelines.
   */
  const drop = (url: string, { redis }: Connection): void => {
    if (connections.get(url)?.redis === redis) connections.delete(url);
    // disconnect() waits until everything is sent, but a frozen server receives nothing.
    redis.disconnect();
    (redis as Partial<Pick<Redis, 'stream'>>).stream?.destroy();
  };
  return {
    runPipeline: async (url, addCommands) => {
      const failure = failures.get(url);
      if (failure !== undefined && performance.now() - failure.at < failureCacheMs) throw failure.error;
      const connection = connections.get(url) ?? open(url);
      connection.lastUsedAt = performance.now();
      const run = async () => {
        await connection.opened;
        const pipeline = connection.redis.pipeline();
        addCommands(pipeline);
        const replies = (await pipeline.exec()) ?? [];
        const failure = replies.find(([error]) => error !== null && !isReplyError(error))?.[0];
        if (failure) throw failure;
        return replies;
      };
      try {
        return (await withTimeout(run())).map(([error, reply]) => error ?? reply);
      } catch (cause) {
        const error = isConnectionClosed(cause) ? new Error('Redis closed the connection', { cause }) : cause;
        drop(url, connection);
        failures.set(url, { error, at: performance.now() });
        throw error;
      }
    },
    closeIdle: () => {
      for (const [url, connection] of connections)
        if (performance.now() - connection.lastUsedAt >= idleMs) drop(url, connection);
      failures.clear();
    },
    close: () => {
      for (const [url, connection] of connections) drop(url, connection);
    },
  };
};

const connect = (url: string): Redis =>
  new Redis(url, {
    connectionName: 'hearth queue-scaler',
    lazyConnect: true,
    // Each poll is a retry, and must fail immediately while Redis is unavailable.
    retryStrategy: () => null,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Allows both IPv4 and IPv6 addresses.
    family: 0,
  });

const waitUntilOpen = async (redis: Redis): Promise<void> => {
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect();
  } catch (error) {
    // The promise's error says only that the connection is closed.
    throw reason ?? error;
  }
};

/** Returns true if Redis sent an error reply. */
const isReplyError = ({ name }: Error): boolean => name === 'ReplyError';

/** Returns true if Redis closed the connection. The error depends on the data in transit at that moment. */
const isConnectionClosed = (error: unknown): boolean => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (isReplyError(error as Error)) return false;
  if (['ECONNRESET', 'ECONNABORTED', 'EPIPE'].includes(code)) return true;
  return /connection is closed|connection close|isn't writeable|max retries per request/i.test(message);
};

const withTimeout = async <Result>(result: Promise<Result>): Promise<Result> => {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no response from Redis within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([result, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
};
