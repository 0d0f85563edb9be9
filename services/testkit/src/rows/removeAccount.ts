import { deleteAccount, removeRowsOfAccount } from '@hearth/api/accounts/accountRemoval.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';

/** Removes the rows of an account that is marked for removal, as the housekeeper does. */
export const removeAccount = async (db: Database, userId: string): Promise<void> => {
  await Array.fromAsync(removeRowsOfAccount((work) => transaction(db, work), userId));
  await transaction(db, (trx) => deleteAccount(trx, userId));
};
