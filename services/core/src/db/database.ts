import { Kysely, sql, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely';
import { pg } from './guardedPg.ts';
import { AppError, UnavailableError } from '../log/errors.ts';
import { watchResponses, type ResponseWatch } from './responseWatch.ts';
import { getNameGeneration, PreparingDialect, sendPrepared, type Send } from './preparedStatements.ts';
import { retryRolledBack } from './retryRolledBack.ts';
import type { Tables } from './schema.ts';

/** The connection pool, or a transaction on it. */
export type Database = Kysely<Tables> | Transaction<Tables>;

export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** Called when an idle connection breaks. The pool replaces it. */
  readonly onError: (error: Error) => void;
  /** Statement timeout of the server, in ms; 0 for none. */
  readonly statementTimeoutMs?: number;
  /**
   * True if `url` leads to a transaction pooler. It accepts no session parameters, so the server gets no timeouts.
   */
  readonly isPooled?: boolean;
  /** Maximum wait for a free connection, in ms. A watched pool fails sooner if the server is frozen. */
  readonly connectTimeoutMs?: number;
  /** Fails queries when the server stops responding, see [Note: Frozen database]. Otherwise they wait. */
  readonly isWatched?: boolean;
  /** Timeout of a probe of a watched server, in ms. */
  readonly probeMs?: number;
}

/** OIDs of types, from PostgreSQL's `pg_type.dat`. */
const typeIds = { int8: 20, timestamp: 1114 } as const;

/** Opens a pool. Connects at the first query only, so an unreachable database is no error here. */
export const openDatabase = ({
  url,
  maxConnections,
  onError,
  statementTimeoutMs = 60_000,
  isPooled = false,
  connectTimeoutMs = 10_000,
  isWatched = true,
  probeMs,
}: DatabaseOptions): Kysely<Tables> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(!isPooled && { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 60_000 }),
    // Detects a vanished peer even while nothing is sent.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: (id: number, format?: 'text' | 'binary') => getTypeParser(id, format) },
  });
  pool.on('error', onError);
  // A client that breaks while checked out fails its query, too. Without a listener the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const watched = isWatched ? watchPool(pool, watchResponses(pool, url, statementTimeoutMs, probeMs), !isPooled) : pool;
  return new Kysely<Tables>({ dialect: new PreparingDialect({ pool: watched }) });
};

/** Adapts the pool to Kysely, see [Note: Frozen database] and [Note: Prepared statements]. */
const watchPool = (pool: pg.Pool, watch: ResponseWatch, isPreparing: boolean): PostgresPool => {
  const generations = new WeakMap<pg.PoolClient, number>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await watch.connect();
      const generation = generations.get(client) ?? getNameGeneration();
      generations.set(client, generation);
      let isInTransaction = false;
      const send: Send = (statement) => watch.during(client, () => client.query(statement));
      const query = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
        isInTransaction ||= /^(?:begin|start transaction)\b/.test(text);
        const run = () => (isPreparing ? sendPrepared(send, { text, values }) : send({ text, values: [...values] }));
        // In a transaction, one statement cannot run again by itself: `transaction` repeats all of them.
        return isInTransaction ? run() : retryRolledBack(run);
      };
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (isBroken) => client.release(isBroken === true || generation !== getNameGeneration()),
      };
    },
  };
};

/**
 * Runs `work` in one transaction, or in `db` if that is a transaction already. Repeats `work` after a deadlock, or when
 * a migration made a prepared statement stale: so `work` must have no effects outside of the database. Our statements
 * lock rows in one order, but triggers and foreign keys do not, so deadlocks remain possible.
 */
export const transaction = async <Result>(
  db: Database,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> => {
  if (db.isTransaction) return work(db as Transaction<Tables>);
  return retryRolledBack(() => db.transaction().execute(work));
};

/** @throws UnavailableError */
export const pingDatabase = async (db: Database): Promise<void> => {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    throw asDatabaseError(error);
  }
};

/** Returns true if the error means that the database is unreachable or shutting down, not that the query is invalid. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return (
    unavailableCodes.has(code) ||
    code.startsWith('08') ||
    /^(Connection terminated|Postgres connection has been discarded|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|The server does not support)/.test(
      error.message,
    ) ||
    (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable))
  );
};

/**
 * Converts an error of an unavailable database or a full disk to the error for the client. Returns other errors
 * unchanged.
 */
export const asDatabaseError = (error: unknown): unknown => {
  if (isDatabaseUnavailable(error)) return new UnavailableError('the database', error);
  // disk_full. https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (!(error instanceof pg.DatabaseError) || error.code !== '53100') return error;
  return new AppError('UNAVAILABLE', 'the database has no free disk space', { cause: error, retryAfterSeconds: 5 });
};

/**
 * SQLSTATEs of a server that starts, shuts down or has no free connection, and socket errors.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const unavailableCodes: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/**
 * Parses counts as numbers. Keeps a time without a zone as text: a `Date` would move it into the zone of this process.
 */
const getTypeParser = (id: number, format: 'text' | 'binary' | undefined): ((value: string) => unknown) => {
  if (id === typeIds.int8) return Number;
  if (id === typeIds.timestamp) return (value) => value.replace(' ', 'T');
  return pg.types.getTypeParser(id, format) as (value: string) => unknown;
};
