import type { AttemptSubject } from '@hearth/core/db/accounts/loginAttempts.ts';
import { AppError } from '@hearth/core/errors.ts';
import { takeFairTurns } from './takeFairTurns.ts';

/** How many refusals are remembered: some megabytes, also where somebody has many networks. */
const maxRefusals = 10_000;

/** The door of this process through which attempts to sign in come. */
export interface AttemptQueue {
  /** Two at a time, since each asks the database a few times and hashes a password; the networks that they come from take turns. */
  readonly inTurn: ReturnType<typeof takeFairTurns>;
  /**
   * When each refusal ends that the database is not asked about again: milliseconds as of `Date.now()`. While an attempt is refused nothing is
   * checked on any replica, so nothing ends a refusal early but a success that was being checked when it began.
   */
  readonly refusals: Map<string, number>;
}

/** A door where nobody waits and nobody is refused. */
export const createAttemptQueue = (): AttemptQueue => {
  const inTurn = takeFairTurns({ atOnce: 2, waiting: 100 });
  return {
    inTurn: async (network, attempt) => inTurn(siteOf(network), attempt),
    refusals: new Map(),
  };
};

/**
 * What takes turns: of IPv6 the first 48 bits, since many a provider gives each customer 256 to 65,536 networks of 64 bits, and one who uses them
 * all is to have one turn all the same.
 */
const siteOf = (network: string): string =>
  network.endsWith('::/64') ? network.split(':').slice(0, 3).join(':') : network;

/** @throws AppError TOO_MANY_ATTEMPTS where one of the subjects has been refused for longer than until now */
export const refuseRemembered = ({ refusals }: AttemptQueue, subjects: readonly AttemptSubject[]): void => {
  for (const subject of subjects) {
    const leftMs = (refusals.get(keyOf(subject)) ?? 0) - Date.now();
    if (leftMs > 0) throw tooManyAttempts(Math.ceil(leftMs / 1_000));
  }
};

/** Remembers that attempts of the subject are refused for so many seconds, and answers whether that is news. */
export const rememberRefusal = ({ refusals }: AttemptQueue, subject: AttemptSubject, seconds: number): boolean => {
  const isNews = (refusals.get(keyOf(subject)) ?? 0) <= Date.now();
  refusals.delete(keyOf(subject));
  if (refusals.size >= maxRefusals) refusals.delete(refusals.keys().next().value!);
  refusals.set(keyOf(subject), Date.now() + seconds * 1_000);
  return isNews;
};

/** The answer to an attempt that is refused. */
export const tooManyAttempts = (retryAfterSeconds: number): AppError =>
  new AppError('TOO_MANY_ATTEMPTS', undefined, { retryAfterSeconds: Math.max(retryAfterSeconds, 1) });

const keyOf = ({ hash }: AttemptSubject): string => hash.toString('base64');
