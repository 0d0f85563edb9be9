import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openFolderStore } from '@hearth/core/objects/folder/folderStore.ts';
import { toWebp } from '@hearth/testkit/pictures/comparePictures.ts';
import type { Page } from 'playwright-core';
import { lacksModels, testStore } from '@hearth/testkit/models/testModels.ts';
import { startTestContext } from '../testing/startTestContext.ts';
import { waitUntilProcessed } from '../testing/things.ts';
import { sendSignIn, signIn, waitUntilStill } from '../testing/steps.ts';
import { fillLibrary, getSceneFile } from './fillLibrary.ts';
import { homePictures, takeHomePictures } from './homePictures.ts';
import { namePeople } from './namePeople.ts';
import { listScenes } from './scenes.ts';
import { firstVisit, shots } from './shots.ts';

/*
 * npm run docs:screenshots [-- --only NAME,…]: takes the pictures of the user guide and of the site's home page, light
 * and dark, in a temporary installation. After changing the look of a page, run it, review the pictures and commit
 * them. The guide shows drawn photos, the home page real ones.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const names = values.only.split(',').filter((name) => name !== '');
const images = resolve(import.meta.dirname, '../../../../docs/docs/images');

/** Width of a picture in pixels. The guide shows it at about 90 %. */
const width = 1_280;

/** WebP quality. Low, because the first visit of the site loads two pictures. */
const quality = 66;

/** Time for a map to render, in ms. */
const mapMs = 5_000;

const takeBothThemes = async (page: Page, name: string, folder = 'guide'): Promise<void> => {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await untilDrawn(page);
    const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    await writeFile(resolve(images, folder, `${name}-${theme}.webp`), await toWebp(screenshot, quality));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  process.stdout.write(`took ${name}\n`);
};

const untilDrawn = async (page: Page): Promise<void> => {
  await waitUntilStill(page);
  // A map does not report when it is rendered, and takes seconds without a GPU.
  if ((await page.locator('.maplibregl-canvas').count()) > 0) await page.waitForTimeout(mapMs);
};

for (const folder of ['guide', 'home']) await mkdir(resolve(images, folder), { recursive: true });
// With models if installed, so that no page reports them as missing. Their results on drawings are replaced.
const models = { HEARTH_MODEL_DIR: testStore.directory, HEARTH_SEARCH_MODEL: 'concept-lite' };
const testContext = await startTestContext(lacksModels === false ? { env: models } : {});
try {
  if (names.length === 0 || homePictures.some((name) => names.includes(name)))
    await takeHomePictures(testContext, names, (page, name) => takeBothThemes(page, name, 'home'));
  const user = await testContext.createUser('ada', 'Ada');
  await testContext.createUser('bela', 'Bela');
  const scenes = listScenes(new Date());
  await fillLibrary(testContext, user, await openFolderStore(resolve(testContext.dataDirectory, 'objects')), scenes);
  // Dario stays unnamed, like a newly found person.
  const namesByFile = scenes.flatMap(({ people }, index) =>
    people.length === 1 && people[0]!.name !== 'Dario' ? [[getSceneFile(index), people[0]!.name] as const] : [],
  );
  await namePeople({ url: testContext.url, user }, new Map(namesByFile));
  const shown = {
    ...(await user.createAlbum('Summer 2026')),
    user,
    admin: testContext.admin,
    addPhotos: async (files: Parameters<typeof user.uploadFiles>[0]) => {
      await user.uploadFiles(files);
      await waitUntilProcessed(testContext, user);
    },
  };
  const session = await testContext.openSession({ theme: 'light', width });
  const { page } = session;
  // One of the pictures shows refused uploads.
  session.expect(/507 \(Insufficient Storage\)/);
  await page.goto('/');
  await page.getByLabel('User name').waitFor();
  await sendSignIn(page, user);
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
  for (const { name, open } of shots) {
    if (names.length > 0 && !names.includes(name)) continue;
    await open(page, shown);
    await takeBothThemes(page, name);
  }
  const newUserSession = await testContext.openSession({ theme: 'light', width });
  if (names.length === 0 || names.includes(firstVisit)) {
    await signIn(newUserSession.page, await testContext.createUser('family', 'Family'));
    await newUserSession.page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    await takeBothThemes(newUserSession.page, firstVisit);
  }
  await newUserSession.end();
  await session.end();
} finally {
  await testContext.close();
}
