import type { Database } from '@hearth/core/db/database.ts';
import { findUserByUsername, insertUser, updateUser } from '../accounts/users.ts';
import { hashNewPassword } from '../accounts/passwords.ts';
import type { Credentials } from './secrets.ts';

/** Creates the user or resets their password, so that an interrupted start can be repeated. */
export const ensureUser = async (db: Database, { username, password }: Credentials): Promise<void> => {
  const passwordHash = await hashNewPassword(password);
  const existing = await findUserByUsername(db, username);
  if (existing === undefined) await insertUser(db, { name: 'Family', username, passwordHash, features: {} });
  else await updateUser(db, existing.id, { passwordHash });
};
