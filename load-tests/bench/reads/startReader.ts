import { join } from 'node:path';
import { openDatabase } from '@hearth/core/db/database.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { markFolder } from '@hearth/testkit/servers/markFolder.ts';
import { makeStartOptions } from '@hearth/testkit/hearth/hearth.ts';
import { createUser, sendForJson, signIn, userPassword as password } from '@hearth/testkit/hearth/request.ts';
import type { Reader } from './readPaths.ts';

/** One API process per user of a database. Separate processes do not share warm caches. */
export interface ReaderApi {
  readonly userIds: readonly string[];
  /** Signs in every user. The tokens last 15 minutes. */
  signIn(): Promise<Reader[]>;
  stop(): Promise<void>;
}

/**
 * Creates `userCount` users in a migrated database, or reuses existing ones, and starts an API for each as on a
 * cluster. `variables` are extra environment variables.
 */
export const startReader = async (
  databaseUrl: string,
  directory: string,
  userCount: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<ReaderApi> => {
  const env = { ...makeStartOptions(), HEARTH_LOG_LEVEL: 'warn', ...variables };
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
  const existingUsers = await sendForJson<readonly { id: string; username: string }[]>(apis[0]!.url, '/v1/users', {
    basic: admin,
  });
  const users = await Promise.all(
    apis.map(async ({ url }, index) => {
      const username = `user-${index + 1}`;
      const found = existingUsers.find((user) => user.username === username);
      return { url, user: found === undefined ? await createUser(url, admin, username) : { ...found, password } };
    }),
  );
  return {
    userIds: users.map(({ user }) => user.id),
    signIn: () => Promise.all(users.map(async ({ url, user }) => ({ url, token: await signIn(url, user) }))),
    stop,
  };
};
