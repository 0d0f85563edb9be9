import type { Page } from 'playwright-core';

/**
 * Returns all script-readable data of the page's origin as one text: storages, databases, and caches with their
 * responses.
 */
export const readStored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- only the enclosing function is sent to the browser
    const finished = <Result>(request: IDBRequest<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('request failed')));
      });
    const found: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage), document.cookie];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        found.push(name, store, await finished(objects.getAllKeys()), await finished(objects.getAll()));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        const isAppScript = new URL(request.url).pathname.startsWith('/assets/');
        found.push(name, request.url, isAppScript ? '' : await response?.text());
      }
    }
    return JSON.stringify(found);
  });

/** Returns all strings in the page's memory as one text, after garbage collection. Long strings are truncated. */
export const readMemory = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  const { strings } = JSON.parse(chunks.join('')) as { readonly strings: readonly string[] };
  return strings.join('\n');
};
