import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos, makeVideo } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import { goTo, getDialog, getPictures, select, sendSignIn, signIn, waitForCount } from './testing/steps.ts';
import { assertAccessible } from './testing/browserSession.ts';

suite('accounts and settings, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('the administrator adds a user, who signs in and changes the password', async () => {
    const session = await testContext.openSession();
    const { page } = session;
    const username = 'grandma';
    const [first, second] = ['a garden full of apples', 'a cellar full of cider'];
    await page.goto('/admin');
    await sendSignIn(page, testContext.admin);
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = getDialog(page);
    await dialog.getByLabel('Name', { exact: true }).fill('Grandma');
    await dialog.getByLabel('User name').fill(username);
    await dialog.getByLabel('Password', { exact: true }).fill(first);
    await dialog.getByText('names and faces are kept for 30 days').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await page.getByText('Grandma was added and can sign in.').waitFor();
    await page.getByRole('button', { name: 'Edit Grandma' }).waitFor();

    await signIn(page, { username, password: first }, '/settings');
    session.expect(/400 .*password/);
    await page.getByLabel('Current password').fill('a garden full of pears');
    await page.getByLabel('New password').fill(second);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Current password is incorrect.').waitFor();
    await assertAccessible(page);
    await page.getByLabel('Current password').fill(first);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('User name').waitFor();
    session.expect(/401/);
    await sendSignIn(page, { username, password: first });
    await page.getByRole('alert').filter({ hasText: 'Wrong user name or password' }).waitFor();
    await sendSignIn(page, { username, password: second });
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    await session.end();
  });

  test('a password change invalidates picture links, and all tabs load new ones without a reload', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(2));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await waitForCount(getPictures(page), 2);
    const tab = await page.context().newPage();
    await tab.goto('/');
    await waitForCount(getPictures(tab), 2);
    const listThumbnailPaths = (target: typeof page) =>
      target.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .flatMap(({ name }) => (name.includes('/v1/thumbnails/') ? [new URL(name).pathname] : [])),
      );
    const [old = ''] = await listThumbnailPaths(page);
    assert.equal((await page.request.get(old)).status(), 200);

    await goTo(page, 'Settings');
    await page.evaluate(() => performance.clearResourceTimings());
    await tab.evaluate(() => performance.clearResourceTimings());
    await page.getByLabel('Current password').fill(user.password);
    await page.getByLabel('New password').fill('a cellar full of cider');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    assert.equal((await page.request.get(old)).status(), 404);
    await goTo(page, 'Photos');
    for (const openPage of [page, tab]) {
      await openPage.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/v1/thumbnails/')),
      );
      const [renewed = ''] = await listThumbnailPaths(openPage);
      assert.notEqual(renewed.split('/').slice(0, -1).join('/'), old.split('/').slice(0, -1).join('/'));
      assert.equal((await page.request.get(renewed)).status(), 200);
      await waitForCount(getPictures(openPage), 2);
    }
    await session.end();
  });

  test('ends a session on another device', async () => {
    const user = await testContext.createUser();
    const [own, other] = [await testContext.openSession(), await testContext.openSession()];
    await signIn(other.page, user);
    await signIn(own.page, user, '/settings/sessions');
    other.expect(/401/);
    await own.page.getByRole('button', { name: /^Sign out .+ · / }).click();
    await other.page.getByText('Your session has ended').waitFor();
    await own.page.getByRole('button', { name: /^Sign out .+ · / }).waitFor({ state: 'detached' });
    await own.page.getByText(/^This device/).waitFor();
    await other.end();
    await own.end();
  });

  test('keeps language and theme across a reload', async () => {
    const user = await testContext.createUser();
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user, '/settings/appearance');
    await page.getByText('Deutsch', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
    await page.getByText('Dunkel', { exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await assertAccessible(page);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
    assert.deepEqual(
      await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset['theme']]),
      ['de', 'dark'],
    );
    await session.end();
  });

  test('retries failed processing and recreates previews', async () => {
    const user = await testContext.createUser();
    const [photo] = await makePhotos(1);
    assert.ok(photo !== undefined);
    await user.uploadFiles([photo, { ...photo, name: 'IMG_9001.jpg', buffer: photo.buffer.subarray(0, 200) }]);
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user, '/settings/processing');
    await page.getByRole('heading', { name: 'Failed' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await page.getByText('Retry started.').waitFor();
    // The file is still broken.
    await page.getByRole('heading', { name: 'Failed' }).waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Completed').waitFor();
    await assertAccessible(page);
    await session.end();
  });

  test('changes name, cover and sorting of albums, each with undo', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(2));
    await user.createAlbum('Alps');
    await user.createAlbum('Zurich');
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user, '/albums');
    const albums = page.getByRole('list', { name: 'Albums' }).getByRole('link');
    await waitForCount(albums, 2);
    assert.match((await albums.first().textContent()) ?? '', /Alps/);
    await page.getByRole('link', { name: 'Last changed' }).click();
    await page.waitForURL(/sort=updated/);
    await albums.first().filter({ hasText: 'Zurich' }).waitFor();
    await assertAccessible(page);

    await albums.filter({ hasText: 'Alps' }).click();
    await page.getByRole('button', { name: 'Alps', exact: true }).click();
    await page.getByLabel('Album name').fill('The Alps');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The Alps' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Alps', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Album actions' }).click();
    await page.getByRole('menuitem', { name: 'Choose cover' }).click();
    await assertAccessible(page);
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await getDialog(page).getByRole('button', { name: 'Photo, June 1, 2022' }).click();
    assert.equal((await saved).status(), 204);
    await page.getByRole('button', { name: 'Album actions' }).click();
    await page.getByRole('menuitem', { name: 'Choose cover' }).click();
    await getDialog(page).getByRole('button', { name: 'Photo, June 1, 2022', pressed: true }).waitFor();
    await page.keyboard.press('Escape');

    await select(getPictures(page, 'Photo, June 2, 2022'));
    await page.getByRole('button', { name: 'Remove from album' }).click();
    await waitForCount(getPictures(page), 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForCount(getPictures(page), 2);
    await session.end();
  });

  test('stores search filters in the URL and suggests recent searches', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles([...(await makePhotos(2)), await makeVideo()]);
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    await box.fill('IMG_200');
    await box.press('Enter');
    await waitForCount(getPictures(page), 2);
    await page.getByRole('button', { name: 'Videos', exact: true }).click();
    await page.getByText('No results with these filters').waitFor();
    await page.waitForURL(/type=video/);
    await assertAccessible(page);
    await page.reload();
    await page.getByText('No results with these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForCount(getPictures(page), 2);
    // No models are installed, so photos are not searched by content.
    await page.getByText('Search by content is unavailable').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await getDialog(page).getByRole('combobox', { name: 'Person, place' }).fill('2022');
    await getDialog(page).getByRole('option', { name: /^2022/ }).click();
    await getDialog(page).getByRole('button', { name: 'Apply', exact: true }).click();
    await page.waitForURL(/from=2022-01-01&to=2022-12-31/);
    await waitForCount(getPictures(page), 2);
    await page.getByRole('button', { name: 'Remove filter: 2022' }).click();
    await page.waitForURL((url) => !url.searchParams.has('from'));

    await goTo(page, 'Photos');
    await box.click();
    const recentSearch = page.getByRole('option', { name: /^IMG_200/ });
    await recentSearch.waitFor();
    await recentSearch.click();
    await page.getByRole('heading', { name: '“IMG_200”' }).waitFor();
    await session.end();
  });

  test('separates two users and updates all devices of each in real time', async () => {
    const [anna, ben] = [await testContext.createUser(), await testContext.createUser()];
    const sessions = await Promise.all([
      testContext.openSession(),
      testContext.openSession({ width: 360 }),
      testContext.openSession({ theme: 'dark' }),
    ]);
    const [laptop, phone, other] = sessions.map(({ page }) => page);
    assert.ok(laptop !== undefined && phone !== undefined && other !== undefined);
    await Promise.all([signIn(laptop, anna), signIn(phone, anna), signIn(other, ben)]);
    const [first, second, third] = await makePhotos(3);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    await Promise.all([
      laptop.getByLabel('Choose files to upload').first().setInputFiles([first, second]),
      other.getByLabel('Choose files to upload').first().setInputFiles([third]),
    ]);
    await Promise.all([
      waitForCount(getPictures(laptop, /^Photo, June \d, 2022$/), 2),
      waitForCount(getPictures(phone, /^Photo, June \d, 2022$/), 2),
      waitForCount(getPictures(other, /^Photo, June \d, 2022$/), 1),
    ]);
    await getPictures(other, 'Photo, June 3, 2022').waitFor();
    await select(getPictures(laptop, 'Photo, June 1, 2022'));
    await laptop.getByRole('button', { name: 'Favourite', exact: true }).click();
    await getPictures(phone, 'Photo, June 1, 2022, favourite').waitFor();
    await Promise.all([laptop, phone, other].map(assertAccessible));
    for (const session of sessions) await session.end();
  });
});
