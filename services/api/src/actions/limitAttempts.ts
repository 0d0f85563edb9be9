import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@hearth/core/db/database.ts';
import {
  beginAttempt,
  failAttempt,
  forgetAttempt,
  forgetFailures,
  judgeAttempt,
  type AttemptState,
  type AttemptSubject,
} from '@hearth/core/db/loginAttempts.ts';
import { AppError } from '@hearth/core/errors.ts';

/** What an attempt counts for: who is named, and where it comes from. */
export type AttemptSubjects = readonly [who: AttemptSubject, address: AttemptSubject];

/** Milliseconds until it is asked again whether an attempt may be made, while others are being checked. */
const askAgainMs = 50;

/**
 * Checks credentials, and counts it where they are wrong: `check` answers undefined then. A success clears the count of who is
 * named. After too many failures nothing is checked.
 * @throws AppError TOO_MANY_ATTEMPTS
 */
export const limitAttempts = async <Result>(
  db: Database,
  subjects: AttemptSubjects,
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> => {
  const id = await beginWhenSettled(db, subjects);
  let result: Result | undefined;
  try {
    result = await check();
  } catch (error) {
    // Not waited for: if it is the database that is away, the answer must not be late because of this too.
    forgetAttempt(db, id).catch(() => undefined);
    throw error;
  }
  if (result === undefined) {
    await failAttempt(db, id);
  } else {
    await forgetAttempt(db, id);
    await forgetFailures(db, subjects[0]);
  }
  return result;
};

/**
 * Counts an attempt whose credentials have been checked already, since that costs nothing; a right one writes nothing where
 * none has failed.
 * @throws AppError TOO_MANY_ATTEMPTS, whether they were right or not
 */
export const recordAttempt = async (db: Database, subjects: AttemptSubjects, isRight: boolean): Promise<void> => {
  if (isRight) {
    refuseTooMany(await judgeAttempt(db, subjects));
    await forgetFailures(db, subjects[0]);
  } else {
    await failAttempt(db, await beginWhenSettled(db, subjects));
  }
};

const beginWhenSettled = async (db: Database, subjects: AttemptSubjects): Promise<string> => {
  for (;;) {
    const begun = await beginAttempt(db, subjects);
    if (begun.state === 'allowed') return begun.id;
    refuseTooMany(begun);
    await sleep(askAgainMs);
  }
};

/** @throws AppError TOO_MANY_ATTEMPTS where that is the state */
export const refuseTooMany = (attempt: AttemptState): void => {
  if (attempt.state !== 'refused') return;
  throw new AppError('TOO_MANY_ATTEMPTS', undefined, { retryAfterSeconds: attempt.retryAfterSeconds });
};
