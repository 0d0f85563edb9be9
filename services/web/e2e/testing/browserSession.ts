import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { recordInteractions } from './interactions.ts';

export interface BrowserSessionOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** Text size of the browser, in percent of the default. */
  readonly textPercent?: number;
  /** Default true: reduced motion, so that nothing moves in screenshots. */
  readonly hasLessMotion?: boolean;
  /** Preferred language of the browser. */
  readonly locale?: 'en-US' | 'de-DE';
  readonly hasTouch?: boolean;
  /** False: as in the first seconds of a first visit, and on plain-HTTP pages. */
  readonly hasServiceWorker?: boolean;
  /** URL of a proxy to the server. */
  readonly url?: string;
}

/** Browser with one page. Fails on unexpected errors. */
export interface BrowserSession {
  readonly context: BrowserContext;
  readonly page: Page;
  openTab(path: string): Promise<Page>;
  /** Permits an expected console message, such as the response to a wrong password. */
  expect(message: RegExp): void;
  /**
   * Closes the browser. @throws AssertionError if a page logged an error, violated its policy or requested another
   * origin
   */
  end(): Promise<void>;
  /** Prints the pages and their problems if the session has not ended, which means that the test has failed. */
  printIfFailed(): Promise<void>;
}

/** Timeout of page operations on a busy machine, in ms. */
export const timeoutMs = 180_000;

/** Output file of interaction durations, for `npm run bench:interactions`. */
const interactionsPath = process.env['HEARTH_KEEP_INTERACTIONS'];

/** Opens an empty browser with a blank page. */
export const openBrowserSession = async (
  browser: Browser,
  url: string,
  options: BrowserSessionOptions = {},
): Promise<BrowserSession> => {
  const { theme = 'light', width = 1280, textPercent = 100, hasServiceWorker = true } = options;
  const { hasLessMotion = true, hasTouch = false, locale = 'en-US' } = options;
  const context = await browser.newContext({
    baseURL: url,
    locale,
    timezoneId: 'Europe/Lisbon',
    colorScheme: theme,
    hasTouch,
    reducedMotion: hasLessMotion ? 'reduce' : 'no-preference',
    serviceWorkers: hasServiceWorker ? 'allow' : 'block',
    viewport: { width, height: 800 },
  });
  context.setDefaultTimeout(timeoutMs);
  if (interactionsPath !== undefined) await recordInteractions(context, interactionsPath);
  if (textPercent !== 100) await context.addInitScript(enlargeText, textPercent);
  const problems: string[] = [];
  const expected: RegExp[] = [];
  let hasEnded = false;
  // Chromium logs violations of Content-Security-Policy and Trusted Types as errors.
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => problems.push(`page: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin)
      problems.push(`request elsewhere: ${request.url()}`);
  });
  return {
    context,
    page: await context.newPage(),
    openTab: async (path) => {
      const tab = await context.newPage();
      await tab.goto(path);
      return tab;
    },
    expect: (message) => void expected.push(message),
    end: async () => {
      hasEnded = true;
      await context.close();
      const unexpected = problems.filter((problem) => !expected.some((message) => message.test(problem)));
      assert.deepEqual(unexpected, []);
    },
    printIfFailed: async () => {
      if (hasEnded) return;
      for (const page of context.pages()) {
        const shown = page.locator('body').ariaSnapshot({ timeout: explainTimeoutMs });
        console.log(`${page.url()} shows\n${await shown.catch(String)}`);
      }
      console.log(problems.join('\n'));
    },
  };
};

/** Timeout for describing a page, in ms. */
const explainTimeoutMs = 10_000;

/** Runs in each page before its own scripts. All sizes of the app are in `rem`. */
const enlargeText = (percent: number): void => {
  document.addEventListener('readystatechange', () => {
    document.documentElement.style.fontSize = `${percent}%`;
  });
};

/** Checks the page with axe. @throws AssertionError with its findings, by rule and element */
export const assertAccessible = async (page: Page): Promise<void> => {
  // Legacy mode (without frames) needs no second page, which would take the focus from this one. Items in processing
  // are excluded, because they change during the check.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .exclude('[role=gridcell][aria-label*="processing"]')
    .analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  );
  assert.deepEqual(found, [], page.url());
};

/** Returns the paths of all signed-in pages without parameters, from the router of an open page. */
export const listPaths = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as {
      readonly __TSR_ROUTER__: { readonly routesById: Readonly<Record<string, { readonly fullPath: string }>> };
    };
    return Object.entries(router.routesById)
      .filter(([id, { fullPath }]) => id.startsWith('/app/') && !fullPath.includes('$'))
      .map(([, { fullPath }]) => fullPath);
  });

/** Resolves when a service worker is active. @throws Error after `timeoutMs`, because the browser would wait forever */
export const waitForServiceWorker = (page: Page): Promise<void> =>
  page.evaluate(async (ms) => {
    const timeout = new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`No service worker is active after ${ms} ms`)), ms);
    });
    await Promise.race([navigator.serviceWorker.ready, timeout]);
  }, timeoutMs);
