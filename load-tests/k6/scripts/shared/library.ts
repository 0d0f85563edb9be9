import { randomBytes } from 'k6/crypto';
import encoding from 'k6/encoding';
import http, { type Response } from 'k6/http';
import { describe, paramsOf } from './ask.ts';
import { settings } from './settings.ts';

/** An account with a session. */
export interface OpenedLibrary {
  readonly username: string;
  readonly password: string;
  /** Access token of the first session. It expires after 15 minutes. */
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly signedInAt: number;
}

/** An account created for the run. It is deleted with its data at the end. */
export interface Library extends OpenedLibrary {
  readonly userId: string;
}

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly since: number;
}

/** Maximum age of an access token before it is refreshed, in ms. It expires after 15 minutes. */
const freshMs = 12 * 60_000;

/**
 * Creates an account and signs in. Call it in `setup`. @throws if Hearth is unreachable or the administrator's
 * credentials are wrong
 */
export const openLibrary = (): Library => {
  if (settings.url === '') throw new Error('HEARTH_URL has to say where Hearth is');
  // Usernames are case-insensitive, so a Base64 name would not be unique.
  const username = `load-${Date.now().toString(36)}-${new Uint8Array(randomBytes(4)).join('')}`;
  const password = encoding.b64encode(randomBytes(18), 'rawurl');
  const body = JSON.stringify({ name: 'Load test', username, password });
  const made = expect(http.post(`${settings.url}/v1/users`, body, asAdmin()), 201);
  return { userId: (made.json() as { id: string }).id, ...enterLibrary({ username, password }) };
};

/** Signs in to an existing account. Call it in `setup`. */
export const enterLibrary = ({ username, password }: Credentials): OpenedLibrary => {
  const { accessToken } = signIn({ username, password });
  return { username, password, accessToken, signedInAt: Date.now() };
};

/** Deletes the account. Call it in `teardown`. */
export const closeLibrary = ({ userId }: Library): void => {
  expect(http.del(`${settings.url}/v1/users/${userId}`, null, asAdmin()), 204);
};

/** Session of this VU. A refresh token works only once, so VUs cannot share a session. */
let own: Session | undefined;

/** Returns a valid access token: that of the run while it is fresh, then one of the VU's own session. */
export const tokenOf = (library: OpenedLibrary): string => {
  const now = Date.now();
  if (own === undefined) {
    if (now - library.signedInAt < freshMs) return library.accessToken;
    own = signIn(library);
  } else if (now - own.since > freshMs) {
    own = refresh(own);
  }
  return own.accessToken;
};

type Credentials = Pick<OpenedLibrary, 'username' | 'password'>;

const signIn = ({ username, password }: Credentials): Session => openSession('/v1/auth/login', { username, password });

const refresh = ({ refreshToken }: Session): Session => openSession('/v1/auth/refresh', { refreshToken });

const openSession = (path: string, body: object): Session => {
  const params = paramsOf('login');
  const json = { ...params, headers: { 'Content-Type': 'application/json' } };
  const tokens = expect(http.post(`${settings.url}${path}`, JSON.stringify(body), json), 200).json();
  return { ...(tokens as { accessToken: string; refreshToken: string }), since: Date.now() };
};

const asAdmin = () => {
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
