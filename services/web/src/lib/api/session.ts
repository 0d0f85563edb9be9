import { readApiError } from './apiError.ts';
import { forgetPerson } from './forgetPerson.ts';
import { rememberUsername } from './userStorage.ts';

/**
 * Who is signed in. `unknown` until the first refresh was answered; `away` where the server could not answer it, so that it is whoever was signed in on
 * this device last, as far as anybody knows; `leaving` from the moment that somebody signs out until the page is loaded anew, so
 * that nobody types into a form that is about to go; `ended` when a session that this tab had used was ended elsewhere:
 * what is on the page stays mounted behind the sign-in form, so that no text is lost.
 */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'away'; readonly userId: string }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'signedIn'; readonly userId: string }
  | { readonly kind: 'ended'; readonly userId: string };

/** The header by which the API keeps the refresh token in a cookie that no script can read. */
const cookieSession = { 'X-Hearth-Session': 'cookie' } as const;

/** Whether somebody has signed in on this device: without, there is no cookie to ask about, and no error in the console of a first visit. */
const storageKey = 'hearth-has-session';

/** Of whom something may be kept on this device: who was signed in last, until that person signs out. */
const lastUserKey = 'hearth-last-user';

/** A token is replaced this long before it expires. */
const refreshAheadMs = 60_000;

let state: SessionState = { kind: 'unknown' };
let access: { readonly token: string; readonly expiresAtMs: number } | undefined;
/** Where the browser has no locks: settles when the last call that takes its turn has ended. */
let lastTurn: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

/** Tells the other tabs of this browser of a new token, or of the end of the session. */
const channel = new BroadcastChannel('hearth-session');

type Message =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'ended' | 'signedOut' | 'linksEnded' };

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'token') acceptToken(data.token);
  else if (data.kind === 'linksEnded') notifyLinksEnded();
  else leave(data.kind);
});

/** Calls `listener` whenever who is signed in changes; answers what ends that. For `useSyncExternalStore`. */
export const subscribeToSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const linkListeners = new Set<() => void>();

/** Calls `listener` when the links of pictures have ended, also if another tab caused it. Returns a function that unsubscribes. */
export const subscribeToEndedLinks = (listener: () => void): (() => void) => {
  linkListeners.add(listener);
  return () => linkListeners.delete(listener);
};

/** Makes all tabs of this browser load new links. */
export const announceEndedLinks = (): void => {
  channel.postMessage({ kind: 'linksEnded' } satisfies Message);
  notifyLinksEnded();
};

/** Who is signed in now; the same object until it changes. */
export const getSession = (): SessionState => state;

/** Finds out who is signed in, by the cookie of an earlier visit. */
export const resumeSession = async (): Promise<void> => {
  if (localStorage.getItem(storageKey) === null) {
    leave('signedOut');
    return;
  }
  await freshToken().catch(() => {
    if (state.kind === 'unknown') change({ kind: 'away', userId: localStorage.getItem(lastUserKey) ?? '' });
  });
};

/** Signs in. @throws ApiError `UNAUTHORIZED`, `TOO_MANY_ATTEMPTS` and what every call may answer. */
export const signIn = async (username: string, password: string): Promise<void> => {
  rememberUsername(await signInWith('/v1/auth/login', { username, password }), username);
};

/** Signs the first person in by the link that `npm start` prints. @throws ApiError as `signIn` does. */
export const signInByCode = async (code: string): Promise<void> => {
  await signInWith('/v1/auth/one-time', { code });
};

/**
 * Changes the password. The session continues with new tokens, which no other call may spend meanwhile.
 * @throws ApiError `VALIDATION_FAILED`, `TOO_MANY_ATTEMPTS` and the errors of every call
 */
export const changePassword = async (currentPassword: string, newPassword: string): Promise<void> => {
  const ask = async (refused?: string): Promise<{ readonly answer: Response; readonly token: string }> => {
    const token = await freshToken(refused);
    const headers = { ...cookieSession, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ currentPassword, newPassword });
    const answer = await inTurn(() => fetch('/v1/auth/password', withToken({ method: 'PUT', headers, body }, token)));
    return { answer, token };
  };
  const first = await ask();
  const { answer } = first.answer.status === 401 ? await ask(first.token) : first;
  if (!answer.ok) throw await readApiError(answer);
  const { accessToken } = (await answer.json()) as { readonly accessToken: string };
  channel.postMessage({ kind: 'token', token: accessToken } satisfies Message);
  acceptToken(accessToken);
  announceEndedLinks();
};

/** Signs out in every tab of this browser. The tabs forget everything of this user even when the server cannot be reached. */
export const signOut = async (): Promise<void> => {
  try {
    await authorizedFetch('/v1/auth/logout', { method: 'POST', headers: cookieSession });
  } finally {
    channel.postMessage({ kind: 'signedOut' } satisfies Message);
    leave('signedOut');
  }
};

/**
 * `fetch` with the access token of the session, which is refreshed before it expires, and once more when the server refuses it. A session that
 * cannot be refreshed any more has ended, and every tab is told.
 */
export const authorizedFetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
  const token = await freshToken();
  const answer = await fetch(address, withToken(init, token));
  return answer.status === 401 ? fetch(address, withToken(init, await freshToken(token))) : answer;
};

/**
 * An access token that is valid for a while yet. Tabs take turns by a lock of the browser, so that only one of them spends the refresh token;
 * the others take what it was answered.
 */
export const freshToken = async (refused?: string): Promise<string> => {
  const isFresh = (): boolean =>
    access !== undefined && access.token !== refused && access.expiresAtMs - refreshAheadMs > Date.now();
  if (isFresh() && access !== undefined) return access.token;
  return inTurn(async () => {
    if (isFresh() && access !== undefined) return access.token;
    const answer = await fetch('/v1/auth/refresh', { method: 'POST', headers: cookieSession });
    if (answer.status === 401) {
      const kind = 'userId' in state ? 'ended' : 'signedOut';
      channel.postMessage({ kind } satisfies Message);
      leave(kind);
    }
    if (!answer.ok) throw await readApiError(answer);
    const { accessToken } = (await answer.json()) as { readonly accessToken: string };
    channel.postMessage({ kind: 'token', token: accessToken } satisfies Message);
    acceptToken(accessToken);
    return accessToken;
  });
};

/**
 * Lets one tab after the other do `work`. A page that came without TLS from another machine has no locks: there the calls of one tab take turns, and
 * two tabs may refresh at once, which the API answers alike for ten seconds.
 */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks !== undefined) return locks.request('hearth-session', work);
  const result = lastTurn.then(work);
  lastTurn = result.catch(() => undefined);
  return result;
}

/** Answers who has signed in. */
async function signInWith(address: string, body: object): Promise<string> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...cookieSession, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw await readApiError(answer);
  const { accessToken } = (await answer.json()) as { readonly accessToken: string };
  channel.postMessage({ kind: 'token', token: accessToken } satisfies Message);
  return acceptToken(accessToken);
}

/** Answers whose token it is. */
function acceptToken(token: string): string {
  const { sub, exp } = JSON.parse(atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')) as {
    readonly sub: string;
    readonly exp: number;
  };
  // Whatever is kept of another user, in memory, in caches or in storage, must not be shown to this one.
  const before = 'userId' in state ? state.userId : localStorage.getItem(lastUserKey);
  if (before !== null && before !== sub) {
    void startAnew(sub);
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

/** Loads the page without anything that is known of the person who was signed in; `nextUserId` is who has just done so. */
async function startAnew(nextUserId?: string): Promise<void> {
  const forgotten = forgetPerson();
  // At once, so that no other tab finds that nobody is signed in.
  if (nextUserId !== undefined) rememberUser(nextUserId);
  await forgotten;
  location.replace('/');
}

function leave(kind: 'ended' | 'signedOut'): void {
  access = undefined;
  localStorage.removeItem(storageKey);
  const hadUser = 'userId' in state;
  if (kind === 'ended' && 'userId' in state) change({ kind: 'ended', userId: state.userId });
  else change({ kind: hadUser ? 'leaving' : 'signedOut' });
  if (state.kind === 'leaving') void startAnew();
}

function notifyLinksEnded(): void {
  for (const listener of linkListeners) listener();
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${token}`);
  return { ...init, headers };
}
