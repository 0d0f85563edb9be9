import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';

/** How far everything on a page may move by itself while it is loaded, as Cumulative Layout Shift counts it. */
export const mostShift = 0.01;

/** Compressed bytes that a first visit of a page may load. */
export const mostBytes = 300_000;

/** The windows in which pages are looked at, in pixels. */
export const widths = [360, 996, 1_440] as const;

/** A window and the colours in which a page is looked at. */
export interface Look {
  readonly width: (typeof widths)[number];
  readonly theme: 'light' | 'dark';
}

/** Each window, and both colours; the other pairs are among those in which the other pages are opened. The first is what a first visit is. */
export const looksOfSpecified: readonly Look[] = [
  { width: 1_440, theme: 'light' },
  { width: 1_440, theme: 'dark' },
  { width: 996, theme: 'light' },
  { width: 360, theme: 'dark' },
];

/** The chapters of the reference behind the second one, which are as those before, and too many for axe. */
export const repeated = 'h2#uploads ~ *';

/** The addresses of the pages of a built site. */
export const everyPage = (folder: string): string[] =>
  globSync('**/index.html', { cwd: folder })
    .map((file) => `/${file.replace(/\/?index\.html$/, '')}`)
    // Those of a released version are the same in other words.
    .filter((path) => !/^\/docs\/\d/.test(path))
    .toSorted();

/** What axe finds wrong with a page as it is. */
interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Adds up in each page what moves while it is loaded. */
export const countShifts = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
};

/** By how much everything on the page has moved by itself until now. */
export const readShift = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);

/** How often a page that moved is loaded again. */
const moreLoads = 3;

const untilDrawn = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.documentElement.dataset['hasHydrated'] === 'true');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

/**
 * By how much the page moves at least, of several loads without a cache. A busy machine may draw a table while its rows are still being read, once; what
 * moves because a picture or a font comes late moves every time.
 */
const leastShift = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const shifts: number[] = [];
  for (let loads = 0; loads < moreLoads; loads += 1) {
    await page.reload();
    await untilDrawn(page);
    shifts.push(await readShift(page));
  }
  await session.detach();
  return Math.min(...shifts);
};

/** Opens a page of the origin that is open in these colours, and waits until it can be used and is drawn. @throws AssertionError where it moves, or is wider than its window */
export const lookAt = async (page: Page, path: string, { width, theme }: Look): Promise<void> => {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate((name) => localStorage.setItem('theme', name), theme);
  await page.goto(path);
  await untilDrawn(page);
  const shift = (await readShift(page)) < mostShift ? 0 : await leastShift(page);
  const { overflow, shown } = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    shown: document.documentElement.dataset['theme'],
  }));
  const where = `${path}, ${width} pixels wide, ${theme}`;
  assert.equal(shown, theme, where);
  assert.ok(shift < mostShift, `${where}: moves by ${shift}`);
  assert.equal(overflow, 0, `${where}: wider than its window`);
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What holds the part of a page that axe leaves out. */
const leftOut = 'left-out';

/** Puts the elements that a selector finds, which are one behind the other, into one that draws nothing. */
const putTogether = (page: Page, selector: string): Promise<void> =>
  page.evaluate(
    ({ all, id }) => {
      const elements = document.querySelectorAll(all);
      const whole = Object.assign(document.createElement('div'), { id });
      whole.style.display = 'contents';
      elements[0]?.before(whole);
      whole.append(...elements);
    },
    { all: selector, id: leftOut },
  );

/** Has axe look at the page or at what a selector names, without a part of it, and without its colours where these are known. @throws AssertionError with what it finds */
export const assertClean = async (
  page: Page,
  {
    within = 'html',
    without,
    hasColours = true,
  }: { readonly within?: string; readonly without?: string; readonly hasColours?: boolean } = {},
): Promise<void> => {
  // As one element: axe compares each of the page with each that is left out, which took three times as long as everything else.
  if (without !== undefined) await putTogether(page, without);
  await page.evaluate(axe);
  const violations = await page.evaluate(
    ({ include, exclude, contrast }) =>
      (window as unknown as { axe: { run(context: object, options: object): Promise<{ violations: Finding[] }> } }).axe
        .run({ include, exclude }, { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: contrast } } })
        .then((results) => results.violations),
    { include: [within], exclude: without === undefined ? [] : [`#${leftOut}`], contrast: hasColours },
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  );
  assert.deepEqual(found, [], page.url());
};

/** The compressed bytes that a page has loaded until now, of files of the built site; what is fetched ahead for other pages is left out. */
export const loadedBytes = async (page: Page, folder: string): Promise<number> => {
  const names = await page.evaluate(() => {
    const ahead = new Set(
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')].map(({ href }) => href),
    );
    return [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]
      .filter((name) => !ahead.has(name))
      .map((name) => new URL(name).pathname);
  });
  return [...new Set(names)].reduce((sum, name) => sum + sizeOf(folder, name), 0);
};

const sizes = new Map<string, number>();

const sizeOf = (folder: string, name: string): number => {
  const file = join(folder, /\.\w+$/.test(name) ? name : `${name}/index.html`);
  const size = sizes.get(file) ?? gzipSync(readFileSync(file)).length;
  sizes.set(file, size);
  return size;
};
