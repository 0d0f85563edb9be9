const prefix = 'hearth-user:';

const keyOf = (userId: string, name: string): string => `${prefix}${userId}:${name}`;

/** What this device keeps of a user under `name`, as JSON; undefined if nothing readable is there. */
export const readUserStorage = (userId: string, name: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId, name)) ?? '');
  } catch {
    return undefined;
  }
};

/** Keeps a value of a user on this device, until somebody else signs in here or the user signs out. */
export const writeUserStorage = (userId: string, name: string, value: unknown): void =>
  localStorage.setItem(keyOf(userId, name), JSON.stringify(value));

const storageName = 'username';

/** By which name a user has signed in on this device; undefined after the one-time link. An administrator may have changed it since. */
export const readUsername = (userId: string): string | undefined => {
  const kept = readUserStorage(userId, storageName);
  return typeof kept === 'string' ? kept : undefined;
};

/** Keeps the name, so that nobody is asked for it again where a password alone would do. */
export const rememberUsername = (userId: string, username: string): void =>
  writeUserStorage(userId, storageName, username);
