import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { assertAccessible } from '@hearth/web/e2e/testing/visit.ts';
import { assertFits, getTheme, getThemeSwitch, openSite, type OpenSite } from './openSite.ts';
import questions from './questions.json' with { type: 'json' };

/** Pages that the specification requires. */
const specified = [
  '/',
  '/api/',
  '/markdown-page',
  ...['contribution', 'design-document', 'environment', 'folder-structure', 'introduction', 'notes', 'roadmap'].map(
    (name) => `/docs/dev-guide/${name}`,
  ),
  ...['deployment', 'installation', 'introduction'].map((name) => `/docs/user-guide/${name}`),
  ...['albums', 'explore', 'library', 'metadata', 'people', 'places', 'search', 'things', 'users'].map(
    (name) => `/docs/user-guide/features/${name}`,
  ),
];

/** Maximum size of a first visit in compressed bytes. */
const maxBytes = 300_000;

/** The search must list the page that answers a question among this many results. */
const maxResults = 5;

/** Number of tests into which the pages of one theme are split. */
const parts = 4;

const missing = missingTool('chromium');
const needs = { skip: missing };

let site: OpenSite;
before(async () => {
  if (missing === false) site = await openSite();
});
after(() => site?.close());

/** Lists the pages of the sitemap, except released versions and the redirect at the root of the documentation. */
const listPages = (): readonly string[] =>
  [...readFileSync(join(site.folder, 'sitemap.xml'), 'utf8').matchAll(/<loc>https:\/\/[^/]+([^<]*)<\/loc>/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/^\/docs(?:\/\d|$)/.test(path));

// Without a GPU, Chromium renders on the CPU: two pages at a time use both cores.
suite(
  'pages have a title and text, fit the window, and log no errors; axe finds nothing',
  { ...needs, concurrency: 2 },
  () => {
    for (const [theme, width] of [
      ['light', 1_440],
      ['dark', 360],
    ] as const) {
      const walk = async (paths: readonly string[], isAudited: (path: string) => boolean): Promise<void> => {
        const visit = await site.visit({ width });
        await visit.context.addInitScript((name) => localStorage.setItem('theme', name), theme);
        for (const path of paths) {
          const response = await visit.page.goto(path, { waitUntil: 'load' });
          assert.equal(response?.status(), 200, path);
          await visit.page.waitForFunction(() => document.documentElement.dataset['hasHydrated'] === 'true');
          await visit.page.getByRole('heading', { level: 1 }).first().waitFor();
          assert.equal(await getTheme(visit.page), theme);
          await assertFits(visit.page);
          const text = await visit.page.getByRole('main').innerText();
          assert.doesNotMatch(text, /coming soon|lorem ipsum|to be written/i, path);
          if (!isAudited(path)) continue;
          await assertAccessible(visit.page);
        }
        await visit.end();
      };
      /** Returns half of the remaining pages. The other theme covers the other half. */
      const listOthers = (): readonly string[] =>
        listPages().filter((path, index) => !specified.includes(path) && (index % 2 === 0) === (theme === 'light'));
      // Split, because a test may take 300 s. One part takes a quarter of that here.
      for (const part of Array.from({ length: parts }, (_, index) => index)) {
        const takePart = (paths: readonly string[]): readonly string[] => paths.filter((_, at) => at % parts === part);
        const name = `${theme}, ${width} px (${part + 1} of ${parts})`;
        test(`specified pages, ${name}`, () => walk(takePart(specified), () => true));
        test(`half of the other pages, ${name}`, () =>
          walk(takePart(listOthers()), (path) => !/\/(?:decisions|alerts)\/|^\/(?:changelog|api\/)/.test(path)));
      }
    }
  },
);

for (const path of ['/', '/docs/user-guide/introduction', '/api/'])
  test(`a first visit of ${path} loads at most ${maxBytes / 1_000} kB`, needs, async () => {
    const visit = await site.visit();
    const sizes: Promise<number>[] = [];
    visit.page.on('response', (response) => {
      if (response.request().headers()['sec-purpose'] !== 'prefetch')
        sizes.push(response.body().then((body) => gzipSync(body).length));
    });
    await visit.page.goto(path, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 50_000 && bytes <= maxBytes, `${bytes} bytes`);
    await visit.end();
  });

test('the root of the documentation redirects to user-guide/introduction', needs, () =>
  site.look('/docs', async (page) => {
    await page.waitForURL('**/docs/user-guide/introduction');
    await page.getByRole('heading', { level: 1, name: 'Introduction' }).waitFor();
  }),
);

test('unknown paths show the not-found page', needs, async () => {
  for (const path of ['/nothing', '/docs/user-guide/features/nothing', '/api/nothing'])
    await site.look(path, async (page, visit) => {
      visit.expect(/404/);
      await page.getByRole('heading', { name: 'Page Not Found' }).waitFor();
    });
});

for (const [path, picture] of [
  ['/docs/dev-guide/design-document', 'main .chart img:visible'],
  ['/docs/dev-guide/benchmarks', 'main .chart img:visible'],
  ['/docs/user-guide/features/people', 'main .guidePicture:visible'],
] as const)
  test(`shows light pictures on a light page and dark ones on a dark page: ${path}`, needs, () =>
    site.look(path, async (page) => {
      for (const theme of ['light', 'dark']) {
        for (const image of await page.locator(picture).all()) {
          await image.scrollIntoViewIfNeeded();
          await image.evaluate((element: HTMLImageElement) => element.decode());
          assert.match((await image.getAttribute('src')) ?? '', new RegExp(`-${theme}-|^data:`));
        }
        await getThemeSwitch(page).click();
      }
    }),
  );

test('the search in the navbar finds a page by its text', needs, () =>
  site.look('/', async (page) => {
    const box = page.getByPlaceholder('Search');
    await box.click();
    await box.pressSequentially('photo and video formats');
    await page.getByText('Photo and video formats').last().click();
    await page.waitForURL('**/docs/dev-guide/photo-formats**');
    await page.getByRole('heading', { level: 1, name: 'Photo and video formats' }).waitFor();
  }),
);

test(`the search lists the page that answers a question among its first ${maxResults} results`, needs, () =>
  site.look('/search', async (page) => {
    const misses: string[] = [];
    for (const [words, id] of Object.entries(questions)) {
      const box = page.getByRole('main').getByRole('searchbox');
      const count = page.getByText(/^(?:\d+ documents? found|No documents were found)$/);
      await box.fill('');
      await count.waitFor({ state: 'detached' });
      await box.fill(words);
      await count.waitFor();
      const found = await page
        .locator('article h2 a')
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname.replace(/\/$/, '')));
      if (!found.slice(0, maxResults).includes(`/docs/${id}`)) misses.push(`${words} → ${id}: ${found.join(' ')}`);
    }
    assert.deepEqual(misses, [], 'add the words to docs/keywords.json');
  }),
);
