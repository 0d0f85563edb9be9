import type { Browser } from 'playwright-core';
import { megabytesOf } from '../harness/cost.ts';

/** Megabytes (PSS) of the largest process that renders a page: the tab that is open, beside the empty one that Chromium keeps ready. */
export const megabytesOfTab = async (browser: Browser): Promise<number> => {
  const devTools = await browser.newBrowserCDPSession();
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo');
  await devTools.detach();
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => megabytesOf(id)));
};
