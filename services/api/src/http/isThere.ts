import { isDatabaseUnavailable } from '@hearth/core/db/connection/database.ts';
import type { Deps } from '../deps/deps.ts';

/** Whether the account of a file still exists. If the database is away, the answer is yes: files need no database. */
export const isThere = async ({ hasAccount }: Pick<Deps, 'hasAccount'>, userId: string): Promise<boolean> =>
  hasAccount(userId).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return true;
    throw error;
  });
