import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { searchModelNames } from '@hearth/core/config/searchModels.ts';
import { testDataFolder } from '@hearth/testkit/run/testData.ts';
import { needsGivenModels } from '@hearth/testkit/models/testModels.ts';

const data = testDataFolder('models');
const given = process.env['HEARTH_MODEL_DIR'];

/** For `test(name, { skip: lacksClip }, …)`: the reason, or false where somebody has given the default model of search. */
export const lacksClip = given !== undefined && existsSync(join(given, searchModelNames[0])) ? false : needsGivenModels;

/** Variables of an installation with the models of the test data, and those that somebody has given; it fetches none. @param folder an empty one */
export const modelVariables = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const linked = join(folder, 'linked-models');
  await mkdir(linked, { recursive: true });
  for (const source of [data, ...(lacksClip === false ? [given!] : [])])
    for (const entry of await readdir(source, { withFileTypes: true }))
      if (entry.isDirectory() && !existsSync(join(linked, entry.name)))
        await symlink(join(source, entry.name), join(linked, entry.name));
  return { HEARTH_MODEL_DIR: linked, HEARTH_OFFLINE: '1' };
};
