const prefix = 'hearth-user:';

const getKey = (userId: string, name: string): string => `${prefix}${userId}:${name}`;

/** Returns the user's value stored as JSON on this device, or undefined if missing or malformed. */
export const readUserStorage = (userId: string, name: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(getKey(userId, name)) ?? '');
  } catch {
    return undefined;
  }
};

/** Stores a value on this device until the user signs out or another user signs in. */
export const writeUserStorage = (userId: string, name: string, value: unknown): void =>
  localStorage.setItem(getKey(userId, name), JSON.stringify(value));

const storageName = 'username';

/**
 * Returns the user name of the last sign-in on this device, or undefined after the one-time link. An administrator may
 * have renamed the user since.
 */
export const readUsername = (userId: string): string | undefined => {
  const stored = readUserStorage(userId, storageName);
  return typeof stored === 'string' ? stored : undefined;
};

/** Stores the user name, so that later prompts ask only for the password. */
export const rememberUsername = (userId: string, username: string): void =>
  writeUserStorage(userId, storageName, username);
