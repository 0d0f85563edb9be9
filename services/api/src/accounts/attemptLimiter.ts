import type { AttemptSubject } from './loginAttempts.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { createFairSemaphore } from '../limits/fairSemaphore.ts';

/** How many lockouts are kept at most: a few megabytes, even if an attacker has many networks. */
const maxLockouts = 10_000;

/** The limits on attempts to sign in within this process. The counts that all replicas share are in the database. */
export interface AttemptLimiter {
  /** Runs two attempts at a time, because each asks the database and hashes a password; fair between networks. */
  readonly run: ReturnType<typeof createFairSemaphore>;
  /**
   * When each lockout ends, in milliseconds as of `Date.now()`: until then the database is not asked. While attempts are refused nothing is
   * checked on any replica, so only a success that was being checked already could end a lockout early.
   */
  readonly lockouts: Map<string, number>;
}

export const createAttemptLimiter = (): AttemptLimiter => {
  const run = createFairSemaphore({ permits: 2, maxWaiting: 100 });
  return {
    run: async (network, attempt) => run(siteOf(network), attempt),
    lockouts: new Map(),
  };
};

/**
 * The party of the fair semaphore: the network, of an IPv6 address only the first 48 bits. Many providers give each customer 256 to 65,536 networks of 64 bits, and a
 * customer who uses all of them counts as one party.
 */
const siteOf = (network: string): string =>
  network.endsWith('::/64') ? network.split(':').slice(0, 3).join(':') : network;

/** @throws AppError TOO_MANY_ATTEMPTS where one of the subjects is locked out */
export const refuseLockedOut = ({ lockouts }: AttemptLimiter, subjects: readonly AttemptSubject[]): void => {
  for (const subject of subjects) {
    const leftMs = (lockouts.get(keyOf(subject)) ?? 0) - Date.now();
    if (leftMs > 0) throw tooManyAttempts(Math.ceil(leftMs / 1_000));
  }
};

/** Locks a subject out for this many seconds; answers whether the lockout is new. */
export const rememberLockout = ({ lockouts }: AttemptLimiter, subject: AttemptSubject, seconds: number): boolean => {
  const isNews = (lockouts.get(keyOf(subject)) ?? 0) <= Date.now();
  lockouts.delete(keyOf(subject));
  if (lockouts.size >= maxLockouts) lockouts.delete(lockouts.keys().next().value!);
  lockouts.set(keyOf(subject), Date.now() + seconds * 1_000);
  return isNews;
};

/** The answer to an attempt that is refused. */
export const tooManyAttempts = (retryAfterSeconds: number): AppError =>
  new AppError('TOO_MANY_ATTEMPTS', undefined, { retryAfterSeconds: Math.max(retryAfterSeconds, 1) });

const keyOf = ({ hash }: AttemptSubject): string => hash.toString('base64');
