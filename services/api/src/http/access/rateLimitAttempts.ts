import { setTimeout as sleep } from 'node:timers/promises';
import { insertAuditEntry } from '../../accounts/auditLog.ts';
import type { Database } from '@hearth/core/db/database.ts';
import {
  createAttemptSubject,
  startAttempt,
  failAttempt,
  cancelAttempt,
  deleteFailures,
  isKnownNetwork,
  evaluateAttempt,
  recordKnownNetwork,
  type AttemptState,
  type AttemptSubject,
} from '../../accounts/loginAttempts.ts';
import { toUsernameKey } from '../../accounts/usernameKey.ts';
import { findUserByUsername } from '../../accounts/users.ts';
import type { Deps } from '../../deps/deps.ts';
import { rejectLockedOut, recordLockout, tooManyAttempts } from '../../accounts/attemptLimiter.ts';

/** A sign-in attempt. */
export interface Attempt {
  readonly kind: 'account' | 'administrator' | 'code';
  /** Empty for a one-time code. */
  readonly username: string;
  readonly network: string;
  /** For the audit log only. */
  readonly address: string;
  /** For the audit log only. */
  readonly requestId: string;
}

type AttemptDeps = Pick<Deps, 'db' | 'attempts'>;

/** Poll interval, in ms, for an attempt whose outcome depends on unfinished attempts at other replicas. */
const pollMs = 50;

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
    const started = await startAttempt(db, subjects);
    if (started.state !== 'allowed') return started;
    let result: Result | undefined;
    try {
      result = await check();
    } catch (error) {
      // Not awaited: if the database is unavailable, this must not delay the response further.
      cancelAttempt(db, started.id).catch(() => undefined);
      throw error;
    }
    if (result === undefined) {
      await failAttempt(db, started.id);
      await auditAttempt(db, attempt, 'SIGN_IN_FAILED');
    } else {
      await cancelAttempt(db, started.id);
      await acceptAttempt(deps, subjects[0]);
    }
    return { state: 'checked', result };
  });

/**
 * Counts an attempt whose credentials are already checked, because the check is cheap. A success writes nothing if
 * there were no failures and a sign-in from this network was recorded within a day.
 * @throws AppError TOO_MANY_ATTEMPTS, even for right credentials, or UNAVAILABLE if too many attempts are queued
 */
export const recordAttempt = async (deps: AttemptDeps, attempt: Attempt, isRight: boolean): Promise<void> =>
  runAttempt(deps, attempt, async (subjects) => {
    const { db } = deps;
    if (isRight) {
      const decision = await evaluateAttempt(db, subjects);
      if (decision.state !== 'allowed') return decision;
      if (await acceptAttempt(deps, subjects[0])) await auditAttempt(db, attempt, 'SIGNED_IN');
    } else {
      const started = await startAttempt(db, subjects);
      if (started.state !== 'allowed') return started;
      await failAttempt(db, started.id);
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

/** Makes an attempt when the semaphore has a permit. Repeats it while its outcome depends on unfinished attempts. */
const runAttempt = async <Result>(
  { db, attempts }: AttemptDeps,
  attempt: Attempt,
  make: (subjects: Subjects) => Promise<Outcome<Result>>,
): Promise<Result> => {
  const { kind, username, network } = attempt;
  const key = toUsernameKey(username);
  const from = createAttemptSubject(`${kind}From`, key, network);
  const address = createAttemptSubject('address', network);
  for (;;) {
    rejectLockedOut(attempts, [from, address]);
    const outcome = await attempts.run(network, async () => {
      // An earlier attempt may have locked the subject out meanwhile.
      rejectLockedOut(attempts, [from, address]);
      const isKnown = await isKnownNetwork(db, from);
      const checked = await make([from, ...(isKnown ? [] : [createAttemptSubject(kind, key)]), address]);
      // A refusal by the total count is remembered for this network only, because other networks may be known.
      if (checked.state === 'refused') {
        const subject = checked.subject.kind === 'address' ? address : from;
        if (recordLockout(attempts, subject, checked.retryAfterSeconds)) await auditAttempt(db, attempt, 'LOCKED_OUT');
      }
      return checked;
    });
    if (outcome.state === 'checked') return outcome.result;
    if (outcome.state === 'refused') throw tooManyAttempts(outcome.retryAfterSeconds);
    await sleep(pollMs);
  }
};

/** Clears the failures of a subject. Returns true if no sign-in from this network was recorded within a day. */
const acceptAttempt = async ({ db }: AttemptDeps, from: AttemptSubject): Promise<boolean> => {
  await deleteFailures(db, from);
  return recordKnownNetwork(db, from);
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
