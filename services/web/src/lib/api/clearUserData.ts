/** `localStorage` keys of the device, which outlive a session. */
const keptKeys: ReadonlySet<string> = new Set(['hearth-language', 'hearth-theme']);

/** Caches of the built app are shared by all users. */
const isAppCache = (cacheName: string): boolean => cacheName.includes('precache');

/**
 * Deletes everything that the browser has stored for the previous user. Clears `localStorage` synchronously. The caller
 * must reload the page to clear memory.
 */
export const clearUserData = async (): Promise<void> => {
  for (const key of Object.keys(localStorage)) if (!keptKeys.has(key)) localStorage.removeItem(key);
  sessionStorage.clear();
  // `caches` is missing without HTTPS, and `indexedDB` in some browsers.
  const cacheNames = 'caches' in globalThis ? await caches.keys() : [];
  const databases = 'indexedDB' in globalThis ? await indexedDB.databases() : [];
  await Promise.allSettled([
    ...cacheNames.filter((name) => !isAppCache(name)).map((name) => caches.delete(name)),
    ...databases.flatMap(({ name }) => (name === undefined ? [] : deleteDatabase(name))),
  ]);
};

/** Longest wait for one deletion, in ms. */
const deletionTimeoutMs = 1000;

/**
 * Resolves also when a page has the database open: it is deleted when that page reloads. If two tabs delete it at once,
 * each waits for the other and no event fires. The timeout covers this.
 */
const deleteDatabase = (name: string): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, deletionTimeoutMs);
    const request = indexedDB.deleteDatabase(name);
    for (const event of ['success', 'error', 'blocked']) request.addEventListener(event, () => resolve());
  });
