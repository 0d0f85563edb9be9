import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import {
  assertClean,
  countShifts,
  everyPage,
  loadedBytes,
  lookAt,
  mostBytes,
  mostShift,
  readShift,
  widths,
} from './lookAtPage.ts';
import type { Look } from './lookAtPage.ts';
import { openSite, type OpenSite } from './openSite.ts';

/*
 * npm run docs:look -- --out FOLDER [--only PATTERN] [--width PIXELS]: opens every page of the built site in each window and each colour, as somebody who was never there,
 * and has axe read all of it; what is wrong is listed at the end, and how each page looks lies in the folder. It takes about an hour of a processor:
 * the tests look at every page in some of these windows and colours only.
 */
const { values } = parseArgs({
  options: { out: { type: 'string' }, only: { type: 'string', default: '' }, width: { type: 'string' } },
});
if (values.out === undefined)
  throw new Error('Name the folder that takes the pictures: npm run docs:look -- --out FOLDER');
const out = resolve(values.out);

/** Elements of a page, above which axe reads it chapter by chapter: it takes longer than the sum of its parts. */
const mostElements = 6_000;

/** Pixels of a picture of a page from top to bottom: Chromium draws no more than 16,384 at once. */
const pictureHeight = 8_000;

/** Milliseconds for something on a page, on a busy machine. */
const patienceMs = 120_000;

const lookCompletely = async (site: OpenSite, path: string, look: Look): Promise<readonly string[]> => {
  const found: string[] = [];
  const keep = (check: Promise<unknown>): Promise<void> =>
    check.then(
      () => undefined,
      (error: unknown) => void found.push(error instanceof Error ? error.message : String(error)),
    );
  const visit = await site.visit({ width: look.width });
  visit.context.setDefaultTimeout(patienceMs);
  await countShifts(visit.context);
  // An empty page of the origin, in whose storage the colour is kept: nothing of the site is in the cache yet.
  await visit.page.route('**/empty', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  );
  await visit.page.goto('/empty');
  await keep(lookAt(visit.page, path, look));
  await keep(assertSmall(visit.page, site.folder));
  await keep(scrollThrough(visit.page));
  await keep(assertCleanInParts(visit.page));
  await keep(takePictures(visit.page, look.width, join(out, nameOf(path, look))));
  await keep(visit.end());
  return found.map((message) => `${path}, ${look.width} pixels wide, ${look.theme}: ${message}`);
};

const nameOf = (path: string, { width, theme }: Look): string =>
  `${path.replaceAll('/', '_').replace(/^_$/, '_home')}-${width}-${theme}`;

const assertSmall = async (page: Page, folder: string): Promise<void> => {
  const bytes = await loadedBytes(page, folder);
  if (bytes > mostBytes) throw new Error(`a first visit loads ${bytes} bytes`);
};

/** Goes from the top to the end and back, so that what is loaded late is there. @throws where something moves meanwhile */
const scrollThrough = async (page: Page): Promise<void> => {
  await page.evaluate(async () => {
    const height = document.documentElement.scrollHeight;
    for (let top = 0; top < height; top += window.innerHeight) {
      window.scrollTo({ top, behavior: 'instant' });
      await new Promise((done) => requestAnimationFrame(done));
    }
    const images = [...document.images].filter((image) => image.checkVisibility());
    // One that was passed before it began to be loaded would be waited for without end.
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map((image) => image.decode()));
    window.scrollTo({ top: 0, behavior: 'instant' });
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  const shift = await readShift(page);
  if (shift >= mostShift) throw new Error(`moves by ${shift} while it is read`);
};

/** Has axe read the whole page, a long one chapter by chapter: the frame around its text first, then each heading with what follows. */
const assertCleanInParts = async (page: Page): Promise<void> => {
  const chapters = await page.evaluate((most) => {
    if (document.getElementsByTagName('*').length <= most) return 0;
    let count = 0;
    for (const element of document.querySelector('main h2')?.parentElement?.children ?? []) {
      if (/^H[12]$/.test(element.tagName) || element.querySelector(':scope > h1') !== null) count += 1;
      element.setAttribute('data-chapter', String(count));
    }
    return count;
  }, mostElements);
  await assertClean(page, chapters === 0 ? {} : { without: '[data-chapter]' });
  for (let chapter = 1; chapter <= chapters; chapter += 1)
    await assertClean(page, { within: `[data-chapter="${chapter}"]` });
};

/** Draws the page as in a very high window, in which each part of it is drawn once. */
const takePictures = async (page: Page, width: number, name: string): Promise<void> => {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.min(pictureHeight, height) });
  for (let top = 0, part = 1; top < height; top += pictureHeight, part += 1) {
    await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
    await page.screenshot({ path: `${name}-${part}.jpg`, type: 'jpeg', quality: 80, animations: 'disabled' });
  }
};

const site = await openSite();
await mkdir(out, { recursive: true });
const only = new RegExp(values.only);
const paths = everyPage(site.folder).filter((path) => only.test(path));
const looks = widths
  .filter((width) => values.width === undefined || width === Number(values.width))
  .flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));
const found: string[] = [];
try {
  for (const look of looks)
    for (const path of paths) {
      const ofPage = await lookCompletely(site, path, look);
      for (const finding of ofPage) process.stdout.write(`${finding}\n`);
      found.push(...ofPage);
    }
} finally {
  await site.close();
}
const summary = `${paths.length} pages, ${looks.length} windows and colours each: ${found.length} findings`;
await writeFile(join(out, 'findings.txt'), `${[summary, ...found].join('\n')}\n`);
process.stdout.write(`${summary}\n`);
process.exitCode = found.length > 0 ? 1 : 0;
