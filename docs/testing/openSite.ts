import assert from 'node:assert/strict';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium, type Locator, type Page } from 'playwright-core';
import { builtSite, type BuiltSite } from '@hearth/scripts/site/builtSite.ts';
import {
  openBrowserSession,
  type BrowserSession,
  type BrowserSessionOptions,
} from '@hearth/web/e2e/testing/browserSession.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createSiteServer } from '../server/siteServer.ts';

/** Built site, served as by `npm run docs`, and a Chromium. */
export interface OpenSite extends BuiltSite {
  readonly url: string;
  /** Opens an empty browser. Its `end` fails after a console error or a request to another origin. */
  visit(options?: BrowserSessionOptions): Promise<BrowserSession>;
  /** Opens a page in an empty browser, runs `look` and closes the browser. */
  look(
    path: string,
    look: (page: Page, visit: BrowserSession) => Promise<void>,
    options?: BrowserSessionOptions,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Serves the site. Builds it first if necessary. */
export const openSite = async (): Promise<OpenSite> => {
  const site = await builtSite();
  const closing = new AsyncDisposableStack();
  const server = await serveSite(site.folder);
  closing.defer(() => server.stop());
  const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
  closing.defer(() => browser.close());
  const visit = (options?: BrowserSessionOptions): Promise<BrowserSession> =>
    openBrowserSession(browser, server.url, options);
  return {
    ...site,
    url: server.url,
    visit,
    look: async (path, look, options) => {
      const visitor = await visit(options);
      await visitor.page.goto(path, { waitUntil: 'networkidle' });
      await look(visitor.page, visitor);
      await visitor.end();
    },
    close: () => closing.disposeAsync(),
  };
};

export const getTheme = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.documentElement.dataset['theme']);

export const getThemeSwitch = (page: Page): Locator =>
  page.getByRole('button', { name: /Switch between dark and light mode/ });

/** @throws AssertionError if the page is wider than its window */
export const assertFits = async (page: Page): Promise<void> => {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0, `${page.url()} is wider than its window`);
};

/**
 * Serves a built site locally, as its image does.
 * @param port 0 for any free port
 * @param apiUrl Hearth that gets the requests of the API reference
 */
export const serveSite = async (
  folder: string,
  port = 0,
  apiUrl?: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const server = createSiteServer(folder, apiUrl).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
