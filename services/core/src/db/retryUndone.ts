import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isStalePlan } from './preparedStatements.ts';

/** Attempts at most, where the server undoes each of them. */
const maxAttempts = 5;

/** Milliseconds: about as long as a transaction of ours takes, and the longest that a request waits for one more attempt. */
const baseDelayMs = 20;
const maxDelayMs = 200;

/**
 * Runs `work`, and runs it again where PostgreSQL has ended it because of a deadlock, or has refused a statement that was prepared before a migration.
 * PostgreSQL has undone all that it did then, so `work` must do nothing but ask the database, in one transaction or by one statement outside of any.
 */
export const retryUndone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isUndone(error) || attempt === maxAttempts) throw error;
      await sleep(delayBefore(attempt));
    }
  }
};

/**
 * Milliseconds to wait after a failed attempt, from 1: anything up to a bound that doubles each time, so that those who met once do not meet
 * again ("full jitter", https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 */
export const delayBefore = (attempt: number, random: () => number = Math.random): number =>
  random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));

const isUndone = (error: unknown): boolean =>
  (error instanceof pg.DatabaseError && (error.code === '40P01' || isStalePlan(error))) ||
  (error instanceof Error && isUndone(error.cause));
