import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AppError, NotFoundError } from '../../errors.ts';
import { transaction, type Database } from '../connection/database.ts';
import { cutPage, offsetOf, type NamePosition, type PageOf, type Walked } from '../connection/pages.ts';
import { prepared, unseen } from '../connection/preparedReads.ts';
import { usedBytesOf } from './quotas.ts';
import type { Features, UserRow } from '../connection/schema.ts';
import { usernameKey } from './usernameKey.ts';

/** An account without its password's hash. */
export type User = Omit<UserRow, 'username_key' | 'password_hash' | 'removing_at' | 'sort_name'> & {
  readonly used_bytes: number;
};

const userColumns = [
  'id',
  'name',
  'username',
  'features',
  'quota_bytes',
  'created_at',
  'updated_at',
  usedBytesOf(sql`users.id`).as('used_bytes'),
] as const;

/** A page of all accounts, by name. */
export const listUsers = async (db: Database, page: PageOf<NamePosition>): Promise<Walked<User, NamePosition>> => {
  const { limit, start } = page;
  let query = prepared(db, 'users')
    .selectFrom('users')
    .select([...userColumns, 'sort_name'])
    .where('removing_at', 'is', null);
  if ('after' in start) {
    const { name, id } = start.after;
    query = query.where(sql<boolean>`(sort_name, id) > (${unseen(name, 'text')}, ${unseen(id, 'uuid')})`);
  }
  const found = await query
    .orderBy('sort_name')
    .orderBy('id')
    .offset(offsetOf(page))
    .limit(sql.lit(limit + 1))
    .execute();
  return cutPage(found, limit, (user) => ({ name: user.sort_name, id: user.id }));
};

/** @throws NotFoundError */
export const getUser = async (db: Database, id: string): Promise<User> => {
  const user = await prepared(db, 'user')
    .selectFrom('users')
    .select(userColumns)
    .where('id', '=', id)
    .where('removing_at', 'is', null)
    .executeTakeFirst();
  if (user === undefined) throw new NotFoundError('user');
  return user;
};

/**
 * The account that signs in as `username`, in any case and as far as it looks the same, with the hash that its password is checked against. Accounts
 * of an earlier version that look the same are each found by their exact name.
 */
export const findUserByUsername = async (db: Database, username: string): Promise<UserRow | undefined> =>
  prepared(db, 'user_by_username')
    .selectFrom('users')
    .selectAll()
    .where(sql<boolean>`(username_key = ${usernameKey(username)} or ${isNamed(username)})`)
    .where('removing_at', 'is', null)
    .orderBy(isNamed(username), 'desc')
    .limit(1)
    .executeTakeFirst();

const isNamed = (username: string) => sql<boolean>`lower(username) = lower(${username})`;

/** Gives accounts that an older version has made the key by which their names are unique; of two that look the same, the elder has it. */
export const keyUsernames = async (db: Database): Promise<void> => {
  const users = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username_key', 'is', null)
    .where('removing_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const { id, username } of users) {
    try {
      await db
        .updateTable('users')
        .set({ username_key: usernameKey(username) })
        .where('id', '=', id)
        .execute();
    } catch (error) {
      if (!isTakenUsername(error)) throw error;
    }
  }
};

/** What makes or changes an account. */
export interface UserValues {
  readonly name: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly features: Features;
  /** Null for as much as there is. */
  readonly quotaBytes?: number | null | undefined;
}

/** @throws AppError VALIDATION_FAILED where the user name is taken. */
export const insertUser = async (db: Database, user: UserValues): Promise<User> =>
  refuseTakenUsername(
    db
      .insertInto('users')
      .values({
        id: randomUUID(),
        name: user.name,
        username: user.username,
        username_key: usernameKey(user.username),
        password_hash: user.passwordHash,
        features: JSON.stringify(user.features),
        quota_bytes: user.quotaBytes ?? null,
      })
      .returning(userColumns)
      .executeTakeFirstOrThrow(),
  );

/**
 * Changes what is given and leaves the rest, also inside `features`. A new password ends every session of the account.
 * @throws NotFoundError and AppError VALIDATION_FAILED where the user name is taken.
 */
export const updateUser = async (db: Database, id: string, changes: Partial<UserValues>): Promise<void> =>
  transaction(db, async (trx) => {
    const updated = await refuseTakenUsername(
      trx
        .updateTable('users')
        .set((eb) => ({
          name: changes.name ?? eb.ref('name'),
          username: changes.username ?? eb.ref('username'),
          username_key: changes.username === undefined ? eb.ref('username_key') : usernameKey(changes.username),
          password_hash: changes.passwordHash ?? eb.ref('password_hash'),
          features: sql`features || ${JSON.stringify(changes.features ?? {})}::jsonb`,
          quota_bytes: changes.quotaBytes === undefined ? eb.ref('quota_bytes') : changes.quotaBytes,
          updated_at: sql`now()`,
        }))
        .where('id', '=', id)
        .where('removing_at', 'is', null)
        .returning('id')
        .executeTakeFirst(),
    );
    if (updated === undefined) throw new NotFoundError('user');
    if (changes.passwordHash !== undefined) await trx.deleteFrom('sessions').where('user_id', '=', id).execute();
  });

/**
 * Closes an account at once: its sessions end, its links are refused and its items leave every list. Housekeeping then removes all that is of
 * it, see [Note: Account removal].
 * @throws NotFoundError
 */
export const markUserForRemoval = async (db: Database, id: string): Promise<void> =>
  transaction(db, async (trx) => {
    const marked = await trx
      .updateTable('users')
      .set({ removing_at: sql`now()` })
      .where('id', '=', id)
      .where('removing_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (marked === undefined) throw new NotFoundError('user');
    await trx.deleteFrom('sessions').where('user_id', '=', id).execute();
  });

/** The ids of all accounts that nobody is removing. */
export const listUserIds = async (db: Database): Promise<string[]> => {
  const rows = await db.selectFrom('users').select('id').where('removing_at', 'is', null).orderBy('id').execute();
  return rows.map(({ id }) => id);
};

/** Whether there is such an account, and nobody is removing it. One primary-key lookup: this runs with files. */
export const hasUser = async (db: Database, id: string): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('removing_at', 'is', null)
    .executeTakeFirst()) !== undefined;

const refuseTakenUsername = async <Result>(query: Promise<Result>): Promise<Result> => {
  try {
    return await query;
  } catch (error) {
    if (!isTakenUsername(error)) throw error;
    const message = 'this user name is taken';
    throw new AppError('VALIDATION_FAILED', message, { cause: error, errors: [{ path: 'body.username', message }] });
  }
};

const isTakenUsername = (error: unknown): boolean =>
  ['users_username', 'users_username_key'].includes((error as { constraint?: string }).constraint ?? '');
