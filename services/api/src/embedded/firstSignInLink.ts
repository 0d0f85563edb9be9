import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { findUserWhoNeverSignedIn } from '../accounts/users.ts';
import type { Deps } from '../deps/deps.ts';

/**
 * Creates a link that signs the only account in once. Returns undefined if there are photos or several accounts, if an
 * account has ever signed in, or if the web app is not built. The code is in the fragment of the link, which browsers
 * do not send, so no proxy logs it.
 * @param address public address of Hearth, without a trailing slash
 */
export const createFirstSignInLink = async (
  { db, oneTimeCode, config }: Pick<Deps, 'db' | 'oneTimeCode' | 'config'>,
  address: string,
): Promise<string | undefined> => {
  const isBuilt = await access(join(config.webDirectory, 'index.html')).then(
    () => true,
    () => false,
  );
  const userId = isBuilt ? await findUserWhoNeverSignedIn(db) : undefined;
  return userId === undefined ? undefined : `${address}/welcome#${oneTimeCode.issue(userId)}`;
};
