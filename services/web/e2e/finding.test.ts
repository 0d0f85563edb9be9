import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { makePhotos } from './testing/familyFiles.ts';
import { openHome, type Home } from './testing/openHome.ts';
import type { Person } from './testing/person.ts';
import { dialogOf, pictures, signIn, waitForCount } from './testing/steps.ts';
import { assertAccessible } from './testing/visit.ts';

suite('finding a photo, in Chromium', { skip: missingTool('chromium') }, () => {
  let home: Home;
  let person: Person;
  before(async () => {
    home = await openHome();
    person = await home.addPerson();
    await person.store(await makePhotos(3));
  });
  after(() => home?.close());

  test('a search finds a photo by the name of its file, and says what to try where there is none', async () => {
    const visit = await home.visit();
    const { page } = visit;
    await signIn(page, person);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    await box.fill('IMG_2002');
    await box.press('Enter');
    await page.getByRole('heading', { name: '“IMG_2002”' }).waitFor();
    await waitForCount(pictures(page), 1);
    await pictures(page, 'Photo, June 2, 2022').waitFor();
    await assertAccessible(page);

    await box.fill('narwhal');
    await box.press('Enter');
    await page.getByText('Nothing found for “narwhal”').waitFor();
    await page.getByText('the beginning of a file name, such as').waitFor();
    await assertAccessible(page);
    await visit.end();
  });

  test('while the box offers something, a screen reader has the offers next to it, and the page as before', async () => {
    const visit = await home.visit();
    const { page } = visit;
    await signIn(page, person);
    await waitForCount(pictures(page), 3);
    const box = page.getByRole('combobox', { name: 'Search your photos' });
    const offers = page.getByRole('search').getByRole('listbox');
    await box.fill('June 2022');
    await offers.getByRole('option', { name: 'June 2022' }).waitFor();
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    const snapshot = await page.locator('body').ariaSnapshot();
    for (const part of [/- banner/, /- navigation "Main navigation"/, /- main/, /- gridcell "Photo, June 3, 2022"/])
      assert.match(snapshot, part);
    await assertAccessible(page);

    // Where there is nothing to offer, nothing is announced to be open.
    await box.fill('narwhal');
    await offers.waitFor({ state: 'detached' });
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
    await box.fill('June');
    await offers.waitFor();
    await box.press('Escape');
    await offers.waitFor({ state: 'detached' });
    await pictures(page).first().waitFor();
    await visit.end();
  });

  test('by keyboard alone: the skip link, the search, the pictures and the viewer', async () => {
    const visit = await home.visit();
    const { page } = visit;
    await page.goto('/');
    await page.getByLabel('User name').waitFor();
    const { keyboard } = page;
    await keyboard.press('Tab');
    await keyboard.type(person.username);
    await keyboard.press('Tab');
    await keyboard.type(person.password);
    await keyboard.press('Enter');
    await waitForCount(pictures(page), 3);

    await keyboard.press('Tab');
    assert.equal(await focusedName(), 'Skip to content');
    await keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
    await keyboard.press('/');
    assert.equal(await focusedName(), 'Search your photos');
    await keyboard.press('Escape');

    // Past everything else that can be pressed, to the grid.
    for (let presses = 0; !(await focusedName()).startsWith('Photo, '); presses += 1) {
      assert.ok(presses < 40, 'the pictures are reached by Tab');
      await keyboard.press('Tab');
    }
    assert.equal(await focusedName(), 'Photo, June 3, 2022');
    await keyboard.press('ArrowRight');
    assert.equal(await focusedName(), 'Photo, June 2, 2022');
    await keyboard.press('Enter');
    const viewer = dialogOf(page);
    await viewer.waitFor();
    await keyboard.press('ArrowRight');
    // What a screen reader is told when the picture is on the screen.
    await viewer.getByText('June 1, 2022').first().waitFor({ state: 'attached' });
    await keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Photo, June 1, 2022');
    await visit.end();

    async function focusedName(): Promise<string> {
      return page.evaluate(() => {
        const focused = document.activeElement;
        return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
      });
    }
  });
});
