import { check } from 'k6';
import http, { type RefinedParams, type Response, type ResponseType } from 'k6/http';
import type { Endpoint } from './endpoints.ts';
import { settings } from './settings.ts';

/** What a request is sent with, besides its address. */
export interface AskOptions {
  readonly token?: string | undefined;
  /** Whether the bytes of the answer are of use. Those of pictures are read, counted and thrown away. */
  readonly keepsBody?: boolean;
}

/** The whole address of a path or of a link of the API, which may begin with an address that leads nowhere from here. */
export const addressOf = (link: string): string => {
  const begin = link.indexOf('/v1/');
  if (begin >= 0) return `${settings.url}${link.slice(begin)}`;
  return link.startsWith('/') ? `${settings.url}${link}` : link;
};

/** The parameters of a request that counts as one for this endpoint. Its name is the endpoint's: addresses with ids would make a series each. */
export const paramsOf = (
  endpoint: Endpoint,
  { token, keepsBody = true }: AskOptions = {},
): RefinedParams<ResponseType> => ({
  tags: { endpoint, name: endpoint },
  responseType: keepsBody ? 'text' : 'none',
  headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
});

/** Asks by GET and checks that it is answered 200. */
export const ask = (endpoint: Endpoint, link: string, options: AskOptions = {}): Response => {
  const response = http.get(addressOf(link), paramsOf(endpoint, options));
  checkStatus(response, endpoint, 200);
  return response;
};

/** The JSON of an answer of 200. @throws Error that ends the iteration, where it is another one */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the answer is, is known to whoever asks
export const askForJson = <Body>(endpoint: Endpoint, link: string, options: AskOptions = {}): Body => {
  const response = ask(endpoint, link, options);
  if (response.status !== 200) throw new Error(describe(response));
  return response.json() as Body;
};

/** Asks for files at the same time, as a page does. */
export const askForFiles = (endpoint: Endpoint, links: readonly string[]): void => {
  const params = paramsOf(endpoint, { keepsBody: false });
  const responses = http.batch(links.map((link) => ({ method: 'GET', url: addressOf(link), params })));
  for (const response of responses) checkStatus(response, endpoint, 200);
};

/** A check of the endpoint's own, so that a summary says which one failed. */
export const checkStatus = (response: Response, endpoint: Endpoint, ...expected: readonly number[]): boolean =>
  check(response, { [`${endpoint} answers ${expected.join(' or ')}`]: ({ status }) => expected.includes(status) });

/** `GET http://… answers 503: …`, with why there was no answer, if none came. */
export const describe = ({ request, status, error, body }: Response): string =>
  `${request.method} ${request.url} answers ${status}: ${error || (typeof body === 'string' ? body : '')}`;
