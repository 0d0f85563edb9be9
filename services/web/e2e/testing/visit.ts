import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { keepInteractions } from './interactions.ts';

/** What of a browser is not as it always is. */
export interface VisitOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** How large text is, in percent of what it is unless somebody asks for larger text in the settings of the browser. */
  readonly textPercent?: number;
  /** With `true` the device asks for less motion, as most visits do: nothing then moves while a picture of the page is taken. */
  readonly hasLessMotion?: boolean;
  /** The first of the browser's languages. */
  readonly locale?: 'en-US' | 'de-DE';
  /** With a screen that is touched. */
  readonly hasTouch?: boolean;
  /** Without a service worker, as in the first seconds of a first visit and on pages that come without TLS. */
  readonly hasServiceWorker?: boolean;
  /** Another way to the server than its own address. */
  readonly url?: string;
}

/** Somebody's browser with one page open, in which nothing may go wrong unnoticed. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens an address of the app in this browser, in another tab than `page`. */
  openTab(path: string): Promise<Page>;
  /** What the console says of answers and connections that the story asks for, such as a refused password. */
  expect(message: RegExp): void;
  /** Closes the browser. @throws AssertionError where a page has written an error, broken its policy or asked another origin */
  end(): Promise<void>;
  /** Prints what its pages show and what went wrong on them, unless it has ended: the story has failed then. */
  explain(): Promise<void>;
}

/** How long something on a page may take, on a busy machine. */
export const patienceMs = 180_000;

/** The file that takes how long each interaction took, for `npm run bench:interactions`. */
const interactionsPath = process.env['HEARTH_KEEP_INTERACTIONS'];

/** Opens an empty browser, with the page still blank. */
export const openVisit = async (browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> => {
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
  context.setDefaultTimeout(patienceMs);
  if (interactionsPath !== undefined) await keepInteractions(context, interactionsPath);
  if (textPercent !== 100) await context.addInitScript(enlargeText, textPercent);
  const problems: string[] = [];
  const expected: RegExp[] = [];
  let hasEnded = false;
  // Chromium writes what breaks a Content-Security-Policy, Trusted Types included, as an error too.
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
    explain: async () => {
      if (hasEnded) return;
      for (const page of context.pages()) {
        const shown = page.locator('body').ariaSnapshot({ timeout: explainMs });
        console.log(`${page.url()} shows\n${await shown.catch(String)}`);
      }
      console.log(problems.join('\n'));
    },
  };
};

/** Milliseconds in which a page has to say what it shows. */
const explainMs = 10_000;

/** Runs in each page before its own scripts. All sizes of the app are in `rem`, by the size that the root has. */
const enlargeText = (percent: number): void => {
  document.addEventListener('readystatechange', () => {
    document.documentElement.style.fontSize = `${percent}%`;
  });
};

/** Has axe look at the page as it is. @throws AssertionError with what it finds, by rule and element */
export const assertAccessible = async (page: Page): Promise<void> => {
  // Without frames, axe needs no second page, which would take the focus from this one.
  // What an item waits for changes while axe looks; its name says that it is being prepared.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .exclude('[role=gridcell][aria-label*="being prepared"]')
    .analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  );
  assert.deepEqual(found, [], page.url());
};

/** The paths of all pages for a person who is signed in that need no parameter, as the router of an open page lists them. */
export const listPaths = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as {
      readonly __TSR_ROUTER__: { readonly routesById: Readonly<Record<string, { readonly fullPath: string }>> };
    };
    return Object.entries(router.routesById)
      .filter(([id, { fullPath }]) => id.startsWith('/app/') && !fullPath.includes('$'))
      .map(([, { fullPath }]) => fullPath);
  });

/** Resolves once a service worker keeps the app on the device. @throws after the page's patience: by itself the browser waits for ever where none could be set up */
export const waitForServiceWorker = (page: Page): Promise<void> =>
  page.evaluate(async (ms) => {
    const isLate = new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`There is no service worker after ${ms} ms.`)), ms);
    });
    await Promise.race([navigator.serviceWorker.ready, isLate]);
  }, patienceMs);
