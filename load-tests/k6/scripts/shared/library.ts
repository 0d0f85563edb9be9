import { randomBytes } from 'k6/crypto';
import encoding from 'k6/encoding';
import http, { type Response } from 'k6/http';
import { describe, paramsOf } from './ask.ts';
import { settings } from './settings.ts';

/** An account with a session. */
export interface OpenedLibrary {
  readonly username: string;
  readonly password: string;
  /** Of the run's first session. It lasts for a quarter of an hour. */
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly signedInAt: number;
}

/** An account that is made for a run, and deleted with all that it has when the run ends. */
export interface Library extends OpenedLibrary {
  readonly userId: string;
}

/** The tokens of a session, and when they were got. */
interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly since: number;
}

/** Milliseconds after which an access token is exchanged. It works for 15 minutes. */
const freshMs = 12 * 60_000;

/** Makes an account and signs in. To be called in `setup`. @throws where Hearth is not there or the administrator is another one */
export const openLibrary = (): Library => {
  if (settings.url === '') throw new Error('HEARTH_URL has to say where Hearth is');
  // Usernames are unique without regard to case, so that only the password can be in Base64.
  const username = `load-${Date.now().toString(36)}-${new Uint8Array(randomBytes(4)).join('')}`;
  const password = encoding.b64encode(randomBytes(18), 'rawurl');
  const body = JSON.stringify({ name: 'Load test', username, password });
  const made = expect(http.post(`${settings.url}/v1/users`, body, asAdmin()), 201);
  return { userId: (made.json() as { id: string }).id, ...enterLibrary({ username, password }) };
};

/** Signs in to an account that is there and stays. To be called in `setup`. */
export const enterLibrary = ({ username, password }: Credentials): OpenedLibrary => {
  const { accessToken } = signIn({ username, password });
  return { username, password, accessToken, signedInAt: Date.now() };
};

/** Deletes the account. To be called in `teardown`. */
export const closeLibrary = ({ userId }: Library): void => {
  expect(http.del(`${settings.url}/v1/users/${userId}`, null, asAdmin()), 204);
};

/** The session of this VU alone: refresh tokens work once, so that VUs cannot share them. */
let own: Session | undefined;

/** An access token that works: that of the run while it is fresh, later one of a session of the VU's own. */
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
