import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { listPaths } from './testing/browserSession.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser } from './testing/testUser.ts';
import { getDialog, getPictures, waitForCount } from './testing/steps.ts';
import deAdmin from '../src/locales/de/admin.json' with { type: 'json' };
import deAlbums from '../src/locales/de/albums.json' with { type: 'json' };
import deSession from '../src/locales/de/session.json' with { type: 'json' };
import deViewer from '../src/locales/de/viewer.json' with { type: 'json' };
import enAdmin from '../src/locales/en/admin.json' with { type: 'json' };
import enAlbums from '../src/locales/en/albums.json' with { type: 'json' };
import enSession from '../src/locales/en/session.json' with { type: 'json' };
import enViewer from '../src/locales/en/viewer.json' with { type: 'json' };

/*
 * Text at 200 % on small phones: no page may be wider than the screen, and no control may extend beyond it. Includes
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
  let testContext: TestContext;
  let user: TestUser;
  let albumId: string;
  let shareId: string;
  before(async () => {
    testContext = await startTestContext();
    user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(3));
    ({ albumId, shareId } = await user.createAlbum('At the lake with grandmother'));
  });
  after(() => testContext?.close());

  for (const { width, locale, messages } of phones) {
    test(`${width} pixels wide, ${locale}`, async () => {
      const visit = await testContext.openSession({ width, locale, textPercent: 200 });
      const { session, viewer, albums, admin } = messages;
      const { page } = visit;
      const overflowing: string[] = [];
      const checkOverflow = async (name: string): Promise<void> => {
        for (const problem of await findOverflow(page)) overflowing.push(`${name}: ${problem}`);
      };
      await page.goto('/');
      const sendSignIn = async ({ username, password }: Pick<TestUser, 'username' | 'password'>): Promise<void> => {
        await page.getByLabel(session.username).fill(username);
        await page.getByLabel(session.password, { exact: true }).fill(password);
        await page.getByRole('button', { name: session.signIn }).click();
      };
      await page.getByLabel(session.username).waitFor();
      await checkOverflow('sign-in');
      await sendSignIn(user);
      await waitForCount(getPictures(page), 3);
      await checkOverflow('photos');
      await getPictures(page).first().click();
      await getDialog(page).getByRole('img').first().waitFor();
      await checkOverflow('viewer');
      await page.keyboard.press('i');
      await page.getByRole('textbox', { name: viewer.info.description }).waitFor();
      await checkOverflow('information');
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
        await checkOverflow(path);
      }
      await page.goto(`/albums/${albumId}`);
      await page.getByRole('button', { name: albums.shared, exact: true }).click();
      await page.getByRole('switch', { name: albums.share.switch }).waitFor();
      await checkOverflow('sharing');
      await page.goto('/admin');
      await page.getByRole('heading', { name: admin.title }).waitFor();
      await checkOverflow('admin sign-in');
      await sendSignIn(testContext.admin);
      await page.getByRole('button', { name: admin.changeOf.replace('{{name}}', user.username) }).waitFor();
      await checkOverflow('admin');
      await page.getByRole('button', { name: admin.create }).click();
      await getDialog(page).getByRole('textbox', { name: admin.password }).waitFor();
      await checkOverflow('add user');
      await visit.end();
      assert.deepEqual(overflowing, []);
    });
  }
});

/** Lists elements that extend beyond the screen. Ignores those in containers that scroll sideways, such as a row of chips. */
const findOverflow = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== document.documentElement &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const found: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} pixels wide`);
    const selector = 'a, button, input, textarea, select, [role=switch], h1, h2, h3, p, li, label, dt, dd, span';
    for (const element of document.querySelectorAll(selector)) {
      const { left, right, width, height } = element.getBoundingClientRect();
      const isVisible =
        width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!isVisible || (left >= -1 && right <= innerWidth + 1) || scrolls(element.parentElement)) continue;
      const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
      found.push(`${element.tagName.toLowerCase()} “${name}” lies from ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;
  });
