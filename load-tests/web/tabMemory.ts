import type { Browser } from 'playwright-core';
import { measureMegabytes, measurePrivateMegabytes } from '@hearth/testkit/figures/cost.ts';

/** Memory of a tab's process, in MB. */
export interface TabMemory {
  /** The value Chromium shows for the tab: `measurePrivateMegabytes`. */
  readonly shown: number;
  /** PSS: includes a share of memory shared with other processes, and cached decoded images. */
  readonly pss: number;
}

/**
 * Returns the memory of the largest renderer process. That is the open tab; Chromium also keeps an empty spare
 * renderer.
 */
export const measureTabMemory = async (browser: Browser): Promise<TabMemory> => {
  const devTools = await browser.newBrowserCDPSession();
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo');
  await devTools.detach();
  const tabs = processInfo.filter(({ type }) => type === 'renderer');
  return tabs
    .map(({ id }) => ({ shown: measurePrivateMegabytes(id), pss: measureMegabytes(id) }))
    .reduce((largest, tab) => (tab.pss > largest.pss ? tab : largest));
};
