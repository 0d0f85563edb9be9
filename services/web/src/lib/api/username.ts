import { readUserStorage, writeUserStorage } from './userStorage.ts';

const storageName = 'username';

/** By which name a user has signed in on this device; undefined after the one-time link. An administrator may have changed it since. */
export const readUsername = (userId: string): string | undefined => {
  const kept = readUserStorage(userId, storageName);
  return typeof kept === 'string' ? kept : undefined;
};

/** Keeps the name, so that nobody is asked for it again where a password alone would do. */
export const rememberUsername = (userId: string, username: string): void =>
  writeUserStorage(userId, storageName, username);
