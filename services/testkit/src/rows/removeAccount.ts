import { deleteAccount, removeRowsOfAccount } from '@hearth/api/accounts/accountRemoval.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';

/** Deletes the rows of an account that is marked for removal, like the housekeeper. */
export const removeAccount = async (db: Database, userId: string): Promise<void> => {
  await Array.fromAsync(removeRowsOfAccount((work) => transaction(db, work), userId));
  await transaction(db, (trx) => deleteAccount(trx, userId));
};
