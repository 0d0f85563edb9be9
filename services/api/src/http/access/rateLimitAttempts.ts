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

/** An attempt to sign in: its kind, the account that it names, and the network that it comes from. */
export interface Attempt {
  readonly kind: 'account' | 'administrator' | 'code';
  /** Empty for a code, which names nobody. */
  readonly username: string;
  readonly network: string;
  /** For the audit log. */
  readonly address: string;
  readonly requestId: string;
}

type AttemptDeps = Pick<Deps, 'db' | 'attempts'>;

/** Milliseconds until an attempt is judged again that depends on attempts which other replicas are checking. */
const askAgainMs = 50;

/**
 * Checks credentials; `check` answers undefined for wrong ones, which are counted. A success clears the account's count for this network,
 * and makes the network known. After too many failures `check` is not called.
 * @throws AppError TOO_MANY_ATTEMPTS, and UNAVAILABLE where too many attempts wait
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
      // Not awaited: if the database is away, this must not delay the answer further.
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
 * Counts an attempt whose credentials were checked before, because that check is cheap. A right one writes nothing where no attempt has
 * failed and the network is known.
 * @throws AppError TOO_MANY_ATTEMPTS, whether the credentials were right or not, and UNAVAILABLE where too many attempts wait
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

/** What an attempt counts for: the account from this network, the account from everywhere unless this network is known, and the network. */
type Subjects = readonly [from: AttemptSubject, ...others: AttemptSubject[]];

type Outcome<Result> =
  | { readonly state: 'checked'; readonly result: Result }
  | Exclude<AttemptState, { state: 'allowed' }>;

/** Makes an attempt when the semaphore has a permit, and again as long as its outcome depends on attempts that are being checked. */
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
      // An attempt that ran before this one may have locked the subject out.
      refuseLockedOut(attempts, [from, address]);
      const isKnown = await isKnownNetwork(db, from);
      const made = await make([from, ...(isKnown ? [] : [attemptSubject(kind, key)]), address]);
      // A refusal by the count from everywhere is remembered for this network only, because other networks may be known.
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

/** Clears the failures of a subject; answers whether this is its first sign-in of the day from this network. */
const welcome = async ({ db }: AttemptDeps, from: AttemptSubject): Promise<boolean> => {
  await forgetFailures(db, from);
  return learnNetwork(db, from);
};

/** Records an attempt with its account, if there is one; never with the typed user name, which may be a password in the wrong field. */
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
