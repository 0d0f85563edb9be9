import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isStalePlan } from './preparedStatements.ts';

const maxAttempts = 5;

/** Bound of the first delay, in ms: about the duration of a transaction. */
const baseDelayMs = 20;

/** Bound of every delay, in ms: a request waits for the next attempt. */
const maxDelayMs = 200;

/**
 * Runs `work`. Repeats it after a deadlock, or if a migration made a prepared statement stale. PostgreSQL has undone
 * everything then, so `work` must only query the database, in one transaction or by a single statement.
 */
export const retryRolledBack = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isRolledBack(error) || attempt === maxAttempts) throw error;
      await sleep(computeRetryDelay(attempt));
    }
  }
};

/**
 * Returns the delay after a failed attempt (counted from 1), in ms: random up to a bound that doubles, so that
 * competitors do not meet again ("full jitter",
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 */
export const computeRetryDelay = (attempt: number, random: () => number = Math.random): number =>
  random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));

const isRolledBack = (error: unknown): boolean =>
  (error instanceof pg.DatabaseError && (error.code === '40P01' || isStalePlan(error))) ||
  (error instanceof Error && isRolledBack(error.cause));
