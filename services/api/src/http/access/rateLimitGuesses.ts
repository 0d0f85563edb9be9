import type { Database } from '@hearth/core/db/database.ts';
import { createAttemptSubject, evaluateAttempt, recordGuess, type AttemptState } from '../../accounts/loginAttempts.ts';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { tooManyAttempts } from '../../accounts/attemptLimiter.ts';

/**
 * Finds a resource that a visitor names by a secret id. Counts wrong ids per network and stops searching on all
 * replicas after too many within a minute. Right ids never count.
 * @throws NotFoundError
 * @throws AppError TOO_MANY_ATTEMPTS
 */
export const rateLimitGuesses = async <Result>(
  db: Database,
  { network, id }: { readonly network: string; readonly id: string },
  find: () => Promise<Result | undefined>,
): Promise<Result> => {
  const subject = createAttemptSubject('visitor', network);
  rejectTooMany(await evaluateAttempt(db, [subject]));
  const found = await find();
  if (found !== undefined) return found;
  // Checked again, so that concurrent guesses find out no more than sequential ones.
  rejectTooMany(await recordGuess(db, subject, id));
  throw new NotFoundError('shared link');
};

const rejectTooMany = (attempt: AttemptState): void => {
  if (attempt.state === 'refused') throw tooManyAttempts(attempt.retryAfterSeconds);
};
