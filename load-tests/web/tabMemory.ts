import type { Browser } from 'playwright-core';
import { megabytesOf, ownMegabytesOf } from '@hearth/testkit/figures/cost.ts';

/** Memory of a tab's process in megabytes. */
export interface TabMemory {
  /** What Chromium shows as the memory of the tab: `ownMegabytesOf`. */
  readonly shown: number;
  /** With its part of what it shares with other processes, decoded pictures that are kept for later among it (PSS). */
  readonly pss: number;
}

/** The memory of the largest process that renders a page: the tab that is open, beside the empty one that Chromium keeps ready. */
export const memoryOfTab = async (browser: Browser): Promise<TabMemory> => {
  const devTools = await browser.newBrowserCDPSession();
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo');
  await devTools.detach();
  const tabs = processInfo.filter(({ type }) => type === 'renderer');
  return tabs
    .map(({ id }) => ({ shown: ownMegabytesOf(id), pss: megabytesOf(id) }))
    .reduce((largest, tab) => (tab.pss > largest.pss ? tab : largest));
};
