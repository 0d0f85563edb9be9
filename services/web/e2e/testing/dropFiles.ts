import type { Page } from 'playwright-core';

/** Drops local files and folders onto the centre of a page. Chromium reads them from the disk. */
export const dropFiles = async (page: Page, paths: readonly string[]): Promise<void> => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const devTools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
  await devTools.detach();
};
