import { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { pg } from './guardedPg.ts';

/**
 * [Note: Frozen database] A database that has ended closes its connections, and queries fail at once. One that is frozen, or
 * lies behind a network that swallows packets, leaves them open: queries would hang until their time-out, a minute, though
 * people are promised a 503 within two seconds. A shorter time-out is no way out, since a query may be slow with good
 * reason. So a query that waits while no other is answered either starts a probe, which asks on a connection of its own.
 * Where the probe gets no answer, the connections on which queries wait are cut, and these fail. None is sent again:
 * whether the server has done what it was asked is not known. Who waits for a connection of the pool is watched over in the same way.
 */

/** Milliseconds without an answer to any query after which one that waits starts a probe. */
const suspicionMs = 700;

/** Milliseconds in which a probe must be answered unless told otherwise; with those above less than two seconds. */
const defaultProbeMs = 900;

/** Milliseconds at most between two probes on behalf of one slow query. */
const longestPatienceMs = 30_000;

/** Milliseconds that a query may take beyond the time at which the server gives it up: then its one connection is dead. */
const graceMs = 5_000;

/** Where a query waits for its answer. */
type Connection = Pick<pg.ClientBase, 'query'> & { end(): Promise<void> };

export interface AnswerWatch {
  /**
   * Waits for a free connection of the pool as long as the server answers others: a pool that is in use is no server that is away.
   * @throws Error of SQLSTATE 08001 where the server has stopped answering
   */
  readonly connect: () => Promise<pg.PoolClient>;
  /** Runs a query, whose connection is cut where the server has stopped answering: then it fails. */
  readonly during: <Result>(connection: Connection, query: () => Promise<Result>) => Promise<Result>;
}

/**
 * @param statementTimeoutMs after which the server itself gives up a statement; 0 for never
 * @param probeMs in which a probe must be answered
 */
export const watchAnswers = (
  pool: pg.Pool,
  url: string,
  statementTimeoutMs: number,
  probeMs = defaultProbeMs,
): AnswerWatch => {
  let answeredAt = 0;
  let probe: Promise<boolean> | undefined;
  const isAnswering = async (): Promise<boolean> => {
    probe ??= canAsk(url, probeMs).finally(() => (probe = undefined));
    return probe;
  };
  /** Resolves as `work` does; calls `giveUp` once where the server answers nobody, or `work` has taken too long. */
  const watchOver = async <Result>(
    work: () => Promise<Result>,
    giveUp: () => void,
    longestMs = Infinity,
  ): Promise<Result> => {
    const begunAt = performance.now();
    const deadAt = begunAt + longestMs;
    let patienceMs = suspicionMs;
    let isOver = false;
    const check = async (): Promise<void> => {
      if (performance.now() >= deadAt) return giveUp();
      const silentMs = performance.now() - Math.max(answeredAt, begunAt);
      if (silentMs < suspicionMs) return waitFor(suspicionMs - silentMs);
      const isAlive = await isAnswering();
      if (isOver) return;
      if (!isAlive) return giveUp();
      patienceMs = Math.min(2 * patienceMs, longestPatienceMs);
      waitFor(Math.min(patienceMs, deadAt - performance.now()));
    };
    let timer: NodeJS.Timeout | undefined;
    const waitFor = (ms: number): void => void (timer = setTimeout(() => void check(), ms));
    waitFor(patienceMs);
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
      return watchOver(
        () => Promise.race([waiting, givenUp.promise]),
        () => {
          void waiting.then((client) => client.release()).catch(() => undefined);
          givenUp.reject(Object.assign(new Error('the database does not answer'), { code: '08001' }));
        },
      );
    },
    during: async (connection, query) => {
      try {
        const longestMs = statementTimeoutMs === 0 ? Infinity : statementTimeoutMs + graceMs;
        const result = await watchOver(query, () => cut(connection), longestMs);
        answeredAt = performance.now();
        return result;
      } catch (error) {
        if (error instanceof pg.DatabaseError) answeredAt = performance.now();
        throw error;
      }
    },
  };
};

/** The client destroys a connection on which it waits; the pool throws it away when it is given back. */
const cut = (connection: Connection): void => void connection.end().catch(() => undefined);

/** Whether the server answers on a connection of its own; an error that it sends is an answer too. */
const canAsk = async (url: string, probeMs: number): Promise<boolean> => {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: url, stream: () => socket });
  client.on('error', () => undefined);
  const asked = client
    .connect()
    .then(async () => client.query('select 1'))
    .then(
      () => true,
      (error: unknown) => error instanceof pg.DatabaseError,
    );
  const isAlive = await Promise.race([asked, tooLate(probeMs)]);
  if (isAlive) void client.end().catch(() => undefined);
  else socket.destroy();
  return isAlive;
};

/**
 * Resolves only after answers that have arrived meanwhile were read: a process that was busy itself must not take its own silence for the server's.
 */
const tooLate = async (probeMs: number): Promise<false> => {
  await sleep(probeMs, undefined, { ref: false });
  await nextTurn();
  return false;
};
