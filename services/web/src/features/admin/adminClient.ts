import { createContext, use } from 'react';
import { makeClient, type AdminRouteKey, type Client } from '../../lib/api/client.ts';

/** How the administrator calls the API. */
export type AdminClient = Client<AdminRouteKey>;

/** User name and password of the administrator, in memory alone. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * A client that asks as the administrator. Cookies are left out; so is the browser's own question for a password, which it asks of
 * requests with credentials of its own alone.
 */
export const makeAdminClient = (credentials: Credentials): AdminClient =>
  makeClient<AdminRouteKey>((address, init) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', basicAuthorization(credentials));
    return fetch(address, { ...init, headers, credentials: 'omit' });
  });

/** The value of `Authorization` by RFC 7617, in UTF-8. */
export const basicAuthorization = ({ username, password }: Credentials): string =>
  `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${username}:${password}`)))}`;

/** The client of the administrator who is signed in on this page. */
export const AdminContext = createContext<AdminClient | undefined>(undefined);

/** @throws Error outside of the administrator's page. */
export const useAdmin = (): AdminClient => {
  const client = use(AdminContext);
  if (client === undefined) throw new Error('There is no administrator here.');
  return client;
};
