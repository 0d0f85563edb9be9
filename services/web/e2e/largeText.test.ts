import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { listPaths } from './testing/visit.ts';
import { openHome, type Home } from './testing/openHome.ts';
import type { Person } from './testing/person.ts';
import { dialogOf, pictures, waitForCount } from './testing/steps.ts';
import deAdmin from '../src/locales/de/admin.json' with { type: 'json' };
import deAlbums from '../src/locales/de/albums.json' with { type: 'json' };
import deSession from '../src/locales/de/session.json' with { type: 'json' };
import deViewer from '../src/locales/de/viewer.json' with { type: 'json' };
import enAdmin from '../src/locales/en/admin.json' with { type: 'json' };
import enAlbums from '../src/locales/en/albums.json' with { type: 'json' };
import enSession from '../src/locales/en/session.json' with { type: 'json' };
import enViewer from '../src/locales/en/viewer.json' with { type: 'json' };

/*
 * Text at 200 % on small phones: no page may be wider than the screen, and every control must be on it. Includes
 * German, because its words are longer.
 */

const en = { admin: enAdmin, albums: enAlbums, session: enSession, viewer: enViewer };
const de: typeof en = { admin: deAdmin, albums: deAlbums, session: deSession, viewer: deViewer };

const phones = [
  { width: 320, locale: 'en-US', messages: en },
  { width: 360, locale: 'en-US', messages: en },
  { width: 360, locale: 'de-DE', messages: de },
] as const;

suite('text at 200 %, in Chromium', { skip: missingTool('chromium') }, () => {
  let home: Home;
  let person: Person;
  let albumId: string;
  let shareId: string;
  before(async () => {
    home = await openHome();
    person = await home.addPerson();
    await person.store(await makePhotos(3));
    ({ albumId, shareId } = await person.makeAlbum('At the lake with grandmother'));
  });
  after(() => home?.close());

  for (const { width, locale, messages } of phones) {
    test(`${width} pixels wide, ${locale}`, async () => {
      const visit = await home.visit({ width, locale, textPercent: 200 });
      const { session, viewer, albums, admin } = messages;
      const { page } = visit;
      const wrong: string[] = [];
      const look = async (name: string): Promise<void> => {
        for (const problem of await besideTheScreen(page)) wrong.push(`${name}: ${problem}`);
      };
      await page.goto('/');
      const sendSignIn = async ({ username, password }: Pick<Person, 'username' | 'password'>): Promise<void> => {
        await page.getByLabel(session.username).fill(username);
        await page.getByLabel(session.password, { exact: true }).fill(password);
        await page.getByRole('button', { name: session.signIn }).click();
      };
      await page.getByLabel(session.username).waitFor();
      await look('sign-in');
      await sendSignIn(person);
      await waitForCount(pictures(page), 3);
      await look('photos');
      await pictures(page).first().click();
      await dialogOf(page).getByRole('img').first().waitFor();
      await look('viewer');
      await page.keyboard.press('i');
      await page.getByRole('textbox', { name: viewer.info.description }).waitFor();
      await look('information');
      const paths = await listPaths(page);
      assert.ok(paths.includes('/albums'), paths.join());
      for (const path of [
        ...paths,
        '/search?q=june%202022',
        '/search?q=narwhal',
        `/albums/${albumId}`,
        `/s/${shareId}`,
        '/nowhere',
      ]) {
        await page.goto(path);
        await page.getByRole('heading').first().waitFor();
        await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
        await look(path);
      }
      await page.goto(`/albums/${albumId}`);
      await page.getByRole('button', { name: albums.shared, exact: true }).click();
      await page.getByRole('switch', { name: albums.share.switch }).waitFor();
      await look('sharing');
      await page.goto('/admin');
      await page.getByRole('heading', { name: admin.title }).waitFor();
      await look('admin sign-in');
      await sendSignIn(home.admin);
      await page.getByRole('button', { name: admin.changeOf.replace('{{name}}', person.username) }).waitFor();
      await look('admin');
      await page.getByRole('button', { name: admin.create }).click();
      await dialogOf(page).getByRole('textbox', { name: admin.password }).waitFor();
      await look('adding a person');
      await visit.end();
      assert.deepEqual(wrong, []);
    });
  }
});

/** Lists elements outside of the screen. Ignores containers that scroll sideways themselves, such as a row of chips. */
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
