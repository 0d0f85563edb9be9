import { readApiError } from './apiError.ts';
import { clearUserData } from './clearUserData.ts';
import { rememberUsername } from './userStorage.ts';

/**
 * Session of this browser tab.
 *
 * `unknown`: the first refresh is pending.
 * `unreachable`: the server is unreachable; assumes the user who signed in last on this device.
 * `leaving`: signed out, and the page is about to reload. Shows no sign-in form, because the reload would discard its
 * input.
 * `ended`: the session was ended elsewhere. The page stays mounted behind the sign-in form, to keep its input.
 */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable'; readonly userId: string }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'signedIn'; readonly userId: string }
  | { readonly kind: 'ended'; readonly userId: string };

/** Makes the API keep the refresh token in an HttpOnly cookie. */
const cookieSession = { 'X-Hearth-Session': 'cookie' } as const;

/**
 * Marks that this device has a session cookie. Prevents a failing refresh, and its console error, on the first visit.
 */
const storageKey = 'hearth-has-session';

/** Id of the user whose data this device may hold, until that user signs out. */
const lastUserKey = 'hearth-last-user';

/** Tokens are refreshed this long before they expire. */
const refreshAheadMs = 60_000;

let state: SessionState = { kind: 'unknown' };
let access: { readonly token: string; readonly expiresAtMs: number } | undefined;
/** Lock for browsers without `navigator.locks`: settles when the last queued call has ended. */
let lastTask: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

/** Notifies the other tabs of new tokens and of the end of the session. */
const channel = new BroadcastChannel('hearth-session');

type Message =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'ended' | 'signedOut' | 'linksEnded' };

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'token') storeToken(data.token);
  else if (data.kind === 'linksEnded') notifyLinksExpired();
  else endSession(data.kind);
});

/** Calls `listener` when the session changes. Returns a function that unsubscribes. For `useSyncExternalStore`. */
export const subscribeToSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const linkListeners = new Set<() => void>();

/**
 * Calls `listener` when picture links have become invalid, also through another tab. Returns a function that
 * unsubscribes.
 */
export const subscribeToExpiredLinks = (listener: () => void): (() => void) => {
  linkListeners.add(listener);
  return () => linkListeners.delete(listener);
};

/** Makes all tabs of this browser load new links. */
export const announceExpiredLinks = (): void => {
  channel.postMessage({ kind: 'linksEnded' } satisfies Message);
  notifyLinksExpired();
};

/** Returns the current session, the same object until it changes. */
export const getSession = (): SessionState => state;

/** Resumes the session from the cookie of an earlier visit. */
export const resumeSession = async (): Promise<void> => {
  if (localStorage.getItem(storageKey) === null) {
    endSession('signedOut');
    return;
  }
  await getFreshToken().catch(() => {
    if (state.kind === 'unknown') change({ kind: 'unreachable', userId: localStorage.getItem(lastUserKey) ?? '' });
  });
};

/** Signs in. @throws ApiError `UNAUTHORIZED`, `TOO_MANY_ATTEMPTS` and the errors of every call */
export const signIn = async (username: string, password: string): Promise<void> => {
  rememberUsername(await signInWith('/v1/auth/login', { username, password }), username);
};

/** Signs in with the code of the one-time link that `npm start` prints. @throws ApiError as `signIn` does */
export const signInByCode = async (code: string): Promise<void> => {
  await signInWith('/v1/auth/one-time', { code });
};

/**
 * Changes the password. The session continues with new tokens. Until they arrive, no other call uses the refresh token.
 * @throws ApiError `VALIDATION_FAILED`, `TOO_MANY_ATTEMPTS` and the errors of every call
 */
export const changePassword = async (currentPassword: string, newPassword: string): Promise<void> => {
  const requestWithToken = async (
    refused?: string,
  ): Promise<{ readonly response: Response; readonly token: string }> => {
    const token = await getFreshToken(refused);
    const headers = { ...cookieSession, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ currentPassword, newPassword });
    const response = await runExclusively(() =>
      fetch('/v1/auth/password', addToken({ method: 'PUT', headers, body }, token)),
    );
    return { response, token };
  };
  const first = await requestWithToken();
  const { response } = first.response.status === 401 ? await requestWithToken(first.token) : first;
  if (!response.ok) throw await readApiError(response);
  const { accessToken } = (await response.json()) as { readonly accessToken: string };
  channel.postMessage({ kind: 'token', token: accessToken } satisfies Message);
  storeToken(accessToken);
  announceExpiredLinks();
};

/** Signs out in all tabs of this browser. They discard the user's data even if the server is unreachable. */
export const signOut = async (): Promise<void> => {
  try {
    await authorizedFetch('/v1/auth/logout', { method: 'POST', headers: cookieSession });
  } finally {
    channel.postMessage({ kind: 'signedOut' } satisfies Message);
    endSession('signedOut');
  }
};

/**
 * `fetch` with the access token of the session. Refreshes the token before it expires, and once after a 401 response.
 * If the session cannot be refreshed, all tabs are notified of its end.
 */
export const authorizedFetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
  const token = await getFreshToken();
  const response = await fetch(address, addToken(init, token));
  return response.status === 401 ? fetch(address, addToken(init, await getFreshToken(token))) : response;
};

/**
 * Returns an access token that stays valid for a while. A browser-wide lock lets only one tab use the refresh token;
 * the others receive the new access token from it. `refused`: a token that the server rejected.
 */
export const getFreshToken = async (refused?: string): Promise<string> => {
  const isFresh = (): boolean =>
    access !== undefined && access.token !== refused && access.expiresAtMs - refreshAheadMs > Date.now();
  if (isFresh() && access !== undefined) return access.token;
  return runExclusively(async () => {
    if (isFresh() && access !== undefined) return access.token;
    const response = await fetch('/v1/auth/refresh', { method: 'POST', headers: cookieSession });
    if (response.status === 401) {
      const kind = 'userId' in state ? 'ended' : 'signedOut';
      channel.postMessage({ kind } satisfies Message);
      endSession(kind);
    }
    if (!response.ok) throw await readApiError(response);
    const { accessToken } = (await response.json()) as { readonly accessToken: string };
    channel.postMessage({ kind: 'token', token: accessToken } satisfies Message);
    storeToken(accessToken);
    return accessToken;
  });
};

/**
 * Runs `work` under a lock across all tabs. Pages served over HTTP from another host have no `navigator.locks`; there
 * the lock covers one tab only. Two tabs may then refresh at once: the API returns the same tokens for ten seconds.
 */
async function runExclusively<Result>(work: () => Promise<Result>): Promise<Result> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks !== undefined) return locks.request('hearth-session', work);
  const result = lastTask.then(work);
  lastTask = result.catch(() => undefined);
  return result;
}

/** Signs in and returns the user id. */
async function signInWith(address: string, body: object): Promise<string> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...cookieSession, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await readApiError(response);
  const { accessToken } = (await response.json()) as { readonly accessToken: string };
  channel.postMessage({ kind: 'token', token: accessToken } satisfies Message);
  return storeToken(accessToken);
}

/** Stores the token and returns its user id. */
function storeToken(token: string): string {
  const { sub, exp } = JSON.parse(atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')) as {
    readonly sub: string;
    readonly exp: number;
  };
  // Data of another user in memory, caches or storage must not be shown to this one.
  const before = 'userId' in state ? state.userId : localStorage.getItem(lastUserKey);
  if (before !== null && before !== sub) {
    void resetForUser(sub);
    return sub;
  }
  rememberUser(sub);
  access = { token, expiresAtMs: exp * 1000 };
  if (state.kind !== 'signedIn') change({ kind: 'signedIn', userId: sub });
  return sub;
}

function rememberUser(userId: string): void {
  localStorage.setItem(storageKey, '');
  localStorage.setItem(lastUserKey, userId);
}

/** Deletes the data of the previous user and reloads the page. `nextUserId`: the user who has just signed in. */
async function resetForUser(nextUserId?: string): Promise<void> {
  const clearing = clearUserData();
  // Before the wait, so that other tabs do not see a signed-out state.
  if (nextUserId !== undefined) rememberUser(nextUserId);
  await clearing;
  location.replace('/');
}

function endSession(kind: 'ended' | 'signedOut'): void {
  access = undefined;
  localStorage.removeItem(storageKey);
  const hadUser = 'userId' in state;
  if (kind === 'ended' && 'userId' in state) change({ kind: 'ended', userId: state.userId });
  else change({ kind: hadUser ? 'leaving' : 'signedOut' });
  if (state.kind === 'leaving') void resetForUser();
}

function notifyLinksExpired(): void {
  for (const listener of linkListeners) listener();
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function addToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${token}`);
  return { ...init, headers };
}
