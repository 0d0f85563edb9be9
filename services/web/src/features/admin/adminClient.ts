import { createContext, use } from 'react';
import { makeClient, type AdminRouteKey, type Client } from '../../lib/api/client.ts';

export type AdminClient = Client<AdminRouteKey>;

/** Credentials of the administrator, kept only in memory. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Creates an API client for the administrator. It sends no cookies, which also suppresses the browser's password prompt
 * after a 401 response.
 */
export const makeAdminClient = (credentials: Credentials): AdminClient =>
  makeClient<AdminRouteKey>((address, init) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', basicAuthorization(credentials));
    return fetch(address, { ...init, headers, credentials: 'omit' });
  });

/** Returns the `Authorization` header of RFC 7617, in UTF-8. */
export const basicAuthorization = ({ username, password }: Credentials): string =>
  `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${username}:${password}`)))}`;

export const AdminContext = createContext<AdminClient | undefined>(undefined);

/** @throws Error outside of the administration page */
export const useAdmin = (): AdminClient => {
  const client = use(AdminContext);
  if (client === undefined) throw new Error('useAdmin must be used within AdminPage.');
  return client;
};
