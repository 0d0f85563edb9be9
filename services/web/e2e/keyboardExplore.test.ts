import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { useKeyboard } from './testing/keyboard.ts';
import { navigateByKeys, checkPage, selectPicture, signInByKeys, undoByKeys } from './testing/keyboardSteps.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser } from './testing/testUser.ts';
import { getDialog, getPictures, getShownItemId, waitForCount } from './testing/steps.ts';
import { assertAccessible } from './testing/browserSession.ts';

suite('people, map and settings by keyboard, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  let user: TestUser;
  before(async () => {
    testContext = await startTestContext();
    user = await testContext.createUser();
    await user.uploadFiles(
      await Promise.all(
        [1, 2, 3].map(async (day) => ({
          name: `IMG_600${day}.jpg`,
          mimeType: 'image/jpeg',
          buffer: await makeTestPhoto({
            seed: 600 + day,
            takenAt: `2022:06:0${day} 12:00:00`,
            position: { latitude: 38, longitude: day * 8 },
          }),
        })),
      ),
    );
    const items = await testContext.db
      .selectFrom('media_items')
      .select(['id', 'user_id'])
      .where('user_id', '=', user.id)
      .orderBy('filename')
      .execute();
    for (const item of items.slice(0, 2)) await writeFaces(testContext.db, item, [makeFace(item)]);
    for (const item of items)
      await transaction(testContext.db, (trx) =>
        writeItemPlace(trx, item.id, { countryCode: 'PT', country: 'Portugal', city: 'Lisbon' }),
      );
  });
  after(() => testContext?.close());

  test('names and merges two people, removes a photo from one, and undoes both', async () => {
    const session = await testContext.openSession();
    // The faces have no stored pictures.
    session.expect(/404 .*face-1/);
    const { page } = session;
    const keys = useKeyboard(page);
    await signInByKeys(page, keys, user);
    await waitForCount(getPictures(page), 3);
    await page.goto('/people');
    await waitForCount(page.getByRole('link', { name: 'Who is this?' }), 2);
    await checkPage(page, keys);
    await keys.tabTo('Who is this?');
    await keys.press('Enter');
    await waitForCount(getPictures(page), 1);
    await keys.tabTo('Name');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await keys.type('Ada');
    await keys.press('Enter');
    assert.equal((await saved).status(), 204);
    await keys.focusedName();
    await keys.tabTo('Merge with …');
    await keys.press('Enter');
    await getDialog(page).getByRole('checkbox', { name: 'Who is this?' }).waitFor({ state: 'attached' });
    await keys.tabTo('Who is this?');
    await keys.press('Space');
    await getDialog(page).getByText('Ada will appear in 2 photos.').waitFor();
    await assertAccessible(page);
    await keys.tabTo('Merge 1 person');
    await keys.press('Enter');
    await getDialog(page).waitFor({ state: 'detached' });
    await waitForCount(getPictures(page), 2);
    await keys.focusedName();
    await undoByKeys(page, keys, 'People merged.');
    await waitForCount(getPictures(page), 1);
    session.expect(/404 .*explore\/people/);
    await selectPicture(keys, /^Photo, June/);
    await page.getByRole('region', { name: 'Selected items' }).waitFor();
    await keys.tabTo('Not this person', 'Shift+Tab');
    await keys.press('Enter');
    await page.getByText('No photos').waitFor();
    await keys.focusedName();
    await undoByKeys(page, keys, 'Removed from this person');
    await waitForCount(getPictures(page), 1);
    await session.end();
  });

  test('pans and zooms the map, and opens a photo on it', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const keys = useKeyboard(page);
    await signInByKeys(page, keys, user);
    await waitForCount(getPictures(page), 3);
    await page.goto('/places');
    const map = page.getByRole('group', { name: 'Map of your photos' });
    await map
      .getByRole('button', { name: /photos?$/ })
      .first()
      .waitFor();
    await checkPage(page, keys);
    await keys.tabTo('Zoom in');
    await keys.press('Enter');
    await page.waitForURL((url) => url.searchParams.has('map'));
    const before = page.url();
    await keys.tabTo('Map of your photos', 'Shift+Tab');
    await keys.press('ArrowRight');
    await page.waitForURL((url) => url.href !== before);
    await page.goto('/places');
    await map
      .getByRole('button', { name: /photos?$/ })
      .first()
      .waitFor();
    await keys.tabTo(/^\d photos?$/);
    const isSingle = (await keys.focusedName()) === '1 photo';
    await keys.press('Enter');
    if (isSingle) await getDialog(page).getByRole('img').first().waitFor();
    else await page.waitForURL((url) => url.searchParams.has('map'));
    await keys.focusedName();
    await session.end();
  });

  test('runs a slideshow, removes search filters and changes the password', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const keys = useKeyboard(page);
    await signInByKeys(page, keys, user);
    await waitForCount(getPictures(page), 3);
    await keys.tabTo(/^Photo, /);
    await keys.press('Enter');
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    const first = await getShownItemId(page);
    await keys.press('Space');
    await keys.tabTo('3 s');
    await keys.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('item') !== first);
    await keys.tabTo('Stop');
    await keys.press('Enter');
    await keys.focusedName();
    await keys.press('Escape');
    await viewer.waitFor({ state: 'hidden' });

    await keys.press('/');
    await keys.waitForFocus('Search your photos');
    await keys.type('IMG_600');
    await keys.press('Enter');
    await waitForCount(getPictures(page), 3);
    await keys.tabTo('Videos');
    await keys.press('Space');
    await page.getByText('No results with these filters').waitFor();
    await checkPage(page, keys);
    await keys.tabTo('Clear filters');
    await keys.press('Enter');
    await waitForCount(getPictures(page), 3);
    await keys.focusedName();

    await navigateByKeys(page, keys, 'Settings');
    await keys.tabTo('Current password');
    await keys.type(user.password);
    await keys.tabTo('New password');
    await keys.type('a cellar full of cider');
    await keys.press('Enter');
    await page.getByText('Password changed.').waitFor();
    await keys.focusedName();
    await session.end();
  });
});
