import { randomBytes } from 'k6/crypto';
import encoding from 'k6/encoding';
import http, { type Response } from 'k6/http';
import { describe, makeParams } from './request.ts';
import { settings } from './settings.ts';

/** An account with a session. */
export interface LibrarySession {
  readonly username: string;
  readonly password: string;
  /** Access token of the first session. It expires after 15 minutes. */
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly signedInAt: number;
}

/** An account created for the run. It is deleted with its data at the end. */
export interface Library extends LibrarySession {
  readonly userId: string;
}

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly since: number;
}

/** Maximum age of an access token before it is refreshed, in ms. It expires after 15 minutes. */
const maxTokenAgeMs = 12 * 60_000;

/**
 * Creates an account and signs in. Call it in `setup`. @throws if Hearth is unreachable or the administrator's
 * credentials are wrong
 */
export const createLibrary = (): Library => {
  if (settings.url === '') throw new Error('HEARTH_URL is not set');
  // Usernames are case-insensitive, so a Base64 name would not be unique.
  const username = `load-${Date.now().toString(36)}-${new Uint8Array(randomBytes(4)).join('')}`;
  const password = encoding.b64encode(randomBytes(18), 'rawurl');
  const body = JSON.stringify({ name: 'Load test', username, password });
  const created = expect(http.post(`${settings.url}/v1/users`, body, getAdminParams()), 201);
  return { userId: (created.json() as { id: string }).id, ...signInToLibrary({ username, password }) };
};

/** Signs in to an existing account. Call it in `setup`. */
export const signInToLibrary = ({ username, password }: Credentials): LibrarySession => {
  const { accessToken } = signIn({ username, password });
  return { username, password, accessToken, signedInAt: Date.now() };
};

/** Deletes the account. Call it in `teardown`. */
export const deleteLibrary = ({ userId }: Library): void => {
  expect(http.del(`${settings.url}/v1/users/${userId}`, null, getAdminParams()), 204);
};

/** Session of this VU. A refresh token works only once, so VUs cannot share a session. */
let ownSession: Session | undefined;

/** Returns a valid access token: the run's token while it is fresh, later one from the VU's own session. */
export const getToken = (library: LibrarySession): string => {
  const now = Date.now();
  if (ownSession === undefined) {
    if (now - library.signedInAt < maxTokenAgeMs) return library.accessToken;
    ownSession = signIn(library);
  } else if (now - ownSession.since > maxTokenAgeMs) {
    ownSession = refresh(ownSession);
  }
  return ownSession.accessToken;
};

type Credentials = Pick<LibrarySession, 'username' | 'password'>;

const signIn = ({ username, password }: Credentials): Session => openSession('/v1/auth/login', { username, password });

const refresh = ({ refreshToken }: Session): Session => openSession('/v1/auth/refresh', { refreshToken });

const openSession = (path: string, body: object): Session => {
  const params = makeParams('login');
  const json = { ...params, headers: { 'Content-Type': 'application/json' } };
  const tokens = expect(http.post(`${settings.url}${path}`, JSON.stringify(body), json), 200).json();
  return { ...(tokens as { accessToken: string; refreshToken: string }), since: Date.now() };
};

const getAdminParams = () => {
  const { username, password } = settings.admin;
  const credentials = encoding.b64encode(`${username}:${password}`);
  return {
    tags: { name: 'users' },
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${credentials}` },
  };
};

const expect = (response: Response, status: number): Response => {
  if (response.status === status) return response;
  throw new Error(describe(response));
};
