import lunr from 'lunr';
import { rankPages, type Found, type SearchIndex } from './rankPages';

/*
 * Replaces the module of the same exports in @easyops-cn/docusaurus-search-local, which requires every word and lists
 * sections instead of pages. The plugin still builds the index and renders the results.
 */

interface StoredIndex {
  readonly documents: SearchIndex['documents'];
  readonly index: object;
}

const loadIndexes = async (baseUrl: string): Promise<readonly SearchIndex[]> => {
  const response = await fetch(`${baseUrl}search-index.json`);
  if (!response.ok) throw new Error(`The search index failed to load: ${response.status}`);
  const stored = (await response.json()) as readonly StoredIndex[];
  return stored.map(({ documents, index }) => ({ documents, index: lunr.Index.load(index) }));
};

/** Indexes by base URL, which contains the version. */
const loaded = new Map<string, Promise<readonly SearchIndex[]>>();

const getIndexes = (baseUrl: string): Promise<readonly SearchIndex[]> => {
  const promise = loaded.get(baseUrl) ?? loadIndexes(baseUrl);
  loaded.set(baseUrl, promise);
  // Retries after a failure.
  promise.catch(() => loaded.delete(baseUrl));
  return promise;
};

/** Loads the index before the first search. */
export const fetchIndexesByWorker = async (baseUrl: string): Promise<void> => {
  await getIndexes(baseUrl);
};

/** Returns the pages that match any of the words, best first. */
export const searchByWorker = async (
  baseUrl: string,
  _context: string,
  words: string,
  limit: number,
): Promise<readonly Found[]> => rankPages(await getIndexes(baseUrl), words).slice(0, limit);
