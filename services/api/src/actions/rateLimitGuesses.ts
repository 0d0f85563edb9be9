import type { Database } from '@hearth/core/db/connection/database.ts';
import {
  attemptSubject,
  judgeAttempt,
  recordGuess,
  type AttemptState,
} from '@hearth/core/db/accounts/loginAttempts.ts';
import { NotFoundError } from '@hearth/core/errors.ts';
import { tooManyAttempts } from '../limits/attemptLimiter.ts';

/**
 * Looks for what a visitor has named by a secret id, and counts for the visitor's network where there is nothing. After too many wrong ones
 * within a minute nothing is looked for, on any replica; who names only what is there never comes near that.
 * @throws NotFoundError and AppError TOO_MANY_ATTEMPTS
 */
export const rateLimitGuesses = async <Result>(
  db: Database,
  { network, id }: { readonly network: string; readonly id: string },
  find: () => Promise<Result | undefined>,
): Promise<Result> => {
  const subject = attemptSubject('visitor', network);
  refuseTooMany(await judgeAttempt(db, [subject]));
  const found = await find();
  if (found !== undefined) return found;
  // Judged once more, so that of many guesses at one moment no more are answered than of many one after another.
  refuseTooMany(await recordGuess(db, subject, id));
  throw new NotFoundError('shared link');
};

const refuseTooMany = (attempt: AttemptState): void => {
  if (attempt.state === 'refused') throw tooManyAttempts(attempt.retryAfterSeconds);
};
