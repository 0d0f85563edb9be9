import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium } from 'playwright-core';
import { builtSite, type BuiltSite } from '../../scripts/site/builtSite.ts';
import { serveSite } from '../../scripts/site/serveSite.ts';
import { openVisit, type Visit, type VisitOptions } from '../../services/web/e2e/testing/visit.ts';

/** The built site, as `npm run docs` serves it, and a Chromium. */
export interface OpenSite extends BuiltSite {
  readonly url: string;
  /** Opens a browser in which nobody was before. Its end fails where the console had an error, or anything was asked of another origin. */
  visit(options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** Builds the site unless it is built, and serves it. */
export const openSite = async (): Promise<OpenSite> => {
  const site = await builtSite();
  const closing = new AsyncDisposableStack();
  const server = await serveSite(site.folder);
  closing.defer(() => server.stop());
  const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
  closing.defer(() => browser.close());
  return {
    ...site,
    url: server.url,
    visit: (options) => openVisit(browser, server.url, options),
    close: () => closing.disposeAsync(),
  };
};
