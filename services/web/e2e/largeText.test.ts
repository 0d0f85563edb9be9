import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/core/testing/tools.ts';
import type { Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { openHome, type Home } from './testing/openHome.ts';
import type { Person } from './testing/person.ts';
import { dialogOf, pictures, sendSignIn, waitForCount } from './testing/steps.ts';

/*
 * Text at twice its size on small phones: no page is wider than the screen, and every control lies on it.
 */

suite('text at 200 %, in Chromium', { skip: missingTool('chromium') }, () => {
  let home: Home;
  let person: Person;
  let albumId: string;
  before(async () => {
    home = await openHome();
    person = await home.addPerson();
    await person.store(await makePhotos(3));
    albumId = await person.makeAlbum('At the lake with grandmother');
  });
  after(() => home?.close());

  for (const width of [320, 360]) {
    test(`${width} pixels wide`, async () => {
      const visit = await home.visit({ width, textPercent: 200 });
      const { page } = visit;
      const wrong: string[] = [];
      const look = async (name: string): Promise<void> => {
        for (const problem of await besideTheScreen(page)) wrong.push(`${name}: ${problem}`);
      };
      await page.goto('/');
      await page.getByLabel('User name').waitFor();
      await look('sign-in');
      await sendSignIn(page, person);
      await waitForCount(pictures(page), 3);
      await look('photos');
      await pictures(page).first().click();
      await dialogOf(page).getByRole('img').first().waitFor();
      await look('viewer');
      await page.keyboard.press('i');
      await page.getByRole('textbox', { name: 'Description' }).waitFor();
      await look('information');
      for (const path of [
        '/search?q=june%202022',
        '/search?q=narwhal',
        '/albums',
        `/albums/${albumId}`,
        `/s/${albumId}`,
        '/favourites',
        '/trash',
        '/hidden',
        '/explore',
        '/people',
        '/places',
        '/things',
        '/on-this-day',
        '/settings',
        '/nowhere',
      ]) {
        await page.goto(path);
        await page.getByRole('heading').first().waitFor();
        await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
        await look(path);
      }
      await page.goto(`/albums/${albumId}`);
      await page.getByRole('button', { name: 'Shared', exact: true }).click();
      await page.getByRole('switch', { name: 'Share by link' }).waitFor();
      await look('sharing');
      await page.goto('/admin');
      await page.getByRole('heading', { name: 'Administration' }).waitFor();
      await look('admin sign-in');
      await sendSignIn(page, home.admin);
      await page.getByRole('button', { name: `Change ${person.username}` }).waitFor();
      await look('admin');
      await page.getByRole('button', { name: 'Add a person' }).click();
      await dialogOf(page).getByRole('textbox', { name: 'Password' }).waitFor();
      await look('adding a person');
      await visit.end();
      assert.deepEqual(wrong, []);
    });
  }
});

/** What of the page somebody cannot see without scrolling sideways. What scrolls by itself, as a row of chips does, may be longer than the screen. */
const besideTheScreen = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== document.documentElement &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const found: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} pixels wide`);
    const named = 'a, button, input, textarea, select, [role=switch], h1, h2, h3, p, li, label, dt, dd, span';
    for (const element of document.querySelectorAll(named)) {
      const { left, right, width, height } = element.getBoundingClientRect();
      const isSeen =
        width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!isSeen || (left >= -1 && right <= innerWidth + 1) || scrolls(element.parentElement)) continue;
      const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
      found.push(`${element.tagName.toLowerCase()} “${name}” lies from ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;
  });
