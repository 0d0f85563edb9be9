import { createHash, randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';

/** How many failures within how many seconds are taken; then an attempt is refused, or one is let through every `paceSeconds`. */
interface AttemptRule {
  readonly max: number;
  readonly windowSeconds: number;
  readonly paceSeconds?: number;
}

/** A whole family may be behind one address. Fifty failures in an hour from everywhere are no family; what follows is 2,880 a day at most. */
const fromOneNetwork: AttemptRule = { max: 5, windowSeconds: 60 };
const fromEverywhere: AttemptRule = { max: 50, windowSeconds: 3_600, paceSeconds: 30 };
const ofOneNetwork: AttemptRule = { max: 20, windowSeconds: 60 };

/**
 * What attempts to sign in are counted for: an account, the administrator, or the one-time code of a first start, from one network; the same from everywhere; and a network,
 * whomever it names. What visitors ask for and is not there is counted for their network, apart from its sign-ins.
 */
const rules = {
  accountFrom: fromOneNetwork,
  administratorFrom: fromOneNetwork,
  codeFrom: fromOneNetwork,
  account: fromEverywhere,
  administrator: fromEverywhere,
  code: fromEverywhere,
  address: ofOneNetwork,
  visitor: ofOneNetwork,
} as const satisfies Record<string, AttemptRule>;

/** Seconds after which no failure counts any more. */
const longestSeconds = Math.max(...Object.values(rules).map(({ windowSeconds }) => windowSeconds));

/** What an attempt counts for, such as an account from one network. Only a hash of its name is kept. */
export interface AttemptSubject {
  readonly kind: keyof typeof rules;
  readonly hash: Buffer;
}

/** The subject of a kind that these words name: user names by their key, so that all spellings of one count together. */
export const attemptSubject = (kind: AttemptSubject['kind'], ...names: readonly string[]): AttemptSubject => ({
  kind,
  hash: createHash('sha256')
    .update([kind, ...names].join('\n'))
    .digest(),
});

/** Seconds after which an attempt that was begun and never settled counts as failed: its process is gone. */
const pendingSeconds = 30;

/**
 * Whether an attempt may be made: `allowed`; `refused` for some seconds; or `unsettled`, where the answer depends on attempts whose passwords are
 * being checked at this moment. The caller then asks again a moment later.
 */
export type AttemptState =
  | { readonly state: 'allowed' }
  | { readonly state: 'refused'; readonly retryAfterSeconds: number; readonly subject: AttemptSubject }
  | { readonly state: 'unsettled' };

/**
 * Begins an attempt that may be made, and answers the id to settle it by. From now on it counts as one that may fail: of many
 * that come at the same moment, on whichever replicas, no more are let through than may fail.
 * @param subjects in the order of the rules, so that no two callers wait for each other
 */
export const beginAttempt = async (
  db: Database,
  subjects: readonly AttemptSubject[],
): Promise<{ readonly state: 'allowed'; readonly id: string } | Exclude<AttemptState, { state: 'allowed' }>> =>
  transaction(db, async (trx) => {
    for (const subject of subjects) await lockSubject(trx, subject);
    const judged = await judgeAttempt(trx, subjects);
    if (judged.state !== 'allowed') return judged;
    const id = randomUUID();
    await sql`
      insert into login_attempts (id, subject, is_pending, at)
      select ${id}, subject, true, clock_timestamp() from unnest(${subjects.map(({ hash }) => hash)}::bytea[]) as subject`.execute(
      trx,
    );
    return { state: 'allowed', id };
  });

/** Whether an attempt on these subjects may be made now; a refusal names the subject for which it lasts longest. */
export const judgeAttempt = async (db: Database, subjects: readonly AttemptSubject[]): Promise<AttemptState> => {
  const windows = subjects.map(({ kind }) => rules[kind].windowSeconds);
  const { rows } = await sql<CountedAttempt>`
    select subject, ${isPending} as "isPending", extract(epoch from clock_timestamp() - at)::float8 as age
    from unnest(${subjects.map(({ hash }) => hash)}::bytea[], ${windows}::int[]) as asked (subject, seconds)
    join login_attempts using (subject)
    where at > clock_timestamp() - seconds * interval '1 second'
    order by at desc`.execute(prepared(db, 'login_attempts'));
  const judged = subjects.map((subject) => judgeSubject(subject, rows));
  const refusals = judged.filter((each) => each.state === 'refused');
  const [longest] = refusals.toSorted((one, other) => other.retryAfterSeconds - one.retryAfterSeconds);
  return longest ?? judged.find(({ state }) => state === 'unsettled') ?? { state: 'allowed' };
};

interface CountedAttempt {
  readonly subject: Buffer;
  readonly isPending: boolean;
  /** Seconds since it failed, or since it began. */
  readonly age: number;
}

/** @param counted those within the windows of their subjects, the latest first */
const judgeSubject = (subject: AttemptSubject, counted: readonly CountedAttempt[]): AttemptState => {
  const { max, windowSeconds, paceSeconds }: AttemptRule = rules[subject.kind];
  const attempts = counted.filter((attempt) => attempt.subject.equals(subject.hash));
  if (attempts.length < max) return { state: 'allowed' };
  const failures = attempts.filter((attempt) => !attempt.isPending);
  // A refusal ends when this failure has left the window, since one too few are left then; with a pace, when the latest failure is old enough.
  const decisive = failures.length < max ? undefined : failures[paceSeconds === undefined ? max - 1 : 0];
  const waitSeconds = decisive === undefined ? 0 : (paceSeconds ?? windowSeconds) - decisive.age;
  if (waitSeconds > 0) return { state: 'refused', retryAfterSeconds: Math.max(Math.ceil(waitSeconds), 1), subject };
  return { state: paceSeconds === undefined || failures.length < attempts.length ? 'unsettled' : 'allowed' };
};

/** Counts a wrong guess, and answers whether it was one too many: then it is not counted. The same guess within the window counts once. */
export const recordGuess = async (db: Database, subject: AttemptSubject, id: string): Promise<AttemptState> =>
  transaction(db, async (trx) => {
    await lockSubject(trx, subject);
    const judged = await judgeAttempt(trx, [subject]);
    if (judged.state !== 'allowed') return judged;
    await sql`
      insert into login_attempts (id, subject, is_pending, at) values (${id}, ${subject.hash}, false, clock_timestamp())
      on conflict (id, subject) do update set at = excluded.at`.execute(trx);
    return judged;
  });

/** The attempt has failed, and counts as a failure from now on. */
export const failAttempt = async (db: Database, id: string): Promise<void> => {
  await db
    .updateTable('login_attempts')
    .set({ is_pending: false, at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
};

/** The attempt does not count: it has succeeded, or came to nothing through no fault of whoever made it. */
export const forgetAttempt = async (db: Database, id: string): Promise<void> => {
  await db.deleteFrom('login_attempts').where('id', '=', id).execute();
};

/** Forgets the failures of one subject. Attempts whose passwords are being checked still count. */
export const forgetFailures = async (db: Database, subject: AttemptSubject): Promise<void> => {
  await deleteUnlocked(db, sql`subject = ${subject.hash} and not (${isPending})`);
};

/** Days for which a network is known from which somebody signed in. */
const knownDays = 30;

/** Whether this account, or the administrator, signed in from this network lately. */
export const isKnownNetwork = async (db: Database, { hash }: AttemptSubject): Promise<boolean> => {
  const found = await prepared(db, 'known_network')
    .selectFrom('known_networks')
    .select('subject')
    .where('subject', '=', hash)
    .where('at', '>', sql<Date>`now() - ${knownDays} * interval '1 day'`)
    .executeTakeFirst();
  return found !== undefined;
};

/** Remembers that this account, or the administrator, has signed in from this network, and answers whether that is news of the day. */
export const learnNetwork = async (db: Database, { hash }: AttemptSubject): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into known_networks as known (subject, at) values (${hash}, now())
    on conflict (subject) do update set at = excluded.at where known.at < excluded.at - interval '1 day'`.execute(db);
  return numAffectedRows !== 0n;
};

/** Removes the attempts and the networks that no longer count for anything, and answers how many rows those were. */
export const deleteOldAttempts = async (db: Database): Promise<number> => {
  const networks = await db
    .deleteFrom('known_networks')
    .where('at', '<=', sql<Date>`now() - ${knownDays} * interval '1 day'`)
    .executeTakeFirst();
  const attempts = await deleteUnlocked(db, sql`at <= clock_timestamp() - ${longestSeconds} * interval '1 second'`);
  return attempts + Number(networks.numDeletedRows);
};

/** Passes over rows that another process is just deleting, so that there is no deadlock. */
const deleteUnlocked = async (db: Database, condition: RawBuilder<unknown>): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from login_attempts where (id, subject) in (
      select id, subject from login_attempts where ${condition} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
};

const isPending = sql<boolean>`is_pending and at > clock_timestamp() - ${pendingSeconds} * interval '1 second'`;

/** Locks the subject until the end of the transaction: others who begin an attempt on it wait. */
const lockSubject = async (trx: Database, { hash }: AttemptSubject): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${hash.readBigInt64BE().toString()}::bigint)`.execute(trx);
};
