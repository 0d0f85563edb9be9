import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pictureDifference, toKeptPicture, toWebp } from '@hearth/testkit/pictures/comparePictures.ts';
import { readFamilyPhotos } from '@hearth/testkit/pictures/familyPhotos.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { openHome, type Home } from './testing/openHome.ts';
import { pictures, signIn, untilStill } from './testing/steps.ts';

/**
 * Maximum share of different pixels. Higher than for the stored pictures, because photos are decoded and scaled
 * differently.
 */
const mostDifferent = 0.05;

const path = resolve(import.meta.dirname, '../../../docs/docs/images/timeline.webp');
const isKeeping = process.env['HEARTH_KEEP_PICTURES'] === '1';

suite('README picture, in Chromium', { skip: missingTool('chromium') }, () => {
  let home: Home;
  before(async () => {
    home = await openHome();
  });
  after(() => home?.close());

  test('matches the timeline', async () => {
    const person = await home.addPerson('anna');
    await person.store(await readFamilyPhotos());
    const visit = await home.visit({ theme: 'light', width: 1440 });
    const { page } = visit;
    await signIn(page, person);
    await pictures(page, /^Photo/)
      .nth(9)
      .waitFor();
    await page.mouse.move(0, 0);
    await untilStill(page);
    const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (isKeeping) await writeFile(path, await toWebp(screenshot));
    const part = await pictureDifference(await toKeptPicture(await readFile(path)), screenshot);
    assert(part <= mostDifferent, `${(part * 100).toFixed(1)} % differ`);
    await visit.end();
  });
});
