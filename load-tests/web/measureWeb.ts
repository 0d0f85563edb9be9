import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import { countFrames, watchPage } from './inPage.ts';
import type { TabMemory } from './tabMemory.ts';

/** Results of one library in the browser. */
export interface WebResult {
  readonly library: string;
  /**
   * From the start of a navigation with an empty cache until the first screen was full of pictures, in ms, per
   * navigation.
   */
  readonly firstMs: readonly number[];
  /** From a press on the scrubber until the screen was full of that month's pictures, in ms, per press. */
  readonly scrubMs: readonly number[];
  /** Shares of frames dropped while flinging: on the timeline, and on an empty page. */
  readonly droppedPart: number;
  readonly emptyDroppedPart: number;
  /** Memory of the tab's process after flinging: on the timeline, and on an empty page. */
  readonly memory: TabMemory;
  readonly emptyMemory: TabMemory;
  /** Cumulative layout shift of the whole run. */
  readonly shift: number;
}

/** Amount of work in a run. */
export interface WebMeasure {
  readonly navigations: number;
  readonly presses: number;
  readonly flingSeconds: number;
  /** CPU slowdown factor in Chromium. */
  readonly slowdown: number;
}

/**
 * Runs the timeline of a signed-in user through navigations, scrubbing and flinging. `memoryOfTab` measures the process
 * of the open tab.
 */
export const measureWeb = async (
  browser: Browser,
  library: { readonly name: string; readonly url: string; readonly credentials: Credentials },
  measure: WebMeasure,
  memoryOfTab: () => Promise<TabMemory>,
): Promise<WebResult> => {
  const empty = await withPage(browser, library.url, measure, async (page, devTools) => {
    await page.setContent(emptyPage);
    const droppedPart = await fling(page, devTools, measure.flingSeconds);
    return { droppedPart, memory: await measureMemoryAtRest(devTools, memoryOfTab) };
  });
  const timeline = await withPage(browser, library.url, measure, async (page, devTools) => {
    await signIn(page, library.credentials);
    const [firstMs, scrubMs]: [number[], number[]] = [[], []];
    let shift = 0;
    for (let round = 0; round < measure.navigations; round++) {
      shift += await page.evaluate(() => window.hearthBench.shift);
      await devTools.send('Network.clearBrowserCache');
      await page.goto('/', { waitUntil: 'commit' });
      firstMs.push(await shownMs(page));
    }
    const random = createRandom(1);
    for (let press = 0; press < measure.presses; press++) scrubMs.push(await scrub(page, random.between(0.02, 0.98)));
    const droppedPart = await fling(page, devTools, measure.flingSeconds);
    shift += await page.evaluate(() => window.hearthBench.shift);
    return { firstMs, scrubMs, droppedPart, shift, memory: await measureMemoryAtRest(devTools, memoryOfTab) };
  });
  return {
    library: library.name,
    ...timeline,
    emptyDroppedPart: empty.droppedPart,
    emptyMemory: empty.memory,
  };
};

/** A page as tall as a timeline, but almost free to draw. */
const emptyPage = `<!doctype html><body style="margin:0;height:2000000px;background:repeating-linear-gradient(#ddd 0 200px,#bbb 200px 400px)">`;

const withPage = async <Result>(
  browser: Browser,
  baseURL: string,
  { slowdown }: WebMeasure,
  use: (page: Page, devTools: CDPSession) => Promise<Result>,
): Promise<Result> => {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    hasTouch: true,
    // A service worker would cache the app and speed up all navigations after the first.
    serviceWorkers: 'block',
  });
  try {
    await context.addInitScript(watchPage);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return await use(page, devTools);
  } finally {
    await context.close();
  }
};

const signIn = async (page: Page, { username, password }: Credentials): Promise<void> => {
  await page.goto('/');
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shownMs(page);
};

const shownMs = async (page: Page): Promise<number> => {
  const handle = await page.waitForFunction(() => window.hearthBench.shownMs, undefined, { timeout: 60_000 });
  return (await handle.jsonValue()) ?? NaN;
};

/** Presses the scrubber at a fraction of its height. Returns the time until the new pictures are shown, in ms. */
const scrub = async (page: Page, part: number): Promise<number> => {
  const { width, height } = page.viewportSize()!;
  const box = await page.getByRole('slider').locator('..').boundingBox();
  if (box === null) throw new Error('the scrubber has no position');
  const shown = page.evaluate(async () => {
    const pressed = new Promise<number>((resolve) => {
      addEventListener('pointerdown', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true });
    });
    const end = await window.hearthBench.untilShown();
    return end - (await pressed);
  });
  // The page must be waiting before the press happens.
  await page.evaluate(() => undefined);
  await page.mouse.click(width - 20, Math.min(height - 1, box.y + part * box.height));
  return shown;
};

/** Flings up and down like a thumb, and returns the share of dropped frames. */
const fling = async (page: Page, devTools: CDPSession, seconds: number): Promise<number> => {
  const counting = page.evaluate(countFrames, seconds * 1_000);
  const end = Date.now() + seconds * 1_000;
  // Six times down, then once up.
  for (let swipeNumber = 0; Date.now() < end; swipeNumber++) await swipe(devTools, swipeNumber % 7 === 6 ? 1 : -1);
  const { drawn, due, scrolled } = await counting;
  if (scrolled < seconds * minSpeed) throw new Error(`the page scrolled by ${scrolled} pixels only`);
  return (due - drawn) / due;
};

/** Minimum scroll speed of a fling, in CSS pixels per second. */
const minSpeed = 500;

/**
 * Performs one swipe over most of the screen and waits for the momentum scroll. It sends single touch events, because
 * `Input.synthesizeScrollGesture` by touch scrolls nothing in headless Chromium.
 */
const swipe = async (devTools: CDPSession, direction: 1 | -1): Promise<void> => {
  const [x, middle, reach, moves] = [600, 450, 350, 10];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
  // Touch events are sent without waiting for each response.
  const sent = [touch('touchStart', middle - direction * reach)];
  for (let move = 1; move <= moves; move++) {
    await sleep(16);
    sent.push(touch('touchMove', middle + direction * reach * ((2 * move) / moves - 1)));
  }
  sent.push(touch('touchEnd'));
  await Promise.all([...sent, sleep(400)]);
};

/** Returns the memory after pending work has settled and garbage was collected. */
const measureMemoryAtRest = async (devTools: CDPSession, memoryOfTab: () => Promise<TabMemory>): Promise<TabMemory> => {
  await sleep(2_000);
  await devTools.send('HeapProfiler.collectGarbage');
  return memoryOfTab();
};
