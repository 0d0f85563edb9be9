import { useSyncExternalStore } from 'react';

/** Credentials of the reader. Kept in memory, for all pages until a reload. */
interface Credentials {
  readonly token: string;
  readonly adminPassword: string;
}

let current: Credentials = { token: '', adminPassword: '' };
const listeners = new Set<() => void>();

export const setCredentials = (changes: Partial<Credentials>): void => {
  current = { ...current, ...changes };
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const getCurrent = (): Credentials => current;

export const useCredentials = (): Credentials => useSyncExternalStore(subscribe, getCurrent, getCurrent);

/** Sends a request of a web page's session. Its refresh token is in a cookie. @throws Error if it is rejected */
const postToAuth = async (name: string, body: object): Promise<Response> => {
  const headers = { 'Content-Type': 'application/json', 'X-Hearth-Session': 'cookie' };
  const response = await fetch(`/v1/auth/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.ok) return response;
  const { message } = (await response.json()) as { readonly message: string };
  throw new Error(response.status === 401 ? 'Not signed in: wrong name or password, or no session' : message);
};

const keepToken = async (response: Response): Promise<void> => {
  const { accessToken } = (await response.json()) as { readonly accessToken: string };
  setCredentials({ token: accessToken });
};

export const signIn = async (username: string, password: string): Promise<void> =>
  keepToken(await postToAuth('login', { username, password }));

/** Gets an access token for the session in the browser's cookie. */
export const continueSession = async (): Promise<void> => keepToken(await postToAuth('refresh', {}));

let detection: Promise<boolean> | undefined;

/**
 * Returns whether Hearth has the same origin as the site. The site has an empty object at this path, so that the
 * request succeeds everywhere.
 */
export const detectHearth = (): Promise<boolean> =>
  (detection ??= fetch('/version')
    .then((response) => response.json())
    .then((body: { readonly version?: unknown }) => typeof body.version === 'string')
    .catch(() => false));
