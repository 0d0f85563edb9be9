import { readUserStorage, writeUserStorage } from '../../../lib/api/userStorage.ts';

const storageName = 'recent-searches';

/** How many searches are kept. */
const maxKept = 8;

/** What a user has searched for on this device, the latest first. */
export const listRecentSearches = (userId: string): readonly string[] => {
  const kept = readUserStorage(userId, storageName);
  return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string').slice(0, maxKept) : [];
};

/** Keeps a search on this device as the latest one. */
export const rememberSearch = (userId: string, text: string): void => {
  const others = listRecentSearches(userId).filter((kept) => kept.toLowerCase() !== text.toLowerCase());
  writeUserStorage(userId, storageName, [text, ...others].slice(0, maxKept));
};
