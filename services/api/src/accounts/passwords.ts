import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { refuseCommonPassword } from './commonPasswords.ts';
import { createSemaphore } from '../limits/semaphore.ts';

/**
 * Hashes are made two at a time, of 19 MiB each: a flood of logins takes neither the machine's memory nor all four of the threads
 * that read files for everybody else. The last of 100 waiting hashes waits about as long as a person would.
 */
const hashing = createSemaphore({ permits: 2, maxWaiting: 100 });

/**
 * The argon2id hash of a password that somebody chooses, with the library's defaults: 19 MiB, two passes (OWASP's first choice).
 * @throws AppError VALIDATION_FAILED where many people have it
 */
export const hashNewPassword = async (password: string): Promise<string> => {
  await refuseCommonPassword(password, 'body.password');
  return hashPassword(password);
};

/** Whether `password` has this hash. Without a hash the answer is false and takes as long, so that nobody can find out which user names exist. */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const expected = passwordHash ?? (await nobodysHash);
  const matches = await counted(() => verify(expected, password));
  return matches && passwordHash !== undefined;
};

/** @throws AppError UNAVAILABLE where too many passwords wait to be hashed */
const counted = async <Result>(work: () => Promise<Result>): Promise<Result> =>
  hashing(async () => {
    metrics.passwordHashes.inc();
    return work();
  });

const hashPassword = async (password: string): Promise<string> => counted(() => hash(password));

const nobodysHash = hashPassword(randomBytes(16).toString('hex'));
