import type { Page } from 'playwright-core';

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
