import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { assertAccessible } from '@hearth/web/e2e/testing/browserSession.ts';
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
const maxResults = 2;

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
          assert.equal(await visit.page.locator('meta[http-equiv=Content-Security-Policy]').count(), 1, path);
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
      // Split, because a test may take at most 300 s. One part takes about 75 s.
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

for (const [from, to, title] of [
  ['/docs', '/docs/user-guide/introduction', 'Introduction'],
  ['/docs/user-guide/introduction.html', '/docs/user-guide/introduction', 'Introduction'],
  ['/docs/dev-guide/introduction.html', '/docs/dev-guide/introduction', 'Introduction'],
  ['/docs/admin-guide/monitoring', '/docs/user-guide/monitoring', 'Monitoring'],
] as const)
  test(`${from} redirects to ${to}`, needs, () =>
    site.look(from, async (page) => {
      await page.waitForURL(`**${to}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }),
  );

for (const [path, title, item] of [
  ['/docs/user-guide', 'User guide', 'Installation'],
  ['/docs/user-guide/features', 'Features', 'Albums'],
  ['/docs/dev-guide', 'Developer guide', 'Contribution'],
] as const)
  test(`${path} is an index of its pages`, needs, () =>
    site.look(path, async (page) => {
      const main = page.getByRole('main');
      await main.getByRole('heading', { level: 1, name: title }).waitFor();
      await main.locator('article').getByRole('link', { name: item }).first().click();
      await page.waitForURL(`**${path}/${item.toLowerCase()}`);
    }),
  );

for (const path of ['/nothing', '/docs/nothing', '/docs/user-guide/features/nothing', '/api/nothing'])
  test(`the not-found page of ${path} has a search and links`, needs, () =>
    site.look(path, async (page, visit) => {
      visit.expect(/404/);
      const main = page.getByRole('main');
      await main.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      await page.waitForFunction(() => document.title.startsWith('Page not found'));
      const links = await main
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
      for (const link of links.filter((each) => each.startsWith(site.url)))
        assert.equal((await page.request.get(link)).status(), 200, link);
      assert.ok(links.length >= 4);
      await main.getByRole('searchbox').fill('reset password');
      await main.getByRole('button', { name: 'Search' }).click();
      await page.waitForURL('**/search**');
      const first = page.locator('article h2 a').first();
      assert.match((await first.getAttribute('href')) ?? '', /^\/docs\/user-guide\/features\/users\b/);
    }),
  );

test('pages link to their source and state their last change', needs, () =>
  site.look('/docs/user-guide/features/albums', async (page) => {
    const edit = page.getByRole('link', { name: 'Edit this page' });
    const source = 'https://github.com/hearth-photos/hearth/edit/main/docs/docs/user-guide/features/albums.md';
    assert.equal(await edit.getAttribute('href'), source);
    assert.match((await page.locator('.theme-last-updated time').textContent()) ?? '', /20\d\d/);
  }),
);

test('robots.txt names a sitemap without the search page', needs, async () => {
  const robots = readFileSync(join(site.folder, 'robots.txt'), 'utf8');
  assert.match(robots, /^Sitemap: https:\/\/docs\.hearth\.photos\/sitemap\.xml$/m);
  assert.ok(listPages().length > 50);
  assert.ok(!listPages().includes('/search'));
});

for (const width of [360, 1_440])
  for (const path of ['/docs/dev-guide/design-document', '/docs/dev-guide/database'])
    test(`diagrams of ${path} fit their column at ${width} px`, needs, () =>
      site.look(
        path,
        async (page) => {
          const diagrams = page.locator('main img[src*="-light-"]');
          assert.ok((await diagrams.count()) > 0);
          for (const diagram of await diagrams.all()) {
            const fits = await diagram.evaluate((image) => {
              const column = image.closest('.markdown')!.getBoundingClientRect();
              const box = image.getBoundingClientRect();
              return box.left >= column.left && box.right <= column.right + 0.5 && box.width > 0;
            });
            assert.ok(fits, (await diagram.getAttribute('src')) ?? '');
          }
        },
        { width },
      ),
    );

for (const [path, picture] of [
  ['/docs/dev-guide/design-document', 'main img.diagram:visible'],
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
    const box = page.getByRole('navigation', { name: 'Main' }).getByPlaceholder('Search');
    await box.click();
    await box.pressSequentially('photo and video formats');
    await page.getByText('Photo and video formats').last().click();
    await page.waitForURL('**/docs/dev-guide/photo-formats**');
    await page.getByRole('heading', { level: 1, name: 'Photo and video formats' }).waitFor();
  }),
);

test('search results are pages of the guides that contain any of the words, each once', needs, () =>
  site.look('/search?q=database+decision+nosuchword', async (page) => {
    const links = page.locator('article h2 a');
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
    assert.equal(new Set(paths).size, paths.length);
    assert.ok(paths.some((path) => path.startsWith('/docs/dev-guide/')));
    assert.deepEqual(
      paths.filter((path) => /^\/docs\/decisions|^\/changelog/.test(path)),
      [],
    );
  }),
);

test(`the search lists the page that answers a question among its first ${maxResults} results`, needs, () =>
  site.look('/search', async (page) => {
    const misses: string[] = [];
    for (const [words, id] of Object.entries(questions)) {
      const box = page.getByRole('main').getByRole('searchbox');
      const count = page.getByText(/^(?:\d+ pages? found|No pages found)$/);
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
