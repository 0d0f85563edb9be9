import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { comparePictures, toReferencePicture, toWebp } from '@hearth/testkit/pictures/comparePictures.ts';
import { readFamilyPhotos } from '@hearth/testkit/pictures/familyPhotos.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import { getPictures, signIn, waitUntilStill } from './testing/steps.ts';

/**
 * Maximum share of different pixels. Higher than for the stored pictures, because photos are decoded and scaled
 * differently.
 */
const maxDifference = 0.05;

const path = resolve(import.meta.dirname, '../../../docs/docs/images/timeline.webp');
const isUpdating = process.env['HEARTH_KEEP_PICTURES'] === '1';

suite('README picture, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('matches the timeline', async () => {
    const user = await testContext.createUser('anna');
    await user.uploadFiles(await readFamilyPhotos());
    const session = await testContext.openSession({ theme: 'light', width: 1440 });
    const { page } = session;
    await signIn(page, user);
    await getPictures(page, /^Photo/)
      .nth(9)
      .waitFor();
    await page.mouse.move(0, 0);
    await waitUntilStill(page);
    const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (isUpdating) await writeFile(path, await toWebp(screenshot));
    const difference = await comparePictures(await toReferencePicture(await readFile(path)), screenshot);
    assert(difference <= maxDifference, `${(difference * 100).toFixed(1)} % differ`);
    await session.end();
  });
});
