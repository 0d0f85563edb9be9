import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import type { Visit, VisitOptions } from '../../services/web/e2e/testing/visit.ts';
import { openSite, type OpenSite } from './openSite.ts';

const missing = missingTool('chromium');
const needs = { skip: missing };

let site: OpenSite;
before(async () => {
  if (missing === false) site = await openSite();
});
after(() => site?.close());

/** How long something on a page may take, on a busy machine: its files come from this one. */
const patienceMs = 60_000;

/** Visits a page; what goes wrong on it fails the test. */
const visiting = async (path: string, look: (page: Page, visit: Visit) => Promise<void>, options?: VisitOptions) => {
  const visit = await site.visit(options);
  visit.context.setDefaultTimeout(patienceMs);
  await visit.page.goto(path, { waitUntil: 'networkidle' });
  await look(visit.page, visit);
  await visit.end();
};

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme']);
/** By how many pixels a page is wider than its window. */
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test('the root of the documentation opens user-guide/introduction', needs, () =>
  visiting('/docs', async (page) => {
    await page.waitForURL('**/docs/user-guide/introduction');
    await page.getByRole('heading', { level: 1, name: 'Introduction' }).waitFor();
  }),
);

test('the not-found page is shown for any other path', needs, () =>
  visiting('/nothing', async (page, visit) => {
    visit.expect(/404/);
    await page.getByRole('heading', { name: 'Page Not Found' }).waitFor();
  }),
);

test('the navbar has Docs, API, a locale dropdown, the source, a version dropdown and a search slot', needs, () =>
  visiting('/', async (page) => {
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

test('the pictures of the design are drawn, in the colours of the page, and say in words what they show', needs, () =>
  visiting('/docs/dev-guide/design-document', async (page) => {
    for (const theme of ['light', 'dark']) {
      const pictures = page.locator('main .chart img:visible');
      assert.equal(await pictures.count(), 4);
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await picture.evaluate((image: HTMLImageElement) => image.decode());
        assert.match((await picture.getAttribute('alt')) ?? '', /\w+ \w+ \w+/);
        assert.match((await picture.getAttribute('src')) ?? '', new RegExp(`-${theme}-|^data:`));
      }
      await page.getByRole('button', { name: /Switch between dark and light mode/ }).click();
    }
  }),
);

test('pictures of the app are light on a light page and dark on a dark one', needs, () =>
  visiting('/docs/user-guide/features/people', async (page) => {
    const picture = page.locator('main .guidePicture:visible');
    assert.match((await picture.getAttribute('src')) ?? '', /people-light/);
    await page.getByRole('button', { name: /Switch between dark and light mode/ }).click();
    assert.match((await picture.getAttribute('src')) ?? '', /people-dark/);
  }),
);

test('the site is in English only', needs, () =>
  visiting('/docs/user-guide/introduction', async (page) => {
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    const languages = page.locator('link[rel=alternate][hreflang]');
    const names = await languages.evaluateAll((links) => links.map((link) => link.getAttribute('hreflang')));
    assert.deepEqual(names, ['en', 'x-default']);
  }),
);

test('the layout changes at 996 px: a menu for phones up to there, the navbar beyond', needs, async () => {
  for (const [width, isMobile] of [
    [360, true],
    [996, true],
    [997, false],
    [1440, false],
  ] as const) {
    const look = async (page: Page): Promise<void> => {
      const toggle = page.getByRole('button', { name: 'Toggle navigation bar' });
      assert.equal(await toggle.isVisible(), isMobile, `${width}`);
      assert.equal(await page.locator('.theme-doc-sidebar-menu').isVisible(), !isMobile, `${width}`);
      assert.equal(await page.locator('.table-of-contents').isVisible(), !isMobile, `${width}`);
      assert.equal(await overflowOf(page), 0, `${width}`);
    };
    await visiting('/docs/user-guide/deployment', look, { width });
  }
});

test('the mobile sidebar is opened and closed, and leads to pages', needs, () =>
  visiting(
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

test('the navbar is hidden on scroll down and shown on scroll up', needs, () =>
  visiting('/docs/dev-guide/glossary', async (page) => {
    const hidden = page.locator('nav.navbar[class*=navbarHidden]');
    await page.mouse.move(640, 400);
    assert.equal(await hidden.count(), 0);
    for (const _ of [1, 2, 3]) {
      const before = await page.evaluate(() => window.scrollY);
      await page.mouse.wheel(0, 400);
      await page.waitForFunction((from) => window.scrollY > from, before);
    }
    await hidden.waitFor({ state: 'attached' });
    await page.waitForFunction(() => document.querySelector('nav.navbar')!.getBoundingClientRect().bottom <= 0);
    await page.mouse.wheel(0, -300);
    await hidden.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelector('nav.navbar')!.getBoundingClientRect().top >= 0);
  }),
);

test('the announcement bar is shown and cannot be closed', needs, () =>
  visiting('/', async (page) => {
    const bar = page.locator('.theme-announcement-bar');
    await bar.waitFor();
    assert.match((await bar.textContent()) ?? '', /keep a second copy/);
    assert.equal(await bar.getByRole('button').count(), 0);
    await page.reload();
    await bar.waitFor();
    assert.equal(await stored(page, 'docusaurus.announcement.dismiss'), 'false');
  }),
);

test('the footer is a copyright line without links', needs, () =>
  visiting('/docs/user-guide/introduction', async (page) => {
    const footer = page.getByRole('contentinfo');
    assert.match((await footer.textContent()) ?? '', /^Copyright © 20\d\d /);
    assert.equal(await footer.getByRole('link').count(), 0);
  }),
);

test('it is light by default, whatever the system prefers; the switch makes it dark, and that is kept', needs, () =>
  visiting(
    '/',
    async (page) => {
      assert.equal(await themeOf(page), 'light');
      const toggle = page.getByRole('button', { name: /Switch between dark and light mode/ });
      await toggle.click();
      assert.equal(await themeOf(page), 'dark');
      assert.equal(await stored(page, 'theme'), 'dark');
      await page.reload({ waitUntil: 'networkidle' });
      assert.equal(await themeOf(page), 'dark');
      await toggle.click();
      assert.equal(await themeOf(page), 'light');
    },
    { theme: 'dark' },
  ),
);

test('the preferred version is kept in local storage', needs, () =>
  visiting('/docs/user-guide/introduction', async (page) => {
    const navbar = page.getByRole('navigation', { name: 'Main' });
    await navbar.getByRole('button', { name: 'Next' }).hover();
    assert.equal(await stored(page, 'docs-preferred-version-default'), null);
    await navbar.locator('.dropdown__menu:visible').getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/docs/user-guide/introduction');
    assert.equal(await stored(page, 'docs-preferred-version-default'), 'current');
  }),
);

test('contents list headings of the levels 2 and 3, and no others', needs, () =>
  visiting('/markdown-page', async (page) => {
    const listed = await page.locator('.table-of-contents a').allTextContents();
    const headings = await page.locator('main :is(h2, h3)').evaluateAll((all) => all.map((each) => each.id));
    const links = await page
      .locator('.table-of-contents a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.deepEqual(
      links,
      headings.map((id) => `#${id}`),
    );
    assert.ok((await page.locator('main h4').count()) > 0);
    assert.ok(listed.length >= 4);
  }),
);

test('the search finds a page by its words, without another server', needs, () =>
  visiting('/', async (page) => {
    const box = page.getByPlaceholder('Search');
    await box.click();
    await box.pressSequentially('visitors of an album');
    await page.getByText('What visitors of a shared album get').last().click();
    await page.waitForURL('**/docs/decisions/2026-11-21-sharing**');
    await page.getByRole('heading', { level: 1, name: 'What visitors of a shared album get' }).waitFor();
  }),
);

test('the reference shows examples in curl and TypeScript, and asks no other origin', needs, () =>
  visiting('/api/', async (page) => {
    await page.getByRole('tab', { name: 'TypeScript' }).first().click();
    await page.getByText('const response = await fetch(').first().waitFor();
    await page.getByRole('tab', { name: 'curl' }).first().click();
    await page.getByText('curl --fail-with-body').first().waitFor();
  }),
);
