import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AppError, NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import {
  cutPage,
  isAfterStart,
  getOffset,
  type NamePosition,
  type PageOf,
  type CursorPage,
} from '../database/pages.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { stopPeopleClocks } from '@hearth/core/people/peopleOff.ts';
import { newLinkEpoch } from '../links/linkState.ts';
import { selectUsedBytes } from './quotas.ts';
import type { Features, UserRow } from '@hearth/core/db/schema.ts';
import { toUsernameKey } from './usernameKey.ts';

/** An account with its storage usage, without its password hash and other internal columns. */
export type User = Omit<UserRow, 'username_key' | 'password_hash' | 'link_epoch' | 'removing_at' | 'sort_name'> & {
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
  selectUsedBytes(sql`users.id`).as('used_bytes'),
] as const;

export const listUsers = async (db: Database, page: PageOf<NamePosition>): Promise<CursorPage<User, NamePosition>> => {
  const { limit, start } = page;
  const found = await prepared(db, 'users', limit)
    .selectFrom('users')
    .select([...userColumns, 'sort_name'])
    .where('removing_at', 'is', null)
    .where(isAfterStart(start))
    .orderBy('sort_name')
    .orderBy('id')
    .offset(getOffset(page))
    .limit(sql.lit(limit + 1))
    .execute();
  return cutPage(found, limit, (user) => ({ name: user.sort_name, id: user.id }));
};

/** @throws NotFoundError */
export const getUser = async (db: Database, id: string): Promise<User> =>
  selectUser(prepared(db, 'user'), id)
    .select(userColumns)
    .executeTakeFirstOrThrow(() => new NotFoundError('user'));

/** Starts a query for an account that is not being removed. */
export const selectUser = (db: Database, id: string) =>
  db.selectFrom('users').where('id', '=', id).where('removing_at', 'is', null);

/** Returns the account whose username equals `username` or looks like it, with its password hash. */
export const findUserByUsername = async (db: Database, username: string): Promise<UserRow | undefined> =>
  prepared(db, 'user_by_username')
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', toUsernameKey(username))
    .where('removing_at', 'is', null)
    .executeTakeFirst();

export interface UserValues {
  readonly name: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly features: Features;
  /** Null: no quota. */
  readonly quotaBytes?: number | null | undefined;
}

/** @throws AppError VALIDATION_FAILED if the username is taken */
export const insertUser = async (db: Database, user: UserValues): Promise<User> =>
  rejectTakenUsername(
    db
      .insertInto('users')
      .values({
        id: randomUUID(),
        name: user.name,
        username: user.username,
        username_key: toUsernameKey(user.username),
        password_hash: user.passwordHash,
        features: JSON.stringify(user.features),
        quota_bytes: user.quotaBytes ?? null,
      })
      .returning(userColumns)
      .executeTakeFirstOrThrow(),
  );

/**
 * Changes only the given fields, including single `features`. A new password ends all sessions and file links of the
 * account.
 * @throws NotFoundError
 * @throws AppError VALIDATION_FAILED if the username is taken
 */
export const updateUser = async (db: Database, id: string, changes: Partial<UserValues>): Promise<void> =>
  transaction(db, async (trx) => {
    await rejectTakenUsername(
      trx
        .updateTable('users')
        .set({
          name: changes.name,
          username: changes.username,
          username_key: changes.username === undefined ? undefined : toUsernameKey(changes.username),
          password_hash: changes.passwordHash,
          ...(changes.passwordHash !== undefined && { link_epoch: newLinkEpoch }),
          features: sql`features || ${JSON.stringify(changes.features ?? {})}::jsonb`,
          quota_bytes: changes.quotaBytes,
          updated_at: sql`now()`,
        })
        .where('id', '=', id)
        .where('removing_at', 'is', null)
        .returning('id')
        .executeTakeFirstOrThrow(() => new NotFoundError('user')),
    );
    // Stops the deletion of the user's people before it starts, see [Note: People switched off].
    if (changes.features?.['people'] === true) await stopPeopleClocks(trx, [], id);
    if (changes.passwordHash !== undefined) await trx.deleteFrom('sessions').where('user_id', '=', id).execute();
  });

/**
 * Closes an account at once: ends its sessions, refuses its links and removes its items from every list. Housekeeping
 * deletes the data, see [Note: Account removal].
 * @throws NotFoundError
 */
export const markUserForRemoval = async (db: Database, id: string): Promise<void> =>
  transaction(db, async (trx) => {
    await trx
      .updateTable('users')
      .set({ removing_at: sql`now()` })
      .where('id', '=', id)
      .where('removing_at', 'is', null)
      .returning('id')
      .executeTakeFirstOrThrow(() => new NotFoundError('user'));
    await trx.deleteFrom('sessions').where('user_id', '=', id).execute();
  });

export const listUserIds = async (db: Database): Promise<string[]> => {
  const rows = await db.selectFrom('users').select('id').where('removing_at', 'is', null).orderBy('id').execute();
  return rows.map(({ id }) => id);
};

/**
 * Returns the only account if no one has ever signed in, otherwise undefined. Photos count as evidence too, because
 * the audit log keeps sign-ins for 90 days only.
 */
export const findUserWhoNeverSignedIn = async (db: Database): Promise<string | undefined> => {
  const [user, ...others] = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`not exists (select from sessions) and not exists (select from media_items)`)
    .where(sql<boolean>`not exists (select from audit_log where action = 'SIGNED_IN')`)
    .limit(2)
    .execute();
  return others.length === 0 ? user?.id : undefined;
};

export const hasUser = async (db: Database, id: string): Promise<boolean> =>
  (await selectUser(db, id).select('id').executeTakeFirst()) !== undefined;

const rejectTakenUsername = async <Result>(query: Promise<Result>): Promise<Result> => {
  try {
    return await query;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'users_username_key') throw error;
    const message = 'this username is taken';
    throw new AppError('VALIDATION_FAILED', message, { cause: error, errors: [{ path: 'body.username', message }] });
  }
};
