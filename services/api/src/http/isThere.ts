import { isDatabaseUnavailable } from '@hearth/core/db/connection/database.ts';
import type { Deps } from '../deps/deps.ts';

/** An account that is being removed has no files any more. Where nobody can say, links work as ever: what they show is not the database's. */
export const isThere = async ({ hasAccount }: Pick<Deps, 'hasAccount'>, userId: string): Promise<boolean> =>
  hasAccount(userId).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return true;
    throw error;
  });
