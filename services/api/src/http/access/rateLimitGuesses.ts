import type { Database } from '@hearth/core/db/database.ts';
import { attemptSubject, judgeAttempt, recordGuess, type AttemptState } from '../../accounts/loginAttempts.ts';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { tooManyAttempts } from '../../accounts/attemptLimiter.ts';

/**
 * Finds what a visitor names by a secret id. A wrong id counts for the visitor's network; after too many wrong ids within a minute no replica
 * searches any more. Right ids never count.
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
  // Judged again, so that many guesses at once get no more answers than guesses one after another.
  refuseTooMany(await recordGuess(db, subject, id));
  throw new NotFoundError('shared link');
};

const refuseTooMany = (attempt: AttemptState): void => {
  if (attempt.state === 'refused') throw tooManyAttempts(attempt.retryAfterSeconds);
};
