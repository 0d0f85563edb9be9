import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { dropFiles } from '@hearth/web/e2e/testing/dropFiles.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import { measureTabMemory, type TabMemory } from './tabMemory.ts';

/** Cost of a dropped folder in the page. */
export interface UploadsResult {
  readonly files: number;
  /** Durations of main-thread tasks longer than 50 ms, from the drop until the end, in ms. */
  readonly longTasksMs: readonly number[];
  /** Memory of the tab's process: before the drop, the maximum, and at the end. */
  readonly memory: { readonly before: TabMemory; readonly highest: TabMemory; readonly after: TabMemory };
  /** Seconds from the drop until all files of the folder were found, and until all were uploaded. */
  readonly foundSeconds: number;
  readonly doneSeconds: number;
}

/** Interval of the memory and progress samples, in ms. */
const intervalMs = 500;

/** Time without progress after which the measurement fails, in ms. */
const timeoutMs = 120_000;

declare global {
  interface Window {
    hearthLongTasks: number[];
  }
}

/** Drops a folder on the page and keeps the upload list open until all files are uploaded. @throws on timeout */
export const measureUploads = async (
  browser: Browser,
  url: string,
  { username, password }: Credentials,
  { path, files }: { readonly path: string; readonly files: number },
): Promise<UploadsResult> => {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', viewport: { width: 1440, height: 900 } });
  await context.addInitScript(recordLongTasks);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
  await sleep(2_000);
  const before = await measureTabMemory(browser);
  await page.evaluate(() => (window.hearthLongTasks.length = 0));

  const beganAt = performance.now();
  const seconds = (): number => (performance.now() - beganAt) / 1_000;
  await dropFiles(page, [path]);
  await page.getByRole('button', { name: 'Show list' }).click();
  let [highest, foundSeconds] = [before, 0];
  let last = { text: '', at: beganAt };
  for (;;) {
    const text = await getHeading(page);
    highest = getMax(highest, await measureTabMemory(browser));
    if (foundSeconds === 0 && text !== '' && !text.startsWith('Scanning folder')) foundSeconds = seconds();
    if (text === 'Uploads finished') break;
    if (text !== last.text) last = { text, at: performance.now() };
    if (performance.now() - last.at > timeoutMs) throw new Error(`no progress of uploads at “${text}”`);
    await sleep(intervalMs);
  }
  const doneSeconds = seconds();
  await page.getByRole('tab', { name: `Done (${files})` }).waitFor();
  const longTasksMs = await page.evaluate(() => window.hearthLongTasks);
  const after = await measureTabMemory(browser);
  await context.close();
  return { files, longTasksMs, memory: { before, highest, after }, foundSeconds, doneSeconds };
};

const getMax = (one: TabMemory, other: TabMemory): TabMemory => ({
  shown: Math.max(one.shown, other.shown),
  pss: Math.max(one.pss, other.pss),
});

const getHeading = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector('section[aria-label=Uploads] h2')?.textContent ?? '');

/** Runs in the page before its own scripts. */
const recordLongTasks = (): void => {
  window.hearthLongTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.hearthLongTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
};
