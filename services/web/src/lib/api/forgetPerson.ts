/** What this device keeps for everybody who uses it. */
const keptKeys: ReadonlySet<string> = new Set(['hearth-language', 'hearth-theme']);

/** Caches of the app's own files, which are the same for everybody. */
const isOfApp = (cacheName: string): boolean => cacheName.includes('precache');

/**
 * Forgets everything that the browser has stored of the person who was signed in: what is in `localStorage` at once. What is in memory goes
 * with the page, which has to be loaded anew afterwards.
 */
export const forgetPerson = async (): Promise<void> => {
  for (const key of Object.keys(localStorage)) if (!keptKeys.has(key)) localStorage.removeItem(key);
  sessionStorage.clear();
  // There are neither where the address is not https, nor in every browser.
  const cacheNames = 'caches' in globalThis ? await caches.keys() : [];
  const databases = 'indexedDB' in globalThis ? await indexedDB.databases() : [];
  await Promise.allSettled([
    ...cacheNames.filter((name) => !isOfApp(name)).map((name) => caches.delete(name)),
    ...databases.flatMap(({ name }) => (name === undefined ? [] : deleteDatabase(name))),
  ]);
};

/** Milliseconds after which nobody waits for a database any more. */
const deletionPatienceMs = 1000;

/**
 * Resolves also while a page has it open: then it is deleted when that page is gone, which is about to be loaded anew. Where another tab deletes it
 * too, nothing is heard of it while each waits for the other to close it.
 */
const deleteDatabase = (name: string): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, deletionPatienceMs);
    const request = indexedDB.deleteDatabase(name);
    for (const event of ['success', 'error', 'blocked']) request.addEventListener(event, () => resolve());
  });
