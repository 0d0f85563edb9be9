import { setTimeout as sleep } from 'node:timers/promises';
import { insertAuditEntry } from '../../accounts/auditLog.ts';
import type { Database } from '@hearth/core/db/database.ts';
import {
  attemptSubject,
  beginAttempt,
  failAttempt,
  forgetAttempt,
  forgetFailures,
  isKnownNetwork,
  judgeAttempt,
  learnNetwork,
  type AttemptState,
  type AttemptSubject,
} from '../../accounts/loginAttempts.ts';
import { usernameKey } from '../../accounts/usernameKey.ts';
import { findUserByUsername } from '../../accounts/users.ts';
import type { Deps } from '../../deps/deps.ts';
import { refuseLockedOut, rememberLockout, tooManyAttempts } from '../../accounts/attemptLimiter.ts';

/** A sign-in attempt. */
export interface Attempt {
  readonly kind: 'account' | 'administrator' | 'code';
  /** Empty for a one-time code. */
  readonly username: string;
  readonly network: string;
  /** For the audit log only. */
  readonly address: string;
  readonly requestId: string;
}

type AttemptDeps = Pick<Deps, 'db' | 'attempts'>;

/** Poll interval, in ms, for an attempt that depends on attempts being checked by other replicas. */
const askAgainMs = 50;

/**
 * Runs `check`, which returns undefined for wrong credentials, and counts failures. A success clears the account's
 * count for this network and makes the network known. After too many failures `check` is not called.
 * @throws AppError TOO_MANY_ATTEMPTS, or UNAVAILABLE if too many attempts are queued
 */
export const rateLimitAttempts = async <Result>(
  deps: AttemptDeps,
  attempt: Attempt,
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> =>
  runAttempt(deps, attempt, async (subjects) => {
    const { db } = deps;
    const begun = await beginAttempt(db, subjects);
    if (begun.state !== 'allowed') return begun;
    let result: Result | undefined;
    try {
      result = await check();
    } catch (error) {
      // Not awaited: if the database is unavailable, this must not delay the response further.
      forgetAttempt(db, begun.id).catch(() => undefined);
      throw error;
    }
    if (result === undefined) {
      await failAttempt(db, begun.id);
      await auditAttempt(db, attempt, 'SIGN_IN_FAILED');
    } else {
      await forgetAttempt(db, begun.id);
      await welcome(deps, subjects[0]);
    }
    return { state: 'checked', result };
  });

/**
 * Counts an attempt whose credentials are already checked, because the check is cheap. A success writes nothing if
 * there were no failures and the network is known.
 * @throws AppError TOO_MANY_ATTEMPTS, even for right credentials, or UNAVAILABLE if too many attempts are queued
 */
export const recordAttempt = async (deps: AttemptDeps, attempt: Attempt, isRight: boolean): Promise<void> =>
  runAttempt(deps, attempt, async (subjects) => {
    const { db } = deps;
    if (isRight) {
      const judged = await judgeAttempt(db, subjects);
      if (judged.state !== 'allowed') return judged;
      if (await welcome(deps, subjects[0])) await auditAttempt(db, attempt, 'SIGNED_IN');
    } else {
      const begun = await beginAttempt(db, subjects);
      if (begun.state !== 'allowed') return begun;
      await failAttempt(db, begun.id);
      await auditAttempt(db, attempt, 'SIGN_IN_FAILED');
    }
    return { state: 'checked', result: undefined };
  });

/**
 * Subjects that an attempt counts for: the account from this network, the account in total unless the network is known,
 * and the network.
 */
type Subjects = readonly [from: AttemptSubject, ...others: AttemptSubject[]];

type Outcome<Result> =
  | { readonly state: 'checked'; readonly result: Result }
  | Exclude<AttemptState, { state: 'allowed' }>;

/** Makes an attempt when the semaphore has a permit. Repeats it while its outcome depends on attempts being checked. */
const runAttempt = async <Result>(
  { db, attempts }: AttemptDeps,
  attempt: Attempt,
  make: (subjects: Subjects) => Promise<Outcome<Result>>,
): Promise<Result> => {
  const { kind, username, network } = attempt;
  const key = usernameKey(username);
  const from = attemptSubject(`${kind}From`, key, network);
  const address = attemptSubject('address', network);
  for (;;) {
    refuseLockedOut(attempts, [from, address]);
    const outcome = await attempts.run(network, async () => {
      // An earlier attempt may have locked the subject out meanwhile.
      refuseLockedOut(attempts, [from, address]);
      const isKnown = await isKnownNetwork(db, from);
      const made = await make([from, ...(isKnown ? [] : [attemptSubject(kind, key)]), address]);
      // A refusal by the total count is remembered for this network only, because other networks may be known.
      if (made.state === 'refused') {
        const subject = made.subject.kind === 'address' ? address : from;
        if (rememberLockout(attempts, subject, made.retryAfterSeconds)) await auditAttempt(db, attempt, 'LOCKED_OUT');
      }
      return made;
    });
    if (outcome.state === 'checked') return outcome.result;
    if (outcome.state === 'refused') throw tooManyAttempts(outcome.retryAfterSeconds);
    await sleep(askAgainMs);
  }
};

/** Clears the failures of a subject. Returns true for its first sign-in of the day from this network. */
const welcome = async ({ db }: AttemptDeps, from: AttemptSubject): Promise<boolean> => {
  await forgetFailures(db, from);
  return learnNetwork(db, from);
};

/**
 * Records an attempt with its account, if that exists. Never stores the typed username, which may be a password in the
 * wrong field.
 */
const auditAttempt = async (
  db: Database,
  { kind, username, address, requestId }: Attempt,
  action: 'SIGNED_IN' | 'SIGN_IN_FAILED' | 'LOCKED_OUT',
): Promise<void> => {
  const isSignedIn = action === 'SIGNED_IN';
  const userId = kind === 'account' ? (await findUserByUsername(db, username))?.id : undefined;
  const actor = !isSignedIn ? 'NOBODY' : kind === 'administrator' ? 'ADMINISTRATOR' : 'USER';
  const subject = { account: undefined, administrator: 'administrator', code: 'one-time code' }[kind];
  await insertAuditEntry(db, { action, actor, userId, subject, address, requestId });
};
