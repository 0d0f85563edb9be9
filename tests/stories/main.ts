import { parseArgs } from 'node:util';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { admin, adminVariables, runHearth } from '@hearth/testkit/hearth/hearth.ts';
import { playStories } from './playStories.ts';
import { readAdmin } from '@hearth/testkit/hearth/knownInstallation.ts';

/*
 * npm run stories [-- --url https://photos.example.org --only "Live Photo" --without-ffmpeg]: runs every user story
 * against an installation and removes its data afterwards. Without `--url` it starts an installation like `npm start`.
 * HEARTH_ADMIN_USERNAME and HEARTH_ADMIN_PASSWORD are the administrator's credentials. Exits with 1 if a story fails.
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, only: { type: 'string' }, 'without-ffmpeg': { type: 'boolean', default: false } },
});
const choice = {
  ...(values.only !== undefined && { only: values.only }),
  ffmpeg: values['without-ffmpeg'] ? 'without' : 'with',
} as const;

const playOnOwnServer = async (): Promise<void> => {
  const directory = await makeFolder('stories');
  const hearth = await runHearth({ directory, env: adminVariables });
  try {
    await playStories({ url: hearth.url, admin, ...choice });
  } finally {
    await hearth.stop();
    await removeFolder(directory);
  }
};

try {
  if (values.url === undefined) await playOnOwnServer();
  else await playStories({ url: values.url, admin: readAdmin(), ...choice });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
