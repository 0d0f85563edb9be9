import type { AttemptSubject } from './loginAttempts.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { createFairSemaphore } from '../limits/fairSemaphore.ts';

/** Bounds memory to a few megabytes, even if an attacker uses many networks. */
const maxLockouts = 10_000;

/** Limits of sign-in attempts within this process. The counts shared by all replicas are in the database. */
export interface AttemptLimiter {
  /** Runs two attempts at a time, because each queries the database and hashes a password. Fair between networks. */
  readonly run: ReturnType<typeof createFairSemaphore>;
  /**
   * End of each lockout, in ms as of `Date.now()`. Until then the database is not queried. No replica checks passwords
   * during a lockout, so only a check that was already running can end it early.
   */
  readonly lockouts: Map<string, number>;
}

export const createAttemptLimiter = (): AttemptLimiter => {
  const run = createFairSemaphore({ permits: 2, maxWaiting: 100 });
  return {
    run: async (network, attempt) => run(getSite(network), attempt),
    lockouts: new Map(),
  };
};

/**
 * Returns the party of the fair semaphore: the network, or only the first 48 bits of an IPv6 address. Many providers
 * give each customer 256 to 65,536 networks of 64 bits, which must count as one party.
 */
const getSite = (network: string): string =>
  network.endsWith('::/64') ? network.split(':').slice(0, 3).join(':') : network;

/** @throws AppError TOO_MANY_ATTEMPTS if one of the subjects is locked out */
export const rejectLockedOut = ({ lockouts }: AttemptLimiter, subjects: readonly AttemptSubject[]): void => {
  for (const subject of subjects) {
    const leftMs = (lockouts.get(getKey(subject)) ?? 0) - Date.now();
    if (leftMs > 0) throw tooManyAttempts(Math.ceil(leftMs / 1_000));
  }
};

/** Returns true if the lockout is new. */
export const recordLockout = ({ lockouts }: AttemptLimiter, subject: AttemptSubject, seconds: number): boolean => {
  const isNew = (lockouts.get(getKey(subject)) ?? 0) <= Date.now();
  lockouts.delete(getKey(subject));
  if (lockouts.size >= maxLockouts) lockouts.delete(lockouts.keys().next().value!);
  lockouts.set(getKey(subject), Date.now() + seconds * 1_000);
  return isNew;
};

export const tooManyAttempts = (retryAfterSeconds: number): AppError =>
  new AppError('TOO_MANY_ATTEMPTS', undefined, { retryAfterSeconds: Math.max(retryAfterSeconds, 1) });

const getKey = ({ hash }: AttemptSubject): string => hash.toString('base64');
