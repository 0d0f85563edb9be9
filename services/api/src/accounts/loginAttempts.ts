import { createHash, randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';

/** Allows `max` failures within `windowSeconds`. Further attempts are refused, or allowed once every `paceSeconds`. */
interface AttemptRule {
  readonly max: number;
  readonly windowSeconds: number;
  readonly paceSeconds?: number;
}

const perAccountAndNetwork: AttemptRule = { max: 5, windowSeconds: 60 };

/** Fifty failures on one account within an hour are an attack, which then gets at most 2,880 attempts per day. */
const perAccount: AttemptRule = { max: 50, windowSeconds: 3_600, paceSeconds: 30 };

/** This limit is higher than the one per account and network, because a whole family may share one address. */
const perNetwork: AttemptRule = { max: 20, windowSeconds: 60 };

/**
 * Limits by subject: an account, the administrator or the one-time code of the first start, each per network and in
 * total. Each network also has a limit over all accounts, and another one for wrong ids of shared albums.
 */
const rules = {
  accountFrom: perAccountAndNetwork,
  administratorFrom: perAccountAndNetwork,
  codeFrom: perAccountAndNetwork,
  account: perAccount,
  administrator: perAccount,
  code: perAccount,
  address: perNetwork,
  visitor: perNetwork,
} as const satisfies Record<string, AttemptRule>;

/** Failures older than this no longer count. */
const maxWindowSeconds = Math.max(...Object.values(rules).map(({ windowSeconds }) => windowSeconds));

/** Subject of a rule, such as an account from one network. Stores only a hash of its name. */
export interface AttemptSubject {
  readonly kind: keyof typeof rules;
  readonly hash: Buffer;
}

/** Creates a subject. Pass usernames as keys, so that all spellings count together. */
export const createAttemptSubject = (kind: AttemptSubject['kind'], ...names: readonly string[]): AttemptSubject => ({
  kind,
  hash: createHash('sha256')
    .update([kind, ...names].join('\n'))
    .digest(),
});

/** A pending attempt that is older than this counts as failed, because its process has probably crashed. */
const pendingSeconds = 30;

/**
 * Decision about an attempt. `unsettled`: it depends on attempts whose passwords are being checked right now, so try
 * again shortly.
 */
export type AttemptState =
  | { readonly state: 'allowed' }
  | { readonly state: 'refused'; readonly retryAfterSeconds: number; readonly subject: AttemptSubject }
  | { readonly state: 'unsettled' };

/**
 * Starts an attempt if it is allowed and returns the id to settle it with. A pending attempt counts as a failure, so
 * that concurrent attempts on all replicas cannot exceed the limit.
 * @param subjects in the order of the rules, which prevents deadlocks
 */
export const startAttempt = async (
  db: Database,
  subjects: readonly AttemptSubject[],
): Promise<{ readonly state: 'allowed'; readonly id: string } | Exclude<AttemptState, { state: 'allowed' }>> =>
  transaction(db, async (trx) => {
    for (const subject of subjects) await lockSubject(trx, subject);
    const decision = await evaluateAttempt(trx, subjects);
    if (decision.state !== 'allowed') return decision;
    const id = randomUUID();
    await sql`
      insert into login_attempts (id, subject, is_pending, at)
      select ${id}, subject, true, clock_timestamp() from unnest(${subjects.map(({ hash }) => hash)}::bytea[]) as subject`.execute(
      trx,
    );
    return { state: 'allowed', id };
  });

/** Decides whether an attempt is allowed now. If several subjects are refused, returns the longest refusal. */
export const evaluateAttempt = async (db: Database, subjects: readonly AttemptSubject[]): Promise<AttemptState> => {
  const windows = subjects.map(({ kind }) => rules[kind].windowSeconds);
  const { rows } = await sql<CountedAttempt>`
    select subject, ${isPending} as "isPending", extract(epoch from clock_timestamp() - at)::float8 as age
    from unnest(${subjects.map(({ hash }) => hash)}::bytea[], ${windows}::int[]) as given (subject, seconds)
    join login_attempts using (subject)
    where at > clock_timestamp() - seconds * interval '1 second'
    order by at desc`.execute(prepared(db, 'login_attempts'));
  const decisions = subjects.map((subject) => evaluateSubject(subject, rows));
  const refusals = decisions.filter((each) => each.state === 'refused');
  const [longest] = refusals.toSorted((one, other) => other.retryAfterSeconds - one.retryAfterSeconds);
  return longest ?? decisions.find(({ state }) => state === 'unsettled') ?? { state: 'allowed' };
};

interface CountedAttempt {
  readonly subject: Buffer;
  readonly isPending: boolean;
  /** Seconds since the failure, or since the start if pending. */
  readonly age: number;
}

/** @param counted attempts within the windows of their subjects, newest first */
const evaluateSubject = (subject: AttemptSubject, counted: readonly CountedAttempt[]): AttemptState => {
  const { max, windowSeconds, paceSeconds }: AttemptRule = rules[subject.kind];
  const attempts = counted.filter((attempt) => attempt.subject.equals(subject.hash));
  if (attempts.length < max) return { state: 'allowed' };
  const failures = attempts.filter((attempt) => !attempt.isPending);
  // A refusal ends when this failure leaves the window. With a pace, it ends when the latest failure is old enough.
  const decisive = failures.length < max ? undefined : failures[paceSeconds === undefined ? max - 1 : 0];
  const waitSeconds = decisive === undefined ? 0 : (paceSeconds ?? windowSeconds) - decisive.age;
  if (waitSeconds > 0) return { state: 'refused', retryAfterSeconds: Math.max(Math.ceil(waitSeconds), 1), subject };
  return { state: paceSeconds === undefined || failures.length < attempts.length ? 'unsettled' : 'allowed' };
};

/** Counts a wrong guess, unless it is refused. The same guess within the window counts once. */
export const recordGuess = async (db: Database, subject: AttemptSubject, id: string): Promise<AttemptState> =>
  transaction(db, async (trx) => {
    await lockSubject(trx, subject);
    const decision = await evaluateAttempt(trx, [subject]);
    if (decision.state !== 'allowed') return decision;
    await sql`
      insert into login_attempts (id, subject, is_pending, at) values (${id}, ${subject.hash}, false, clock_timestamp())
      on conflict (id, subject) do update set at = excluded.at`.execute(trx);
    return decision;
  });

/** Settles an attempt as failed. Its age counts from now. */
export const failAttempt = async (db: Database, id: string): Promise<void> => {
  await db
    .updateTable('login_attempts')
    .set({ is_pending: false, at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
};

/** Cancels an attempt that succeeded, or failed for reasons other than the credentials. */
export const cancelAttempt = async (db: Database, id: string): Promise<void> => {
  await db.deleteFrom('login_attempts').where('id', '=', id).execute();
};

/** Deletes the failures of a subject. Pending attempts still count. */
export const deleteFailures = async (db: Database, subject: AttemptSubject): Promise<void> => {
  await deleteUnlocked(db, sql`subject = ${subject.hash} and not (${isPending})`);
};

/** Days that a network stays known after a sign-in. */
const knownDays = 30;

/** Returns true if the account or the administrator recently signed in from this network. */
export const isKnownNetwork = async (db: Database, { hash }: AttemptSubject): Promise<boolean> => {
  const found = await prepared(db, 'known_network')
    .selectFrom('known_networks')
    .select('subject')
    .where('subject', '=', hash)
    .where('at', '>', sql<Date>`now() - ${knownDays} * interval '1 day'`)
    .executeTakeFirst();
  return found !== undefined;
};

/** Records a sign-in from this network. Returns true if the network is new or its last record is older than a day. */
export const recordKnownNetwork = async (db: Database, { hash }: AttemptSubject): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into known_networks as known (subject, at) values (${hash}, now())
    on conflict (subject) do update set at = excluded.at where known.at < excluded.at - interval '1 day'`.execute(db);
  return numAffectedRows !== 0n;
};

/** Deletes expired attempts and networks and returns the number of rows. */
export const deleteOldAttempts = async (db: Database): Promise<number> => {
  const networks = await db
    .deleteFrom('known_networks')
    .where('at', '<=', sql<Date>`now() - ${knownDays} * interval '1 day'`)
    .executeTakeFirst();
  const attempts = await deleteUnlocked(db, sql`at <= clock_timestamp() - ${maxWindowSeconds} * interval '1 second'`);
  return attempts + Number(networks.numDeletedRows);
};

/** Skips locked rows: another process is changing or deleting them, and waiting could deadlock. */
const deleteUnlocked = async (db: Database, condition: RawBuilder<unknown>): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from login_attempts where (id, subject) in (
      select id, subject from login_attempts where ${condition} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
};

const isPending = sql<boolean>`is_pending and at > clock_timestamp() - ${pendingSeconds} * interval '1 second'`;

/** Locks the subject until the end of the transaction. Serializes attempts on it. */
const lockSubject = async (trx: Database, { hash }: AttemptSubject): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${hash.readBigInt64BE().toString()}::bigint)`.execute(trx);
};
