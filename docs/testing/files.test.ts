import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { builtSite, type BuiltSite } from '../../scripts/site/builtSite.ts';
import { createSiteDocument } from '../../scripts/site/siteDocument.ts';
import { serveSite } from '../../scripts/site/serveSite.ts';
import { docsRoutes, otherRoutes } from './routes.ts';

let site: BuiltSite;
let server: Awaited<ReturnType<typeof serveSite>>;

before(async () => {
  site = await builtSite();
  server = await serveSite(site.folder);
});
after(() => server.stop());

const textOf = (html: string): string =>
  html
    .replaceAll(/<wbr\/?>/g, '')
    .replaceAll(/<(script|style)\b[^]*?<\/\1>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const readHtml = (route: string): string => readFileSync(join(site.folder, route, 'index.html'), 'utf8');

/** Every page that was built, as its path below the folder. */
const builtPages = (): string[] =>
  globSync('**/index.html', { cwd: site.folder }).map((file) => `/${file.replace(/\/?index\.html$/, '')}`);

test('the build takes two minutes of one processor at most, and warns of no link and no anchor', () => {
  assert.ok((site.processorSeconds ?? 0) <= 120, `${site.processorSeconds} s`);
  assert.doesNotMatch(site.output, /\[(WARNING|ERROR)\]|broken/i);
});

test('every page of the specification under /docs is there, with a heading and text', async () => {
  assert.equal(docsRoutes.length, 19);
  for (const route of docsRoutes) {
    const response = await fetch(`${server.url}${route}`);
    assert.equal(response.status, 200, route);
    const [, article = ''] = /<article>([^]*)<\/article>/.exec(await response.text()) ?? [];
    assert.match(article, /<h1/, route);
    assert.ok(textOf(article).length > 500, `${route} says hardly anything`);
    assert.doesNotMatch(textOf(article), /coming soon|lorem ipsum|to be written/i, route);
  }
});

test('home, API reference and Markdown page are there', async () => {
  for (const [route, heading] of Object.entries(otherRoutes)) {
    const response = await fetch(`${server.url}${route}`);
    assert.equal(response.status, 200, route);
    const [, title = ''] = /<h1[^>]*>([^]*?)<\/h1>/.exec(await response.text()) ?? [];
    assert.ok(textOf(title).includes(heading), `${route}: ${title}`);
  }
});

test('any other path is the not-found page', async () => {
  for (const path of ['/nothing', '/docs/nothing', '/docs/user-guide/features/nothing', '/api/nothing']) {
    const response = await fetch(`${server.url}${path}`);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /Page Not Found/, path);
  }
});

test('every page of docs/docs is on the site, and every decision in the sidebar', () => {
  const pages = globSync('docs/**/*.md', { cwd: join(import.meta.dirname, '..') });
  assert.ok(pages.length > 100);
  for (const page of pages) {
    const route = `/${page.replace(/(\/README)?\.md$/, '')}`;
    assert.ok(existsSync(join(site.folder, route, 'index.html')), route);
  }
  const index = readHtml('/docs/decisions');
  for (const page of pages.filter((path) => path.startsWith('docs/decisions/2'))) {
    assert.match(index, new RegExp(`href="?/docs/decisions/${page.slice(15, -3)}[" >]`), page);
  }
});

test('the reference is made of the document that the server answers, with an example of every route in curl and TypeScript', () => {
  const answered = createOpenApiDocument({ version: apiVersion });
  const document = createSiteDocument();
  const samples: { lang: string; source: string }[][] = [];
  const bare = JSON.parse(JSON.stringify(document), (name, value: unknown) => {
    if (name !== 'x-codeSamples') return value;
    samples.push(value as (typeof samples)[number]);
    return undefined;
  }) as typeof answered;
  const [description = ''] = (document.info.description ?? '').split('\n\n## Examples');
  assert.deepEqual({ ...bare, info: { ...bare.info, description } }, JSON.parse(JSON.stringify(answered)));
  const operations = Object.values(answered.paths ?? {}).flatMap((path) => Object.values(path));
  assert.equal(samples.length, operations.length);
  for (const each of samples)
    assert.deepEqual(
      each.map(({ lang }) => lang),
      ['Shell', 'TypeScript'],
    );
  const page = textOf(readHtml('/api'));
  for (const { summary = '' } of operations as { summary?: string }[]) assert.ok(page.includes(summary), summary);
});

test('the reference says the constants of the specification: version, port, pages of 15, albums by name, types, categories, errors', () => {
  const page = textOf(readHtml('/api'));
  assert.equal(apiVersion, '25.09.30');
  for (const said of [
    'Hearth API 25.09.30',
    'http://127.0.0.1:5001',
    'Which page, counted from 1. 1 at least. 1 unless given.',
    'How many on a page. 1 to 200. 15 unless given.',
    'with - the last comes first. name unless given.',
    'UNKNOWN , PHOTO , VIDEO',
    'DEFAULT , SCREENSHOT , PANORAMA , SLOW , MOTION , LIVE , TIMELAPSE',
    'METADATA , PREVIEW_THUMBNAIL , PLACES , CLASSIFICATION , FACES , OCR , SEARCH',
    'SCHEDULED , RUNNING , PAUSED , COMPLETED , STOPPED',
  ])
    assert.ok(page.includes(said), said);
  for (const status of [200, 201, 204, 400, 401, 404, 409, 500])
    assert.match(page, new RegExp(` ${status} `), `${status}`);
});

test('the sitemap has every page', () => {
  const sitemap = readFileSync(join(site.folder, 'sitemap.xml'), 'utf8');
  const missing = builtPages().filter(
    (page) => !new RegExp(`<loc>https://docs.hearth.photos${page}/?</loc>`).test(sitemap),
  );
  assert.deepEqual(missing, []);
});

test('every page has a card of its own, or that of the site, of 1200 by 630 pixels', () => {
  for (const page of builtPages()) {
    const [, card = ''] =
      /og:image" ?content="?https:\/\/docs\.hearth\.photos(\/img\/cards\/[^" >]+)/.exec(
        readHtml(page).replaceAll(/property="?og:image"?/g, 'og:image"'),
      ) ?? [];
    const png = readFileSync(join(site.folder, card));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1_200, 630], `${page}: ${card}`);
    const isOfPage = page.startsWith('/docs/');
    assert.equal(card.endsWith('/home.png'), !isOfPage, `${page}: ${card}`);
  }
});

test('no page names a script, style, picture or frame of another origin', () => {
  for (const page of builtPages()) {
    const named =
      readHtml(page).match(
        /<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc="?https?:[^>]*>|<link\b[^>]*https?:[^>]*>/g,
      ) ?? [];
    assert.deepEqual(
      named.filter((tag) => !/rel="?(?:canonical|alternate)\b/.test(tag)),
      [],
      page,
    );
  }
  const styles = globSync('assets/css/*.css', { cwd: site.folder });
  for (const style of styles) assert.doesNotMatch(readFileSync(join(site.folder, style), 'utf8'), /url\(['"]?https?:/);
});
