import { testDataFolder } from '@hearth/testkit/run/testData.ts';
import { benchModel, fillMeaning } from '../bench/reads/fillMeaning.ts';
import { databaseUrlOf } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { createUser, type Credentials } from '@hearth/testkit/hearth/request.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';

/** How many people search. One may have two searches at a time, and eight that wait. */
const peopleCount = 4;

/** Searches go by the meaning of the stand-in on an installation that was started for them: it needs no download. */
export const standInVariables = (): Readonly<Record<string, string>> => ({
  HEARTH_MODEL_DIR: testDataFolder('models'),
  HEARTH_SEARCH_MODEL: benchModel,
});

/** Makes people on an embedded Hearth that runs in a folder, each with a library of so many items that have embeddings by the stand-in. */
export const fillSearchedLibraries = async (
  { url, admin }: KnownInstallation,
  directory: string,
  items: number,
): Promise<readonly Credentials[]> => {
  const people = [];
  for (let nth = 1; nth <= peopleCount; nth += 1) people.push(await createUser(url, admin, `searched-${nth}`));
  await fillMeaning(
    await databaseUrlOf(directory),
    people.map(({ id }) => ({ userId: id, items })),
  );
  return people.map(({ username, password }) => ({ username, password }));
};
