import { makeClient, type PublicRouteKey } from './client.ts';

/** Calls the routes that anybody may call, as nobody: neither token nor cookie is sent. */
export const { call: callPublic, callPage: callPublicPage } = makeClient<PublicRouteKey>((address, init) =>
  fetch(address, { ...init, credentials: 'omit' }),
);
