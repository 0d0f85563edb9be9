import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { findUserByUsername, updateUser } from '../accounts/users.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { hashNewPassword } from '../accounts/passwords.ts';
import { embeddedVariables } from './config.ts';
import { randomPassword } from './secrets.ts';
import { withDatabase } from './withDatabase.ts';

/*
 * npm run password -- USERNAME: sets a new password for a user of embedded mode, prints it and ends the user's
 * sessions. Works while Hearth is running, too.
 */
const config = configureProcess('npm run password -- USERNAME: sets a new password and prints it.', embeddedVariables);
const username = process.argv[2];
if (username === undefined) fail('Missing username, for example: npm run password -- family');

const password = randomPassword();
const isSet = await withDatabase(config, async (url) => {
  const db = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  try {
    const user = await findUserByUsername(db, username);
    if (user === undefined) return false;
    await updateUser(db, user.id, { passwordHash: await hashNewPassword(password) });
    return true;
  } finally {
    await db.destroy();
  }
}).catch((error: unknown) => fail(explainFailure(error)));
if (!isSet) fail(`No user "${username}".`);
process.stdout.write(`New password of ${username}: ${password}\n`);

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
