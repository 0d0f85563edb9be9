import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Locator, Page } from 'playwright-core';
import { assertFits, getTheme, getThemeSwitch, openSite, type OpenSite } from './openSite.ts';

const missing = missingTool('chromium');
const needs = { skip: missing };

let site: OpenSite;
before(async () => {
  if (missing === false) site = await openSite();
});
after(() => site?.close());

const getStored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test('the navbar contains Docs, API, search, versions, languages and the source', needs, () =>
  site.look('/', async (page) => {
    const navbar = page.getByRole('navigation', { name: 'Main' });
    await navbar.getByRole('link', { name: 'API', exact: true }).click();
    await page.waitForURL('**/api/');
    await navbar.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.waitForURL('**/docs/dev-guide/introduction');
    const source = navbar.getByRole('link', { name: /^Source/ });
    assert.equal(await source.getAttribute('href'), 'https://github.com/hearth-photos/hearth');
    await navbar.getByRole('button', { name: 'English' }).hover();
    assert.deepEqual(await navbar.locator('.dropdown__menu:visible').getByRole('link').allTextContents(), ['English']);
    await navbar.getByRole('button', { name: 'Next' }).hover();
    const versions = await navbar.locator('.dropdown__menu:visible').getByRole('link').allTextContents();
    assert.deepEqual(versions, ['Next', 'Changelog']);
    await navbar.getByPlaceholder('Search').waitFor();
  }),
);

test('the site is in English only', needs, () =>
  site.look('/docs/user-guide/introduction', async (page) => {
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    const languages = page.locator('link[rel=alternate][hreflang]');
    const names = await languages.evaluateAll((links) => links.map((link) => link.getAttribute('hreflang')));
    assert.deepEqual(names, ['en', 'x-default']);
  }),
);

test('the layout changes at 996 px from a mobile menu to the navbar', needs, async () => {
  for (const [width, isMobile] of [
    [996, true],
    [997, false],
  ] as const) {
    const look = async (page: Page): Promise<void> => {
      const toggle = page.getByRole('button', { name: 'Toggle navigation bar' });
      assert.equal(await toggle.isVisible(), isMobile, `${width}`);
      assert.equal(await page.locator('.theme-doc-sidebar-menu').isVisible(), !isMobile, `${width}`);
      assert.equal(await page.locator('.table-of-contents').isVisible(), !isMobile, `${width}`);
      await assertFits(page);
    };
    await site.look('/docs/user-guide/deployment', look, { width });
  }
});

test('the mobile sidebar opens, closes and links to pages', needs, () =>
  site.look(
    '/docs/user-guide/introduction',
    async (page) => {
      const open = page.locator('.navbar-sidebar--show');
      await page.getByRole('button', { name: 'Toggle navigation bar' }).click();
      await open.waitFor();
      await page.getByRole('button', { name: 'Close navigation bar' }).click();
      await open.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Toggle navigation bar' }).click();
      await page.locator('.navbar-sidebar').getByRole('link', { name: 'Installation' }).click();
      await page.waitForURL('**/docs/user-guide/installation');
    },
    { width: 360 },
  ),
);

test('the navbar hides on scroll down and returns on scroll up', needs, () =>
  site.look('/docs/dev-guide/glossary', async (page) => {
    const hidden = page.locator('nav.navbar[class*=navbarHidden]');
    await page.mouse.move(640, 400);
    assert.equal(await hidden.count(), 0);
    for (const _ of [1, 2, 3]) {
      const from = await page.evaluate(() => window.scrollY);
      await page.mouse.wheel(0, 400);
      await page.waitForFunction((y) => window.scrollY > y, from);
    }
    await hidden.waitFor({ state: 'attached' });
    await page.waitForFunction(() => document.querySelector('nav.navbar')!.getBoundingClientRect().bottom <= 0);
    await page.mouse.wheel(0, -300);
    await hidden.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelector('nav.navbar')!.getBoundingClientRect().top >= 0);
  }),
);

test('the announcement bar cannot be closed', needs, () =>
  site.look('/', async (page) => {
    const bar = page.locator('.theme-announcement-bar');
    await bar.waitFor();
    assert.equal(await bar.getByRole('button').count(), 0);
    await page.reload();
    await bar.waitFor();
    assert.equal(await getStored(page, 'docusaurus.announcement.dismiss'), 'false');
  }),
);

test('the announcement bar reappears when its id changes', needs, () =>
  site.look('/', async (page) => {
    await page.evaluate(() => {
      localStorage.setItem('docusaurus.announcement.id', 'an older one');
      localStorage.setItem('docusaurus.announcement.dismiss', 'true');
    });
    await page.reload({ waitUntil: 'networkidle' });
    assert.ok(await page.locator('.theme-announcement-bar').isVisible());
  }),
);

/** Returns the contrast of an element's text with its background, by WCAG 2. */
const getContrast = (element: Locator): Promise<number> =>
  element.evaluate((each) => {
    const style = getComputedStyle(each);
    const [text = 0, ground = 0] = [style.color, style.backgroundColor].map((color) => {
      const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((channel) => {
        const share = Number(channel) / 255;
        return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    });
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
  });

for (const theme of ['light', 'dark'] as const)
  test(`the announcement bar and secondary buttons are readable on a ${theme} page`, needs, () =>
    site.look('/', async (page) => {
      if (theme === 'dark') await getThemeSwitch(page).click();
      await page.waitForFunction(() => document.documentElement.dataset['hasHydrated'] === 'true');
      await page.evaluate(() => {
        const button = document.createElement('a');
        button.className = 'button button--secondary';
        button.textContent = 'A secondary button';
        document.body.append(button);
      });
      const button = page.getByText('A secondary button');
      for (const element of [page.locator('.theme-announcement-bar'), button])
        assert.ok((await getContrast(element)) >= 4.5, `${await getContrast(element)}`);
      await button.hover();
      await button.evaluate((each) => Promise.all(each.getAnimations().map((animation) => animation.finished)));
      assert.ok((await getContrast(button)) >= 4.5, `${await getContrast(button)} under the pointer`);
    }),
  );

test('Escape closes the dropdowns of the navbar', needs, () =>
  site.look('/', async (page) => {
    const navbar = page.getByRole('navigation', { name: 'Main' });
    const button = navbar.getByRole('button', { name: 'Next' });
    const menu = navbar.locator('.dropdown__menu:visible');
    await button.hover();
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    // Opens again under the pointer, and by keyboard.
    await page.mouse.move(0, 400);
    await button.hover();
    await menu.waitFor();
    await page.mouse.move(0, 400);
    await menu.waitFor({ state: 'detached' });
    await button.press('Enter');
    await menu.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    assert.ok(await button.evaluate((each) => each === document.activeElement));
    await page.keyboard.press('Enter');
    await menu.waitFor();
  }),
);

test('Escape closes the mobile sidebar', needs, () =>
  site.look(
    '/docs/user-guide/introduction',
    async (page) => {
      const open = page.locator('.navbar-sidebar--show');
      const toggle = page.getByRole('button', { name: 'Toggle navigation bar' });
      await toggle.click();
      await open.waitFor();
      await page.keyboard.press('Escape');
      await open.waitFor({ state: 'detached' });
      assert.ok(await toggle.evaluate((each) => each === document.activeElement));
    },
    { width: 360 },
  ),
);

test('the footer is a copyright line without links', needs, () =>
  site.look('/docs/user-guide/introduction', async (page) => {
    const footer = page.getByRole('contentinfo');
    assert.match((await footer.textContent()) ?? '', /^Copyright © 20\d\d /);
    assert.equal(await footer.getByRole('link').count(), 0);
  }),
);

test('the theme is light by default in every system theme, and the switch is stored', needs, () =>
  site.look(
    '/',
    async (page) => {
      assert.equal(await getTheme(page), 'light');
      await getThemeSwitch(page).click();
      assert.equal(await getTheme(page), 'dark');
      assert.equal(await getStored(page, 'theme'), 'dark');
      await page.reload({ waitUntil: 'networkidle' });
      assert.equal(await getTheme(page), 'dark');
      await getThemeSwitch(page).click();
      assert.equal(await getTheme(page), 'light');
    },
    { theme: 'dark' },
  ),
);

test('the preferred version is kept in local storage', needs, () =>
  site.look('/docs/user-guide/introduction', async (page) => {
    const navbar = page.getByRole('navigation', { name: 'Main' });
    await navbar.getByRole('button', { name: 'Next' }).hover();
    assert.equal(await getStored(page, 'docs-preferred-version-default'), null);
    await navbar.locator('.dropdown__menu:visible').getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/docs/user-guide/introduction');
    assert.equal(await getStored(page, 'docs-preferred-version-default'), 'current');
  }),
);

test('the table of contents lists headings of levels 2 and 3 only', needs, () =>
  site.look('/markdown-page', async (page) => {
    const headings = await page.locator('main :is(h2, h3)').evaluateAll((all) => all.map((each) => `#${each.id}`));
    const links = page.locator('.table-of-contents a');
    assert.deepEqual(await links.evaluateAll((all) => all.map((each) => each.getAttribute('href'))), headings);
    assert.ok((await page.locator('main h4').count()) > 0);
  }),
);
