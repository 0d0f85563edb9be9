import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { transaction, type Database } from './database.ts';

/**
 * What attempts to sign in are counted for: the name that was typed, whether an account has it or not, and the address that it came
 * from. A user and the administrator may have one name, and are counted apart. What visitors ask for and is not there is counted for the
 * address alone, apart from its sign-ins.
 */
export interface AttemptSubject {
  readonly kind: 'account' | 'administrator' | 'address' | 'visitor';
  readonly name: string;
}

/** Failures within the window after which the next attempt is refused: a whole family may be behind one address. */
const maxFailures = { account: 5, administrator: 5, address: 20, visitor: 20 } as const satisfies Record<
  AttemptSubject['kind'],
  number
>;

/** Seconds for which a failure counts. */
const windowSeconds = 60;

/** Seconds after which an attempt that was begun and never settled counts as failed: its process is gone. */
const pendingSeconds = 30;

/**
 * Whether an attempt may be made: `allowed`; `refused` for some seconds; or `unsettled`, where that hangs on others that are being
 * checked at this moment. Then it is asked again a moment later.
 */
export type AttemptState =
  | { readonly state: 'allowed' }
  | { readonly state: 'refused'; readonly retryAfterSeconds: number }
  | { readonly state: 'unsettled' };

/**
 * Begins an attempt that may be made, and answers the id to settle it by. From now on it counts as one that may fail: of many
 * that come at the same moment, on whichever replicas, no more are let through than may fail.
 * @param subjects the account or administrator before the address, so that no two callers wait for each other
 */
export const beginAttempt = async (
  db: Database,
  subjects: readonly AttemptSubject[],
): Promise<{ readonly state: 'allowed'; readonly id: string } | Exclude<AttemptState, { state: 'allowed' }>> =>
  transaction(db, async (trx) => {
    for (const subject of subjects) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${textOf(subject)}, 0))`.execute(trx);
    }
    const judged = await judgeAttempt(trx, subjects);
    if (judged.state !== 'allowed') return judged;
    const id = randomUUID();
    for (const subject of subjects) {
      await sql`
        insert into login_attempts (id, subject, is_pending, at)
        values (${id}, ${hashOf(subject)}, true, clock_timestamp())`.execute(trx);
    }
    return { state: 'allowed', id };
  });

/** Whether an attempt on these subjects may be made now. */
export const judgeAttempt = async (db: Database, subjects: readonly AttemptSubject[]): Promise<AttemptState> => {
  let retryAfterSeconds = 0;
  let isUnsettled = false;
  for (const subject of subjects) {
    const { rows } = await sql<{ isPending: boolean; age: number }>`
      select ${isPending} as "isPending",
        extract(epoch from clock_timestamp() - at)::float8 as age
      from login_attempts
      where subject = ${hashOf(subject)} and at > clock_timestamp() - ${windowSeconds} * interval '1 second'
      order by at desc`.execute(db);
    const max = maxFailures[subject.kind];
    // With this failure out of the window there is one too few of them for a refusal.
    const decisive = rows.filter(({ isPending }) => !isPending)[max - 1];
    if (decisive !== undefined) {
      retryAfterSeconds = Math.max(retryAfterSeconds, Math.ceil(windowSeconds - decisive.age), 1);
    }
    if (rows.length >= max) isUnsettled = true;
  }
  if (retryAfterSeconds > 0) return { state: 'refused', retryAfterSeconds };
  return { state: isUnsettled ? 'unsettled' : 'allowed' };
};

/**
 * Counts a guess that was wrong, as one however often it is made within the window, and answers whether it was one too many; then it is not
 * counted.
 */
export const recordGuess = async (db: Database, subject: AttemptSubject, id: string): Promise<AttemptState> =>
  transaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${textOf(subject)}, 0))`.execute(trx);
    const judged = await judgeAttempt(trx, [subject]);
    if (judged.state !== 'allowed') return judged;
    await sql`
      insert into login_attempts (id, subject, is_pending, at) values (${id}, ${hashOf(subject)}, false, clock_timestamp())
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
  await deleteUnlocked(db, sql`subject = ${hashOf(subject)} and not (${isPending})`);
};

/** Removes the attempts that no longer count for anything, and answers how many rows those were. */
export const deleteOldAttempts = async (db: Database): Promise<number> =>
  deleteUnlocked(db, sql`at <= clock_timestamp() - ${windowSeconds} * interval '1 second'`);

/** Passes over what another process is just deleting, so that no two can wait for each other. */
const deleteUnlocked = async (db: Database, condition: RawBuilder<unknown>): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from login_attempts where (id, subject) in (
      select id, subject from login_attempts where ${condition} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
};

const isPending = sql<boolean>`is_pending and at > clock_timestamp() - ${pendingSeconds} * interval '1 second'`;

/** In the database's own lower case, by which accounts are found: in another one, two spellings of a name would count apart. */
const textOf = ({ kind, name }: AttemptSubject) => sql<string>`${kind}::text || ' ' || lower(${name}::text)`;

const hashOf = (subject: AttemptSubject) => sql<Buffer>`sha256(convert_to(${textOf(subject)}, 'UTF8'))`;
