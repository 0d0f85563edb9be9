import { Kysely, sql, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely';
import { pg } from './guardedPg.ts';
import { AppError, UnavailableError } from '../log/errors.ts';
import { watchAnswers, type AnswerWatch } from './answerWatch.ts';
import { nameGeneration, PreparingDialect, sendPrepared, type Send } from './preparedStatements.ts';
import { retryUndone } from './retryUndone.ts';
import type { Tables } from './schema.ts';

/** The connection pool, or a transaction on it: what every function in this folder takes first. */
export type Database = Kysely<Tables> | Transaction<Tables>;

export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** Told when an idle connection breaks; the pool opens another one by itself. */
  readonly onError: (error: Error) => void;
  /** Milliseconds after which the server gives up a statement; 0 for never. */
  readonly statementTimeoutMs?: number;
  /** Whether the address leads through a transaction pooler: it takes no parameters of a session, so the server is told no time-outs. */
  readonly isPooled?: boolean;
  /** Milliseconds after which a request fails for which no connection has become free; those of a frozen server are given up sooner. */
  readonly connectTimeoutMs?: number;
  /** Whether queries fail when the server stops answering, see [Note: Frozen database]; else they wait for it. */
  readonly isWatched?: boolean;
  /** Milliseconds in which a server that is watched must answer when it is asked whether it lives. */
  readonly probeMs?: number;
}

/** PostgreSQL's type numbers, from `pg_type.dat`. */
const typeIds = { int8: 20, timestamp: 1114 } as const;

/** Opens a pool; no connection is made before the first query, so a database that is away is no error here. */
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
    // A peer that vanished without a word is noticed also while nothing is sent.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: (id: number, format?: 'text' | 'binary') => parserOf(id, format) },
  });
  pool.on('error', onError);
  // A client that breaks while it is checked out fails its query too; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const watched = isWatched ? watchPool(pool, watchAnswers(pool, url, statementTimeoutMs, probeMs), !isPooled) : pool;
  return new Kysely<Tables>({ dialect: new PreparingDialect({ pool: watched }) });
};

/** The pool as Kysely needs it, with a watch over every query, see [Note: Frozen database] and [Note: Prepared statements]. */
const watchPool = (pool: pg.Pool, watch: AnswerWatch, isPreparing: boolean): PostgresPool => {
  const generations = new WeakMap<pg.PoolClient, number>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await watch.connect();
      const generation = generations.get(client) ?? nameGeneration();
      generations.set(client, generation);
      let isInTransaction = false;
      const send: Send = (statement) => watch.during(client, () => client.query(statement));
      const query = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
        isInTransaction ||= /^(?:begin|start transaction)\b/.test(text);
        const ask = () => (isPreparing ? sendPrepared(send, { text, values }) : send({ text, values: [...values] }));
        return isInTransaction ? ask() : retryUndone(ask);
      };
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (isBroken) => client.release(isBroken === true || generation !== nameGeneration()),
      };
    },
  };
};

/**
 * Runs `work` in one transaction; called with a transaction, `work` becomes part of that. Our own statements lock rows in one order; triggers and
 * foreign keys lock in theirs. Where PostgreSQL ends a transaction because of a deadlock, or refuses a statement that was prepared before a
 * migration, `work` runs again: so it must do nothing but ask the database.
 */
export const transaction = async <Result>(
  db: Database,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> => {
  if (db.isTransaction) return work(db as Transaction<Tables>);
  return retryUndone(() => db.transaction().execute(work));
};

/** @throws UnavailableError */
export const pingDatabase = async (db: Database): Promise<void> => {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    throw asDatabaseError(error);
  }
};

/** Whether `error` says that the database is away or going away, rather than that the query was wrong. */
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

/** The error for the client, if `error` means that the database is away or its disk full; else `error` itself. */
export const asDatabaseError = (error: unknown): unknown => {
  if (isDatabaseUnavailable(error)) return new UnavailableError('the database', error);
  // The disk of the database takes no more. https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (!(error instanceof pg.DatabaseError) || error.code !== '53100') return error;
  return new AppError('UNAVAILABLE', 'the database has no room left', { cause: error, retryAfterSeconds: 5 });
};

/** Server shut down or starting, out of connections, and what sockets say. https://www.postgresql.org/docs/current/errcodes-appendix.html */
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

/** Counts fit a number; a time without a zone stays text, since a `Date` would move it into the zone of this process. */
const parserOf = (id: number, format: 'text' | 'binary' | undefined): ((value: string) => unknown) => {
  if (id === typeIds.int8) return Number;
  if (id === typeIds.timestamp) return (value) => value.replace(' ', 'T');
  return pg.types.getTypeParser(id, format) as (value: string) => unknown;
};
