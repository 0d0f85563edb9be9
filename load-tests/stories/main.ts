import { parseArgs } from 'node:util';
import { makeFolder, removeFolder } from '../harness/folder.ts';
import { admin, adminVariables, runHearth } from '../harness/hearth.ts';
import { playStories } from './playStories.ts';

/*
 * npm run stories [-- --url https://photos.example.org --only "Live Photo"]: plays every story on an installation, whose administrator
 * HEARTH_ADMIN_USERNAME and HEARTH_ADMIN_PASSWORD name, and which keeps nothing of it; without an address on one that is started for it, as
 * `npm start` does. Ends with 1 where a story fails.
 */
const { values } = parseArgs({ options: { url: { type: 'string' }, only: { type: 'string' } } });
const only = values.only === undefined ? {} : { only: values.only };

const readAdmin = (): typeof admin => {
  const { HEARTH_ADMIN_USERNAME: username = 'admin', HEARTH_ADMIN_PASSWORD: password } = process.env;
  if (password === undefined) throw new Error('HEARTH_ADMIN_PASSWORD has to name the password of the administrator');
  return { username, password };
};

const playOnOwn = async (): Promise<void> => {
  const directory = await makeFolder('stories');
  const hearth = await runHearth({ directory, env: adminVariables });
  try {
    await playStories({ url: hearth.url, admin, ...only });
  } finally {
    await hearth.stop();
    await removeFolder(directory);
  }
};

try {
  if (values.url === undefined) await playOnOwn();
  else await playStories({ url: values.url, admin: readAdmin(), ...only });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
