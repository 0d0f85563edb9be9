import { readUserStorage, writeUserStorage } from '../../../lib/api/userStorage.ts';

const storageName = 'recent-searches';

const maxSearches = 8;

/** Returns the user's searches on this device, latest first. */
export const listRecentSearches = (userId: string): readonly string[] => {
  const stored = readUserStorage(userId, storageName);
  return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, maxSearches) : [];
};

/** Stores a search on this device as the latest. */
export const rememberSearch = (userId: string, text: string): void => {
  const others = listRecentSearches(userId).filter((stored) => stored.toLowerCase() !== text.toLowerCase());
  writeUserStorage(userId, storageName, [text, ...others].slice(0, maxSearches));
};
