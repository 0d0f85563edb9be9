import { lockTables } from '../database/blockedQueries.ts';
import type { Deps } from '@hearth/api/deps/deps.ts';

/** Holds up all searches, and nothing else, while `work` runs. */
export const whileSearchesWait = async ({ db }: Pick<Deps, 'db'>, work: () => Promise<void>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockTables(trx, ['search_words', 'answering_models']);
    await work();
  });
