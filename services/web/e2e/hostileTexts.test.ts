import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { faceOn, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { textLine } from '@hearth/testkit/pictures/textLine.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { until } from '@hearth/testkit/run/until.ts';
import type { Page } from 'playwright-core';
import { openHome, type Home } from './testing/openHome.ts';
import { dialogOf, pictures, select, sendSignIn, signIn, waitForCount } from './testing/steps.ts';

/*
 * Puts script-injecting markup into every text from users or files. Every page must show it as text. Chromium logs each
 * violation of the Content-Security-Policy to the console, and `visit.end` fails on console errors.
 */

/** Markup that runs a script in several ways if a page interprets it. `part` identifies the text. */
const hostile = (part: string): string =>
  `${part}"'><img src=x onerror="window.injected=1"><script>window.injected=1<` +
  `/script><svg onload=window.injected=1>{{injected}}\${injected}<a href="javascript:window.injected=1">${part}`;

/** The same as a file name, without slashes. */
const filenameOf = (part: string): string => `${hostile(part).replaceAll('/', '')}.jpg`;

suite('injected markup, in Chromium', { skip: missingTool('chromium') }, () => {
  let home: Home;
  before(async () => {
    home = await openHome();
  });
  after(() => home?.close());

  test('is shown as text on every page', async () => {
    const person = await home.addPerson(undefined, hostile('account'));
    await person.store([
      { name: filenameOf('file'), mimeType: 'image/jpeg', buffer: await makeHostilePhoto() },
      {
        name: filenameOf('broken'),
        mimeType: 'image/jpeg',
        buffer: (await makeTestPhoto({ seed: 3 })).subarray(0, 200),
      },
    ]);
    const item = await home.db
      .selectFrom('media_items')
      .select(['id', 'user_id'])
      .where('filename', 'like', 'file%')
      .executeTakeFirstOrThrow();
    await until('no text is found in it', async () => {
      const run = (await listRuns(home.db, item.id)).find(({ component }) => component === 'OCR');
      return run?.state === 'DONE';
    });
    await transaction(home.db, async (trx) => {
      await writeItemPlace(trx, item.id, { countryCode: 'CH', country: hostile('country'), city: hostile('city') });
      await writeItemThings(trx, item, [{ name: hostile('thing') }]);
      await writeItemText(trx, item.id, [textLine(hostile('written'))]);
    });
    await writeFaces(home.db, item, [faceOn(item)]);
    const { albumId, shareId } = await person.makeAlbum(hostile('album'));

    const visit = await home.visit();
    // The face has no stored picture.
    visit.expect(/404 .*face-1/);
    const { page } = visit;
    await signIn(page, person);
    await waitForCount(pictures(page), 2);

    // Entered in the app: descriptions of item and album, and a person's name.
    await pictures(page, /^Photo, June 1, 2022/).click();
    const viewer = dialogOf(page);
    await viewer.getByRole('img').first().waitFor();
    await page.keyboard.press('i');
    await viewer.getByRole('textbox', { name: 'Description' }).fill(hostile('description'));
    await saveByEnter(page);
    await viewer.getByText('file%22').first().waitFor();
    for (const part of ['maker', 'city', 'thing', 'written', 'album'])
      await viewer.getByText(`${part}"'`).first().waitFor();
    await assertUntouched(page);

    const { id: faceId } = await home.db
      .selectFrom('people')
      .select('id')
      .where('user_id', '=', item.user_id)
      .executeTakeFirstOrThrow();
    await page.goto(`/people/${faceId}`);
    const name = page.getByRole('combobox', { name: 'Name' });
    await name.fill(hostile('person'));
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
      [`/search?q=${encodeURIComponent(hostile('query'))}`, `query"'`],
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
    await select(pictures(page, /^Photo, June 1, 2022/));
    await page.getByRole('button', { name: 'Add to album' }).click();
    await dialogOf(page).getByText('album').first().waitFor();
    await assertUntouched(page);

    await page.goto('/admin');
    await sendSignIn(page, home.admin);
    await page.getByText(person.username).waitFor();
    await page.getByText(hostile('account')).first().waitFor();
    await assertUntouched(page);
    await visit.end();
  });
});

const saveByEnter = async (page: Page): Promise<void> => {
  const saved = page.waitForResponse((answer) => answer.request().method() !== 'GET' && answer.ok());
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
        Make: hostile('maker'),
        Model: hostile('model'),
        ImageDescription: hostile('caption'),
        Artist: hostile('artist'),
        Copyright: hostile('rights'),
        Software: hostile('software'),
      },
      IFD2: { LensModel: hostile('lens'), UserComment: hostile('comment') },
    },
  });

/** @throws AssertionError if a text was rendered as an element or executed */
const assertUntouched = async (page: Page): Promise<void> => {
  const { ran, elements } = await page.evaluate(() => ({
    ran: 'injected' in window,
    elements: [...document.querySelectorAll('img[src=x], [onerror], [onload], a[href^="javascript:"]')].map(
      ({ outerHTML }) => outerHTML,
    ),
  }));
  assert.deepEqual({ ran, elements }, { ran: false, elements: [] }, page.url());
};
