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
