import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { textLine } from '@hearth/testkit/pictures/textLine.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import type { Page } from 'playwright-core';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import { getDialog, getPictures, select, sendSignIn, signIn, waitForCount } from './testing/steps.ts';

/*
 * Puts script-injecting markup into every text from users or files. Every page must show it as text. Chromium logs each
 * violation of the Content-Security-Policy to the console, and `session.end` fails on console errors.
 */

/** Markup that runs a script in several ways if a page interprets it. `part` identifies the text. */
const makeHostileText = (part: string): string =>
  `${part}"'><img src=x onerror="window.injected=1"><script>window.injected=1<` +
  `/script><svg onload=window.injected=1>{{injected}}\${injected}<a href="javascript:window.injected=1">${part}`;

/** The same as a file name, without slashes. */
const makeFilename = (part: string): string => `${makeHostileText(part).replaceAll('/', '')}.jpg`;

suite('injected markup, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('is shown as text on every page', async () => {
    const user = await testContext.createUser(undefined, makeHostileText('account'));
    await user.uploadFiles([
      { name: makeFilename('file'), mimeType: 'image/jpeg', buffer: await makeHostilePhoto() },
      {
        name: makeFilename('broken'),
        mimeType: 'image/jpeg',
        buffer: (await makeTestPhoto({ seed: 3 })).subarray(0, 200),
      },
    ]);
    const item = await testContext.db
      .selectFrom('media_items')
      .select(['id', 'user_id'])
      .where('filename', 'like', 'file%')
      .executeTakeFirstOrThrow();
    await waitUntil('OCR is done', async () => {
      const run = (await listRuns(testContext.db, item.id)).find(({ component }) => component === 'OCR');
      return run?.state === 'DONE';
    });
    await transaction(testContext.db, async (trx) => {
      await writeItemPlace(trx, item.id, {
        countryCode: 'CH',
        country: makeHostileText('country'),
        city: makeHostileText('city'),
      });
      await writeItemThings(trx, item, [{ name: makeHostileText('thing') }]);
      await writeItemText(trx, item.id, [textLine(makeHostileText('written'))]);
    });
    await writeFaces(testContext.db, item, [makeFace(item)]);
    const { albumId, shareId } = await user.createAlbum(makeHostileText('album'));

    const session = await testContext.openSession();
    // The face has no stored picture.
    session.expect(/404 .*face-1/);
    const { page } = session;
    await signIn(page, user);
    await waitForCount(getPictures(page), 2);

    // Texts entered in the app: an item's description and a person's name.
    await getPictures(page, /^Photo, June 1, 2022/).click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await page.keyboard.press('i');
    await viewer.getByRole('textbox', { name: 'Description' }).fill(makeHostileText('description'));
    await saveByEnter(page);
    await viewer.getByText('file%22').first().waitFor();
    for (const part of ['maker', 'city', 'thing', 'written', 'album'])
      await viewer.getByText(`${part}"'`).first().waitFor();
    await assertUntouched(page);

    const { id: faceId } = await testContext.db
      .selectFrom('people')
      .select('id')
      .where('user_id', '=', item.user_id)
      .executeTakeFirstOrThrow();
    await page.goto(`/people/${faceId}`);
    const name = page.getByRole('combobox', { name: 'Name' });
    await name.fill(makeHostileText('person'));
    await saveByEnter(page);
    await assertUntouched(page);

    for (const [path, part] of [
      ['/people', `person"'`],
      ['/places', `city"'`],
      ['/things', `thing"'`],
      ['/explore', `thing"'`],
      ['/albums', `album"'`],
      [`/albums/${albumId}`, `album"'`],
      [`/s/${shareId}`, `album"'`],
      ['/settings', 'Settings'],
      [`/search?q=${encodeURIComponent(makeHostileText('query'))}`, `query"'`],
      ['/search?q=broken', 'broken'],
    ] as const) {
      await page.goto(path);
      await page.getByText(part).first().waitFor({ state: 'attached' });
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
      await assertUntouched(page);
    }

    // Suggestions, a toast with the album's name, and recent searches.
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    await box.fill('per');
    await page
      .getByRole('option', { name: /person/ })
      .first()
      .waitFor();
    await assertUntouched(page);
    await page.goto('/');
    await select(getPictures(page, /^Photo, June 1, 2022/));
    await page.getByRole('button', { name: 'Add to album' }).click();
    await getDialog(page).getByText('album').first().waitFor();
    await assertUntouched(page);

    await page.goto('/admin');
    await sendSignIn(page, testContext.admin);
    await page.getByText(user.username).waitFor();
    await page.getByText(makeHostileText('account')).first().waitFor();
    await assertUntouched(page);
    await session.end();
  });
});

const saveByEnter = async (page: Page): Promise<void> => {
  const saved = page.waitForResponse((response) => response.request().method() !== 'GET' && response.ok());
  await page.keyboard.press('Enter');
  await saved;
};

/** Creates a photo with markup in all text fields of its EXIF data. */
const makeHostilePhoto = (): Promise<Buffer> =>
  makeTestPhoto({
    seed: 1,
    takenAt: '2022:06:01 12:00:00',
    position: { latitude: 46, longitude: 7 },
    exif: {
      IFD0: {
        Make: makeHostileText('maker'),
        Model: makeHostileText('model'),
        ImageDescription: makeHostileText('caption'),
        Artist: makeHostileText('artist'),
        Copyright: makeHostileText('rights'),
        Software: makeHostileText('software'),
      },
      IFD2: { LensModel: makeHostileText('lens'), UserComment: makeHostileText('comment') },
    },
  });

/** @throws AssertionError if a text was rendered as an element or executed */
const assertUntouched = async (page: Page): Promise<void> => {
  const { hasRun, elements } = await page.evaluate(() => ({
    hasRun: 'injected' in window,
    elements: [...document.querySelectorAll('img[src=x], [onerror], [onload], a[href^="javascript:"]')].map(
      ({ outerHTML }) => outerHTML,
    ),
  }));
  assert.deepEqual({ hasRun, elements }, { hasRun: false, elements: [] }, page.url());
};
