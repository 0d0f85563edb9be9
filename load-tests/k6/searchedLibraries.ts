import { getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { benchModel, fillEmbeddings } from '../bench/reads/fillEmbeddings.ts';
import { readDatabaseUrl } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { createUser, type Credentials } from '@hearth/testkit/hearth/request.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';

/** Number of searching users. A user may run two searches at once and queue eight. */
const userCount = 4;

/** Variables that make a started installation search with the stand-in model, which needs no download. */
export const toyModelVariables = (): Readonly<Record<string, string>> => ({
  HEARTH_MODEL_DIR: getTestDataFolder('models'),
  HEARTH_SEARCH_MODEL: benchModel,
});

/**
 * Creates users on an embedded Hearth in `directory`, each with a library of `items` embedded by the stand-in model.
 */
export const fillSearchedLibraries = async (
  { url, admin }: KnownInstallation,
  directory: string,
  items: number,
): Promise<readonly Credentials[]> => {
  const users = [];
  for (let nth = 1; nth <= userCount; nth += 1) users.push(await createUser(url, admin, `searched-${nth}`));
  await fillEmbeddings(
    await readDatabaseUrl(directory),
    users.map(({ id }) => ({ userId: id, items })),
  );
  return users.map(({ username, password }) => ({ username, password }));
};
