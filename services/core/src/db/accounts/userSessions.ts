import { sql } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import type { Database } from '../connection/database.ts';
import { prepared } from '../connection/preparedReads.ts';

export interface UserSession {
  readonly id: string;
  readonly device: string | null;
  readonly network: string | null;
  readonly createdAt: Date;
  /** When it was opened or last refreshed. */
  readonly usedAt: Date;
}

export interface SessionPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** The sessions of a user that last, the latest sign-in first. */
export const listUserSessions = async (
  db: Database,
  userId: string,
  { limit, after }: { readonly limit: number; readonly after?: SessionPosition | undefined },
): Promise<UserSession[]> =>
  prepared(db, 'user_sessions')
    .selectFrom('sessions')
    .select(['id', 'device', 'network', createdAt.as('createdAt')])
    .select(sql<Date>`coalesce(refreshed_at, created_at)`.as('usedAt'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${createdAt}, id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy(createdAt, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** As exact as a `Date` is, so that a place in the list can be found again. */
const createdAt = sql<Date>`date_trunc('milliseconds', created_at)`;

/** Ends one session of a user. @throws NotFoundError where the user has no such session */
export const endUserSession = async (db: Database, userId: string, id: string): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirstOrThrow(() => new NotFoundError('session'));
};

export const endOtherSessions = async (db: Database, userId: string, sessionId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', sessionId).execute();
};
