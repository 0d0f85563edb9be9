import { check } from 'k6';
import http, { type RefinedParams, type Response, type ResponseType } from 'k6/http';
import type { Endpoint } from './endpoints.ts';
import { settings } from './settings.ts';

export interface RequestOptions {
  readonly token?: string | undefined;
  /** Keeps the response body. Bodies of images are read, counted and discarded. */
  readonly keepsBody?: boolean;
}

/**
 * Returns the full URL of a path or API link. The host of an API link is replaced, because it may be unreachable from
 * here.
 */
export const toUrl = (link: string): string => {
  const begin = link.indexOf('/v1/');
  if (begin >= 0) return `${settings.url}${link.slice(begin)}`;
  return link.startsWith('/') ? `${settings.url}${link}` : link;
};

/**
 * Returns request parameters tagged with the endpoint. The `name` tag groups URLs with different ids into one
 * time series.
 */
export const makeParams = (
  endpoint: Endpoint,
  { token, keepsBody = true }: RequestOptions = {},
): RefinedParams<ResponseType> => ({
  tags: { endpoint, name: endpoint },
  responseType: keepsBody ? 'text' : 'none',
  headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
});

/** Sends a GET request and checks for status 200. */
export const sendRequest = (endpoint: Endpoint, link: string, options: RequestOptions = {}): Response => {
  const response = http.get(toUrl(link), makeParams(endpoint, options));
  checkStatus(response, endpoint, 200);
  return response;
};

/** Returns the JSON of a 200 response. @throws otherwise, which ends the iteration */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type of the response
export const requestJson = <Body>(endpoint: Endpoint, link: string, options: RequestOptions = {}): Body => {
  const response = sendRequest(endpoint, link, options);
  if (response.status !== 200) throw new Error(describe(response));
  return response.json() as Body;
};

/** Fetches files in parallel, as a page does. */
export const requestFiles = (endpoint: Endpoint, links: readonly string[]): void => {
  const params = makeParams(endpoint, { keepsBody: false });
  const responses = http.batch(links.map((link) => ({ method: 'GET', url: toUrl(link), params })));
  for (const response of responses) checkStatus(response, endpoint, 200);
};

/** Checks the status. Each endpoint has its own check, so that the summary names the one that failed. */
export const checkStatus = (response: Response, endpoint: Endpoint, ...expected: readonly number[]): boolean =>
  check(response, { [`${endpoint} returns ${expected.join(' or ')}`]: ({ status }) => expected.includes(status) });

/** Describes a failed response, such as `GET http://… returned 503: …`, with the body or the network error. */
export const describe = ({ request, status, error, body }: Response): string =>
  `${request.method} ${request.url} returned ${status}: ${error || (typeof body === 'string' ? body : '')}`;
