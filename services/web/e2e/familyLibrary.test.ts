import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos, makeVideo } from './testing/familyFiles.ts';
import { openHome, type Home } from './testing/openHome.ts';
import {
  dialogOf,
  goTo,
  pictures,
  pressControl,
  select,
  sendSignIn,
  shownItem,
  signIn,
  waitForCount,
} from './testing/steps.ts';
import { assertAccessible } from './testing/visit.ts';

suite('library of a family, in Chromium', { skip: missingTool('chromium') }, () => {
  let home: Home;
  before(async () => {
    home = await openHome();
  });
  after(() => home?.close());

  test('first visit: signs in, shows the empty library, uploads and shows the photos', async () => {
    const person = await home.addPerson();
    const visit = await home.visit();
    const { page } = visit;
    await page.goto('/');
    await page.getByLabel('User name').waitFor();
    await assertAccessible(page);

    visit.expect(/401/);
    await sendSignIn(page, { ...person, password: 'a wrong password' });
    await page.getByRole('alert').filter({ hasText: 'Wrong user name or password' }).waitFor();
    await sendSignIn(page, person);
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    await assertAccessible(page);

    await page
      .getByLabel('Choose files to upload')
      .first()
      .setInputFiles([...(await makePhotos(3)), await makeVideo()]);
    await waitForCount(pictures(page), 4);
    await waitForCount(pictures(page, /^Photo, June \d, 2022$/), 3);
    await waitForCount(pictures(page, /^Video, /), 1);
    await assertAccessible(page);

    const middle = pictures(page, 'Photo, June 2, 2022');
    await middle.click();
    const viewer = dialogOf(page);
    await viewer.getByRole('img').first().waitFor();
    await assertAccessible(page);
    const shown = await shownItem(page);
    await pressControl(viewer, 'Next');
    await page.waitForURL((url) => url.searchParams.get('item') !== shown);
    await pressControl(viewer, 'Previous');
    await page.waitForURL((url) => url.searchParams.get('item') === shown);
    await page.reload();
    await viewer.getByRole('img').first().waitFor();
    await page.goBack();
    await viewer.waitFor({ state: 'hidden' });
    await page.waitForFunction((id) => document.activeElement?.getAttribute('data-item-id') === id, shown);
    await visit.end();
  });

  test('adds and removes favourites', async () => {
    const person = await home.addPerson();
    await person.store(await makePhotos(2));
    const visit = await home.visit();
    const { page } = visit;
    await signIn(page, person);
    await select(pictures(page, 'Photo, June 1, 2022'));
    await page.getByRole('button', { name: 'Favourite', exact: true }).click();
    await pictures(page, 'Photo, June 1, 2022, favourite').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await pictures(page, 'Photo, June 1, 2022, favourite').waitFor({ state: 'detached' });
    await goTo(page, 'Favourites');
    await page.getByText('No favourites yet').waitFor();
    await assertAccessible(page);
    await visit.end();
  });

  test('creates an album from a selection, shares it with a visitor and stops sharing', async () => {
    const person = await home.addPerson();
    await person.store(await makePhotos(3));
    const visit = await home.visit();
    const { page } = visit;
    await signIn(page, person);
    await select(pictures(page, 'Photo, June 1, 2022'));
    await pictures(page, 'Photo, June 2, 2022').click();
    await page.getByRole('button', { name: 'Add to album' }).click();
    await page.getByLabel('Find or create an album').fill('Summer');
    await page.getByRole('button', { name: 'New album “Summer”' }).click();
    await page.getByText('2 added to “Summer”').waitFor();

    await goTo(page, 'Albums');
    await page.getByRole('link', { name: /Summer/ }).waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: /Summer/ }).click();
    await waitForCount(pictures(page), 2);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('switch', { name: 'Share by link' }).click();
    const link = await page.getByLabel('Link to the album').inputValue();
    await assertAccessible(page);

    const visitor = await home.visit({ width: 360, theme: 'dark' });
    await visitor.page.goto(link);
    await visitor.page.getByRole('heading', { name: 'Summer' }).waitFor();
    await waitForCount(pictures(visitor.page), 2);
    await assertAccessible(visitor.page);
    await pictures(visitor.page).first().click();
    await dialogOf(visitor.page).getByRole('img').first().waitFor();
    await assertAccessible(visitor.page);
    await visitor.page.goBack();

    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByText('Album is no longer shared').waitFor();
    visitor.expect(/404/);
    await visitor.page.reload();
    await visitor.page.getByText('Link no longer works').waitFor();
    await assertAccessible(visitor.page);
    await visitor.end();
    await visit.end();
  });

  test('restores from the trash by undo and from its page', async () => {
    const person = await home.addPerson();
    await person.store(await makePhotos(2));
    const visit = await home.visit();
    const { page } = visit;
    await signIn(page, person);
    const photo = pictures(page, 'Photo, June 2, 2022');
    await select(photo);
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await photo.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await photo.waitFor();

    await select(photo);
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await photo.waitFor({ state: 'detached' });
    await goTo(page, 'Trash');
    await waitForCount(pictures(page), 1);
    await assertAccessible(page);
    await select(pictures(page).first());
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Trash is empty').waitFor();
    await goTo(page, 'Photos');
    await photo.waitFor();
    assert.equal(await pictures(page).count(), 2);
    await visit.end();
  });
});
