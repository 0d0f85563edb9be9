import { Redis, type ChainableCommander } from 'ioredis';

/** Connections to every Redis that QueueScalers name: one for each, kept while it works and opened anew when it is next asked. */
export interface RedisConnections {
  /**
   * Asks all at once and answers in order; what Redis refuses by itself, such as a command on a key of another type, is an Error in its place.
   * @throws Error where Redis is away or does not answer in time
   */
  ask(url: string, questions: (pipeline: ChainableCommander) => void): Promise<readonly unknown[]>;
  /** Closes connections that nobody has asked for `idleMs`, and forgets old failures. */
  closeIdle(): void;
  close(): void;
}

/** Milliseconds for which a connection and its answers are waited for. */
const timeoutMs = 3_000;

/** Milliseconds after a failure for which others are told of it at once: as many as ask for the same Redis would wait for it one after the other. */
const failedMs = 1_000;

/** Milliseconds after which a connection that nobody asks is closed: longer than the longest poll interval. */
const idleMs = 10 * 60_000;

interface Connection {
  readonly redis: Redis;
  readonly opened: Promise<void>;
  lastAskedAt: number;
}

export const openRedisConnections = (): RedisConnections => {
  const connections = new Map<string, Connection>();
  const failures = new Map<string, { readonly error: unknown; readonly at: number }>();
  const open = (url: string): Connection => {
    const redis = connect(url);
    const connection = { redis, opened: openingOf(redis), lastAskedAt: 0 };
    redis.on('end', () => {
      if (connections.get(url) === connection) connections.delete(url);
    });
    connections.set(url, connection);
    return connection;
  };
  /** A connection that failed is never used again: a server that wakes up later would answer older questions first. */
  const drop = (url: string, { redis }: Connection): void => {
    if (connections.get(url)?.redis === redis) connections.delete(url);
    // Not only to the end of what it still has to send: a frozen server takes nothing.
    redis.disconnect();
    (redis as Partial<Pick<Redis, 'stream'>>).stream?.destroy();
  };
  return {
    ask: async (url, questions) => {
      const failure = failures.get(url);
      if (failure !== undefined && performance.now() - failure.at < failedMs) throw failure.error;
      const connection = connections.get(url) ?? open(url);
      connection.lastAskedAt = performance.now();
      const ask = async () => {
        await connection.opened;
        const pipeline = connection.redis.pipeline();
        questions(pipeline);
        const answers = (await pipeline.exec()) ?? [];
        const failure = answers.find(([error]) => error !== null && !isRefusal(error))?.[0];
        if (failure) throw failure;
        return answers;
      };
      try {
        return (await inTime(ask())).map(([error, answer]) => error ?? answer);
      } catch (cause) {
        const error = isClosing(cause) ? new Error('Redis closed the connection', { cause }) : cause;
        drop(url, connection);
        failures.set(url, { error, at: performance.now() });
        throw error;
      }
    },
    closeIdle: () => {
      for (const [url, connection] of connections)
        if (performance.now() - connection.lastAskedAt >= idleMs) drop(url, connection);
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
    // Each poll tries again by itself, and wants to know at once that there is nobody to ask.
    retryStrategy: () => null,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // IPv4 or IPv6, as the name resolves.
    family: 0,
  });

const openingOf = async (redis: Redis): Promise<void> => {
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect();
  } catch (error) {
    // That of the promise only says that the connection is closed.
    throw reason ?? error;
  }
};

/** What Redis itself said. */
const isRefusal = ({ name }: Error): boolean => name === 'ReplyError';

/** One and the same failure: which of its names it has depends on what was being sent when the other end closed. */
const isClosing = (error: unknown): boolean => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (isRefusal(error as Error)) return false;
  if (['ECONNRESET', 'ECONNABORTED', 'EPIPE'].includes(code)) return true;
  return /connection is closed|connection close|isn't writeable|max retries per request/i.test(message);
};

const inTime = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  const silence = Promise.withResolvers<never>();
  const patience = setTimeout(
    () => silence.reject(new Error(`Redis did not answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    return await Promise.race([answer, silence.promise]);
  } finally {
    clearTimeout(patience);
  }
};
