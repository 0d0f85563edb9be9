import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { findUserWhoNeverSignedIn } from '../accounts/users.ts';
import type { Deps } from '../deps/deps.ts';

/**
 * A link that signs the first person in, once, where nobody ever has and the web app is there to open it. The code stands in the fragment, which
 * browsers send to no server: no proxy logs it.
 * @param address where Hearth is reached, without a slash at the end
 */
export const makeFirstSignInLink = async (
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
