import { join } from 'node:path';
import { openDatabase } from '@hearth/core/db/database.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { markFolder } from '@hearth/testkit/servers/markFolder.ts';
import { startOptions } from '@hearth/testkit/hearth/hearth.ts';
import { createUser, sendForJson, signIn, userPassword as password } from '@hearth/testkit/hearth/request.ts';
import type { Reader } from './questionAddresses.ts';

/** API processes on a database, one for each of its users: what a process has just answered makes its next answer quicker. */
export interface ReaderApi {
  readonly userIds: readonly string[];
  /** Signs every user in, for a quarter of an hour. */
  signIn(): Promise<Reader[]>;
  stop(): Promise<void>;
}

/**
 * Makes `userCount` users in a migrated database, or finds the ones made there before. Starts the API for each as on a cluster, with `variables` as extra
 * settings.
 */
export const startReader = async (
  databaseUrl: string,
  directory: string,
  userCount: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<ReaderApi> => {
  const env = { ...startOptions(), HEARTH_LOG_LEVEL: 'warn', ...variables };
  const db = openDatabase({ url: databaseUrl, maxConnections: 1, onError: () => undefined });
  // The items of a filled database have no originals.
  await markFolder(db, join(directory, 'data'));
  await db.destroy();
  const { apis, admin, stop } = await startInstallation({
    directory,
    databaseUrl,
    env,
    apis: userCount,
    workers: 0,
  });
  const known = await sendForJson<readonly { id: string; username: string }[]>(apis[0]!.url, '/v1/users', {
    basic: admin,
  });
  const users = await Promise.all(
    apis.map(async ({ url }, index) => {
      const username = `user-${index + 1}`;
      const found = known.find((user) => user.username === username);
      return { url, user: found === undefined ? await createUser(url, admin, username) : { ...found, password } };
    }),
  );
  return {
    userIds: users.map(({ user }) => user.id),
    signIn: () => Promise.all(users.map(async ({ url, user }) => ({ url, token: await signIn(url, user) }))),
    stop,
  };
};
