import { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { pg } from './guardedPg.ts';

/**
 * [Note: Frozen database] A database that stops closes its connections, and queries fail at once; one that freezes
 * leaves them open. The same happens behind a network that drops packets. Queries would hang until their timeout of a
 * minute, but the API promises a 503 within two seconds. A shorter timeout is no solution, because a query may be slow
 * for good reason.
 * 1. A query that waits while no other query returns starts a probe: a query on a separate connection.
 * 2. If the probe gets no response, the connections with waiting queries are closed, and these queries fail.
 * 3. They are not sent again, because the server may have executed them.
 * Waiting for a connection of the pool is watched in the same way.
 */

/** A waiting query starts a probe after this time without a response to any query, in ms. */
const suspicionMs = 700;

/** Default timeout of a probe, in ms. Together with `suspicionMs` it stays below two seconds. */
const defaultProbeMs = 900;

/** Maximum time between two probes for one slow query, in ms. */
const maxProbeIntervalMs = 30_000;

/** Time beyond the statement timeout after which a connection counts as dead, in ms. */
const graceMs = 5_000;

/** The part of a client that this file uses. */
type Connection = Pick<pg.ClientBase, 'query'> & { end(): Promise<void> };

export interface ResponseWatch {
  /**
   * Waits for a free connection of the pool while the server responds: a busy pool does not mean that the server is
   * down.
   * @throws Error with SQLSTATE 08001 if the server stops responding
   */
  readonly connect: () => Promise<pg.PoolClient>;
  /**
   * Runs a query. Closes the connection, so that the query fails, if the server stops responding or `graceMs` after the
   * statement timeout.
   */
  readonly during: <Result>(connection: Connection, query: () => Promise<Result>) => Promise<Result>;
}

/**
 * @param statementTimeoutMs the server's statement timeout; 0 for none
 * @param probeMs the timeout of a probe
 */
export const watchResponses = (
  pool: pg.Pool,
  url: string,
  statementTimeoutMs: number,
  probeMs = defaultProbeMs,
): ResponseWatch => {
  let lastResponseAt = 0;
  let probe: Promise<boolean> | undefined;
  const isResponding = async (): Promise<boolean> => {
    probe ??= respondsToProbe(url, probeMs).finally(() => (probe = undefined));
    return probe;
  };
  /** Runs `work`. Calls `giveUp` once if the server stops responding or `work` takes longer than `maxMs`. */
  const runWatched = async <Result>(
    work: () => Promise<Result>,
    giveUp: () => void,
    maxMs = Infinity,
  ): Promise<Result> => {
    const startedAt = performance.now();
    const deadAt = startedAt + maxMs;
    let intervalMs = suspicionMs;
    let isOver = false;
    const check = async (): Promise<void> => {
      if (performance.now() >= deadAt) return giveUp();
      const silentMs = performance.now() - Math.max(lastResponseAt, startedAt);
      if (silentMs < suspicionMs) return waitFor(suspicionMs - silentMs);
      const isAlive = await isResponding();
      if (isOver) return;
      if (!isAlive) return giveUp();
      intervalMs = Math.min(2 * intervalMs, maxProbeIntervalMs);
      waitFor(Math.min(intervalMs, deadAt - performance.now()));
    };
    let timer: NodeJS.Timeout | undefined;
    const waitFor = (ms: number): void => void (timer = setTimeout(() => void check(), ms));
    waitFor(intervalMs);
    try {
      return await work();
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  };
  return {
    connect: async () => {
      const waiting = pool.connect();
      const givenUp = Promise.withResolvers<never>();
      return runWatched(
        () => Promise.race([waiting, givenUp.promise]),
        () => {
          void waiting.then((client) => client.release()).catch(() => undefined);
          givenUp.reject(Object.assign(new Error('the database does not respond'), { code: '08001' }));
        },
      );
    },
    during: async (connection, query) => {
      try {
        const maxMs = statementTimeoutMs === 0 ? Infinity : statementTimeoutMs + graceMs;
        const result = await runWatched(query, () => endConnection(connection), maxMs);
        lastResponseAt = performance.now();
        return result;
      } catch (error) {
        if (error instanceof pg.DatabaseError) lastResponseAt = performance.now();
        throw error;
      }
    },
  };
};

/** Ends a client that waits for a query. This destroys the connection, and the pool discards the client on release. */
const endConnection = (connection: Connection): void => void connection.end().catch(() => undefined);

/** Returns true if the server responds on a new connection. An error from the server counts as a response. */
const respondsToProbe = async (url: string, probeMs: number): Promise<boolean> => {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: url, stream: () => socket });
  client.on('error', () => undefined);
  const response = client
    .connect()
    .then(async () => client.query('select 1'))
    .then(
      () => true,
      (error: unknown) => error instanceof pg.DatabaseError,
    );
  const isAlive = await Promise.race([response, waitForTimeout(probeMs)]);
  if (isAlive) void client.end().catch(() => undefined);
  else socket.destroy();
  return isAlive;
};

/**
 * Resolves after the timeout, once responses that have arrived are read: a busy process must not mistake its own delay
 * for a delay of the server.
 */
const waitForTimeout = async (probeMs: number): Promise<false> => {
  await sleep(probeMs, undefined, { ref: false });
  await nextTurn();
  return false;
};
