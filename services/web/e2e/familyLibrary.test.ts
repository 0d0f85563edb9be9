import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos, makeVideo } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import {
  getDialog,
  goTo,
  getPictures,
  pressControl,
  select,
  sendSignIn,
  getShownItemId,
  signIn,
  waitForCount,
} from './testing/steps.ts';
import { assertAccessible } from './testing/browserSession.ts';

suite('library of a family, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('first visit: signs in, shows the empty library, uploads and shows the photos', async () => {
    const user = await testContext.createUser();
    const session = await testContext.openSession();
    const { page } = session;
    await page.goto('/');
    await page.getByLabel('User name').waitFor();
    await assertAccessible(page);

    session.expect(/401/);
    await sendSignIn(page, { ...user, password: 'a wrong password' });
    await page.getByRole('alert').filter({ hasText: 'Wrong user name or password' }).waitFor();
    await sendSignIn(page, user);
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    await assertAccessible(page);

    await page
      .getByLabel('Choose files to upload')
      .first()
      .setInputFiles([...(await makePhotos(3)), await makeVideo()]);
    await waitForCount(getPictures(page), 4);
    await waitForCount(getPictures(page, /^Photo, June \d, 2022$/), 3);
    await waitForCount(getPictures(page, /^Video, /), 1);
    await assertAccessible(page);

    const middle = getPictures(page, 'Photo, June 2, 2022');
    await middle.click();
    const viewer = getDialog(page);
    await viewer.getByRole('img').first().waitFor();
    await assertAccessible(page);
    const shown = await getShownItemId(page);
    await pressControl(viewer, 'Next');
    await page.waitForURL((url) => url.searchParams.get('item') !== shown);
    await pressControl(viewer, 'Previous');
    await page.waitForURL((url) => url.searchParams.get('item') === shown);
    await page.reload();
    await viewer.getByRole('img').first().waitFor();
    await page.goBack();
    await viewer.waitFor({ state: 'hidden' });
    await page.waitForFunction((id) => document.activeElement?.getAttribute('data-item-id') === id, shown);
    await session.end();
  });

  test('adds and removes favourites', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(2));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await select(getPictures(page, 'Photo, June 1, 2022'));
    await page.getByRole('button', { name: 'Favourite', exact: true }).click();
    await getPictures(page, 'Photo, June 1, 2022, favourite').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await getPictures(page, 'Photo, June 1, 2022, favourite').waitFor({ state: 'detached' });
    await goTo(page, 'Favourites');
    await page.getByText('No favourites yet').waitFor();
    await assertAccessible(page);
    await session.end();
  });

  test('creates an album from a selection, shares it with a visitor and stops sharing', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(3));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await select(getPictures(page, 'Photo, June 1, 2022'));
    await getPictures(page, 'Photo, June 2, 2022').click();
    await page.getByRole('button', { name: 'Add to album' }).click();
    await page.getByLabel('Find or create an album').fill('Summer');
    await page.getByRole('button', { name: 'New album “Summer”' }).click();
    await page.getByText('2 added to “Summer”').waitFor();

    await goTo(page, 'Albums');
    await page.getByRole('link', { name: /Summer/ }).waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: /Summer/ }).click();
    await waitForCount(getPictures(page), 2);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('switch', { name: 'Share by link' }).click();
    const link = await page.getByLabel('Link to the album').inputValue();
    await assertAccessible(page);

    const visitor = await testContext.openSession({ width: 360, theme: 'dark' });
    await visitor.page.goto(link);
    await visitor.page.getByRole('heading', { name: 'Summer' }).waitFor();
    await waitForCount(getPictures(visitor.page), 2);
    await assertAccessible(visitor.page);
    await getPictures(visitor.page).first().click();
    await getDialog(visitor.page).getByRole('img').first().waitFor();
    await assertAccessible(visitor.page);
    await visitor.page.goBack();

    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByText('Album is no longer shared').waitFor();
    visitor.expect(/404/);
    await visitor.page.reload();
    await visitor.page.getByText('Link no longer works').waitFor();
    await assertAccessible(visitor.page);
    await visitor.end();
    await session.end();
  });

  test('restores from the trash by undo and from its page', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(2));
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    const photo = getPictures(page, 'Photo, June 2, 2022');
    await select(photo);
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await photo.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await photo.waitFor();

    await select(photo);
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await photo.waitFor({ state: 'detached' });
    await goTo(page, 'Trash');
    await waitForCount(getPictures(page), 1);
    await assertAccessible(page);
    await select(getPictures(page).first());
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Trash is empty').waitFor();
    await goTo(page, 'Photos');
    await photo.waitFor();
    assert.equal(await getPictures(page).count(), 2);
    await session.end();
  });
});
