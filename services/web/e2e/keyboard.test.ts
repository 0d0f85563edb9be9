import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos } from './testing/familyFiles.ts';
import { useKeyboard } from './testing/keyboard.ts';
import { goByKeys, look, selectPicture, signInByKeys } from './testing/keyboardSteps.ts';
import { listPaths, assertAccessible } from './testing/visit.ts';
import { openHome, type Home } from './testing/openHome.ts';
import type { Person } from './testing/person.ts';
import { dialogOf, pictures, waitForCount } from './testing/steps.ts';

/*
 * Uses every page without a mouse. The focus must always be visible, and must never be lost to the body, where a screen
 * reader would start from the top.
 */

suite('all pages by keyboard, in Chromium', { skip: missingTool('chromium') }, () => {
  let home: Home;
  let person: Person;
  let sharedId: string;
  before(async () => {
    home = await openHome();
    person = await home.addPerson();
    await person.store(await makePhotos(3));
    sharedId = (await person.makeAlbum('At the lake')).shareId;
  });
  after(() => home?.close());

  test('favourites, shares an album, hides, trashes, searches and signs out', async () => {
    const visit = await home.visit();
    const { page } = visit;
    const keys = useKeyboard(page);
    await signInByKeys(page, keys, person);
    await waitForCount(pictures(page), 3);

    // Favourite.
    await selectPicture(keys, 'Photo, June 3, 2022');
    await keys.tabTo('Favourite', 'Shift+Tab');
    await keys.press('Enter');
    await pictures(page, 'Photo, June 3, 2022, favourite').waitFor();
    await keys.waitForFocus('Photo, June 3, 2022, favourite');
    await goByKeys(page, keys, 'Favourites');
    await waitForCount(pictures(page), 1);
    await look(page, keys);

    // Escape clears the selection, also from the bar and while a toast is shown.
    await goByKeys(page, keys, 'Photos');
    await selectPicture(keys, 'Photo, June 2, 2022');
    await keys.tabTo('Favourite', 'Shift+Tab');
    await keys.press('Escape');
    await keys.waitForFocus('Photo, June 2, 2022');

    // Album from the selection, renamed and shared.
    await selectPicture(keys, 'Photo, June 2, 2022');
    await keys.tabTo('Add to album', 'Shift+Tab');
    await keys.press('Enter');
    await dialogOf(page).waitFor();
    await keys.waitForFocus('Find or create an album');
    await keys.type('Summer');
    await page.getByRole('button', { name: 'New album “Summer”' }).waitFor();
    await keys.press('Enter');
    await page.getByText('Added to “Summer”').waitFor();
    await dialogOf(page).waitFor({ state: 'detached' });
    await keys.focusedName();
    await goByKeys(page, keys, 'Albums');
    await page.getByRole('link', { name: /Summer/ }).waitFor();
    await look(page, keys);
    await keys.tabTo(/^Summer/);
    await keys.press('Enter');
    await waitForCount(pictures(page), 1);
    await keys.focusedName();
    await look(page, keys);
    await keys.tabTo('Summer');
    await keys.press('Enter');
    await keys.type(' holiday');
    await keys.press('Enter');
    await keys.waitForFocus('Summer holiday');
    await keys.tabTo('Share');
    await keys.press('Enter');
    await dialogOf(page).waitFor();
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
    await dialogOf(page).waitFor({ state: 'detached' });
    await keys.waitForFocus('Share');

    // Viewer: controls, information, and back to the grid.
    await keys.tabTo('Photo, June 2, 2022');
    await keys.press('Enter');
    const viewer = dialogOf(page);
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
    await goByKeys(page, keys, 'Photos');
    await selectPicture(keys, 'Photo, June 1, 2022');
    await keys.tabTo('Hide', 'Shift+Tab');
    await keys.press('Enter');
    await waitForCount(pictures(page), 2);
    await keys.focusedName();
    await goByKeys(page, keys, 'Hidden');
    await page.getByLabel('Password').waitFor();
    await look(page, keys);
    await keys.tabTo('Password');
    await keys.type(person.password);
    await keys.press('Enter');
    await waitForCount(pictures(page), 1);
    await keys.focusedName();
    await look(page, keys);
    await selectPicture(keys, 'Photo, June 1, 2022');
    await keys.tabTo('Unhide', 'Shift+Tab');
    await keys.press('Enter');
    await page.getByText('Nothing hidden').waitFor();
    await keys.focusedName();

    // Trash and restore.
    await goByKeys(page, keys, 'Photos');
    await waitForCount(pictures(page), 3);
    await selectPicture(keys, 'Photo, June 1, 2022');
    await keys.tabTo('Move to trash', 'Shift+Tab');
    await keys.press('Enter');
    await waitForCount(pictures(page), 2);
    await keys.focusedName();
    await goByKeys(page, keys, 'Trash');
    await waitForCount(pictures(page), 1);
    await look(page, keys);
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
    await waitForCount(pictures(page), 1);
    await keys.focusedName();
    await look(page, keys);

    // Settings and sign-out.
    await goByKeys(page, keys, 'Settings');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await look(page, keys);
    await keys.tabTo('Sign out');
    await keys.press('Enter');
    await page.getByLabel('User name').waitFor();
    await look(page, keys);
    await visit.end();
  });

  test('tabs through every route from start to end', async () => {
    const visit = await home.visit();
    const { page } = visit;
    const keys = useKeyboard(page);
    await signInByKeys(page, keys, person);
    await pictures(page).first().waitFor();
    visit.expect(/401 .*one-time/);
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
      await look(page, keys);
    }

    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Administration' }).waitFor();
    await look(page, keys);
    await keys.tabTo('User name');
    await keys.type(home.admin.username);
    await keys.press('Tab');
    await keys.type(home.admin.password);
    await keys.press('Enter');
    await page.getByRole('button', { name: `Edit ${person.username}` }).waitFor();
    await look(page, keys);
    await keys.tabTo('Add user');
    await keys.press('Enter');
    await dialogOf(page).waitFor();
    await keys.focusedName();
    await assertAccessible(page);
    await keys.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await keys.waitForFocus('Add user');
    await visit.end();
  });
});
