import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pictureDifference, toKeptPicture, toWebp } from '@hearth/testkit/pictures/comparePictures.ts';
import { drawLandscapes } from '@hearth/testkit/pictures/landscapes.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { openHome, type Home } from './testing/openHome.ts';
import { pictures, signIn, waitForCount } from './testing/steps.ts';

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
    const files = await drawLandscapes();
    await person.store(files);
    const visit = await home.visit({ theme: 'light', width: 1440 });
    const { page } = visit;
    await signIn(page, person);
    await waitForCount(pictures(page, /^Photo/), files.length);
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.fonts.ready);
    const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (isKeeping) await writeFile(path, await toWebp(screenshot));
    const part = await pictureDifference(await toKeptPicture(await readFile(path)), screenshot);
    assert(part <= mostDifferent, `${(part * 100).toFixed(1)} % differ`);
    await visit.end();
  });
});
