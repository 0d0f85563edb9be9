import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { createSemaphore } from '../limits/semaphore.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { minPasswordLength } from '@hearth/contract/limits.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/**
 * Rejects a common password in any letter case, because attackers try these first (NIST SP 800-63B-4, 3.1.1.2).
 * @param path request path of the password, for the error
 * @throws AppError VALIDATION_FAILED
 */
export const rejectCommonPassword = async (password: string, path: string): Promise<void> => {
  if (!(await (commonPasswords ??= loadCommonPasswords())).has(password.toLowerCase())) return;
  const message = 'is a common password that attackers try first; choose another one';
  throw new AppError('VALIDATION_FAILED', `the password ${message}`, { errors: [{ path, message }] });
};

/** Loads the common passwords that are not too short anyway: 17,950 of 49,233. Most processes never need them. */
const loadCommonPasswords = async (): Promise<ReadonlySet<string>> => {
  const path = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'));
  const all = JSON.parse(await readFile(path, 'utf8')) as readonly string[];
  return new Set(all.filter(({ length }) => length >= minPasswordLength).map((each) => each.toLowerCase()));
};

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/**
 * Limits hashing to two at a time, 19 MiB each. A flood of logins must not use up the memory or all four threads of the
 * pool that also reads files. The last of 100 queued hashes waits about as long as a person would.
 */
const hashing = createSemaphore({ permits: 2, maxWaiting: 100 });

/**
 * Hashes with argon2id and the library's defaults: 19 MiB, two passes (OWASP's first choice).
 * @throws AppError VALIDATION_FAILED if the password is common
 */
export const hashNewPassword = async (password: string): Promise<string> => {
  await rejectCommonPassword(password, 'body.password');
  return hashPassword(password);
};

/**
 * Verifies a password. Without a hash, returns false after the same time, so that no one can find out which usernames
 * exist.
 */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const expected = passwordHash ?? (await unknownUserHash);
  const matches = await runLimited(() => verify(expected, password));
  return matches && passwordHash !== undefined;
};

/** @throws AppError UNAVAILABLE if too many passwords are queued */
const runLimited = async <Result>(work: () => Promise<Result>): Promise<Result> =>
  hashing(async () => {
    metrics.passwordHashes.inc();
    return work();
  });

const hashPassword = async (password: string): Promise<string> => runLimited(() => hash(password));

const unknownUserHash = hashPassword(randomBytes(16).toString('hex'));
