import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos } from './testing/familyFiles.ts';
import { useKeyboard } from './testing/keyboard.ts';
import { navigateByKeys, checkPage, selectPicture, signInByKeys } from './testing/keyboardSteps.ts';
import { listPaths, assertAccessible } from './testing/browserSession.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser } from './testing/testUser.ts';
import { getDialog, getPictures, waitForCount } from './testing/steps.ts';

/*
 * Uses every page without a mouse. The focus must always be visible, and must never be lost to the body, where a screen
 * reader would start from the top.
 */

suite('all pages by keyboard, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  let user: TestUser;
  let sharedId: string;
  before(async () => {
    testContext = await startTestContext();
    user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(3));
    sharedId = (await user.createAlbum('At the lake')).shareId;
  });
  after(() => testContext?.close());

  test('favourites, shares an album, hides, trashes, searches and signs out', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const keys = useKeyboard(page);
    await signInByKeys(page, keys, user);
    await waitForCount(getPictures(page), 3);

    // Favourite.
    await selectPicture(keys, 'Photo, June 3, 2022');
    await keys.tabTo('Favourite', 'Shift+Tab');
    await keys.press('Enter');
    await getPictures(page, 'Photo, June 3, 2022, favourite').waitFor();
    await keys.waitForFocus('Photo, June 3, 2022, favourite');
    await navigateByKeys(page, keys, 'Favourites');
    await waitForCount(getPictures(page), 1);
    await checkPage(page, keys);

    // Escape clears the selection, also from the bar and while a toast is shown.
    await navigateByKeys(page, keys, 'Photos');
    await selectPicture(keys, 'Photo, June 2, 2022');
    await keys.tabTo('Favourite', 'Shift+Tab');
    await keys.press('Escape');
    await keys.waitForFocus('Photo, June 2, 2022');

    // Album from the selection, renamed and shared.
    await selectPicture(keys, 'Photo, June 2, 2022');
    await keys.tabTo('Add to album', 'Shift+Tab');
    await keys.press('Enter');
    await getDialog(page).waitFor();
    await keys.waitForFocus('Find or create an album');
    await keys.type('Summer');
    await page.getByRole('button', { name: 'New album “Summer”' }).waitFor();
    await keys.press('Enter');
    await page.getByText('Added to “Summer”').waitFor();
    await getDialog(page).waitFor({ state: 'detached' });
    await keys.focusedName();
    await navigateByKeys(page, keys, 'Albums');
    await page.getByRole('link', { name: /Summer/ }).waitFor();
    await checkPage(page, keys);
    await keys.tabTo(/^Summer/);
    await keys.press('Enter');
    await waitForCount(getPictures(page), 1);
    await keys.focusedName();
    await checkPage(page, keys);
    await keys.tabTo('Summer');
    await keys.press('Enter');
    await keys.type(' holiday');
    await keys.press('Enter');
    await keys.waitForFocus('Summer holiday');
    await keys.tabTo('Share');
    await keys.press('Enter');
    await getDialog(page).waitFor();
    await keys.focusedName();
    await keys.tabTo('Share by link');
    await keys.press('Space');
    await page.getByLabel('Link to the album').waitFor();
    await keys.waitForFocus('Share by link');
    await assertAccessible(page);
    await keys.tabTo('Stop sharing');
    await keys.press('Enter');
    await page.getByLabel('Link to the album').waitFor({ state: 'detached' });
    await keys.focusedName();
    await keys.press('Escape');
    await getDialog(page).waitFor({ state: 'detached' });
    await keys.waitForFocus('Share');

    // Viewer: controls, information, and back to the grid.
    await keys.tabTo('Photo, June 2, 2022');
    await keys.press('Enter');
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await keys.focusedName();
    await keys.press('i');
    await viewer.getByRole('textbox', { name: 'Description' }).waitFor();
    await assertAccessible(page);
    await keys.tabTo('Description');
    await keys.type('The evening at the lake');
    await keys.press('Enter');
    await keys.focusedName();
    await keys.tabTo('Back');
    await keys.press('Enter');
    await viewer.waitFor({ state: 'hidden' });
    assert.match(new URL(page.url()).pathname, /^\/albums\//);
    await keys.waitForFocus('Photo, June 2, 2022');

    // Hide and unhide.
    await navigateByKeys(page, keys, 'Photos');
    await selectPicture(keys, 'Photo, June 1, 2022');
    await keys.tabTo('Hide', 'Shift+Tab');
    await keys.press('Enter');
    await waitForCount(getPictures(page), 2);
    await keys.focusedName();
    await navigateByKeys(page, keys, 'Hidden');
    await page.getByLabel('Password').waitFor();
    await checkPage(page, keys);
    await keys.tabTo('Password');
    await keys.type(user.password);
    await keys.press('Enter');
    await waitForCount(getPictures(page), 1);
    await keys.focusedName();
    await checkPage(page, keys);
    await selectPicture(keys, 'Photo, June 1, 2022');
    await keys.tabTo('Unhide', 'Shift+Tab');
    await keys.press('Enter');
    await page.getByText('Nothing hidden').waitFor();
    await keys.focusedName();

    // Trash and restore.
    await navigateByKeys(page, keys, 'Photos');
    await waitForCount(getPictures(page), 3);
    await selectPicture(keys, 'Photo, June 1, 2022');
    await keys.tabTo('Move to trash', 'Shift+Tab');
    await keys.press('Enter');
    await waitForCount(getPictures(page), 2);
    await keys.focusedName();
    await navigateByKeys(page, keys, 'Trash');
    await waitForCount(getPictures(page), 1);
    await checkPage(page, keys);
    await selectPicture(keys, /^Photo, June 1, 2022/);
    await keys.tabTo('Restore', 'Shift+Tab');
    await keys.press('Enter');
    await page.getByText('Trash is empty').waitFor();
    await keys.focusedName();

    // Search.
    await keys.press('/');
    await keys.waitForFocus('Search your photos');
    await keys.type('IMG_2002');
    await keys.press('Enter');
    await page.getByRole('heading', { name: '“IMG_2002”' }).waitFor();
    await waitForCount(getPictures(page), 1);
    await keys.focusedName();
    await checkPage(page, keys);

    // Settings and sign-out.
    await navigateByKeys(page, keys, 'Settings');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await checkPage(page, keys);
    await keys.tabTo('Sign out');
    await keys.press('Enter');
    await page.getByLabel('User name').waitFor();
    await checkPage(page, keys);
    await session.end();
  });

  test('tabs through every route from start to end', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const keys = useKeyboard(page);
    await signInByKeys(page, keys, user);
    await getPictures(page).first().waitFor();
    session.expect(/401 .*one-time/);
    const paths = await listPaths(page);
    assert.ok(paths.includes('/albums'), paths.join());
    for (const path of [
      ...paths,
      '/albums?hidden=true',
      `/s/${sharedId}`,
      '/nowhere',
      '/welcome#a-code-that-nobody-has',
    ]) {
      await page.goto(path);
      await page.getByRole('heading').first().waitFor();
      await checkPage(page, keys);
    }

    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Administration' }).waitFor();
    await checkPage(page, keys);
    await keys.tabTo('User name');
    await keys.type(testContext.admin.username);
    await keys.press('Tab');
    await keys.type(testContext.admin.password);
    await keys.press('Enter');
    await page.getByRole('button', { name: `Edit ${user.username}` }).waitFor();
    await checkPage(page, keys);
    await keys.tabTo('Add user');
    await keys.press('Enter');
    await getDialog(page).waitFor();
    await keys.focusedName();
    await assertAccessible(page);
    await keys.press('Escape');
    await getDialog(page).waitFor({ state: 'detached' });
    await keys.waitForFocus('Add user');
    await session.end();
  });
});
