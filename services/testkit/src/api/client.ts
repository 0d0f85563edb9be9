import assert from 'node:assert/strict';
import type { z } from 'zod';
import type { Route } from '@hearth/contract/defineRoute.ts';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { routes } from '@hearth/contract/routes.ts';
import { checkResponse } from './responseChecker.ts';

export type RouteName = keyof typeof routes;

/** Parts of a request. They may be invalid, to test bad requests. */
export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the route's method. */
  readonly method?: string;
}

/** A response that was checked against the contract. */
export interface ApiResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Body of a success. Reading it after an error fails the test, with the response in the message. */
  readonly body: Body;
  /** Body of an error. Reading it after a success fails the test. */
  readonly error: ErrorBody;
}

/** Calls a route and checks its response against the contract. */
export type Client = <Name extends RouteName>(
  name: Name,
  options?: CallOptions,
) => Promise<ApiResponse<SuccessBody<Name>>>;

/** Creates a client for the API at `url`. `authorization` is sent with each request. */
export const createClient =
  (url: string, authorization?: string): Client =>
  async (name, { params = {}, query = {}, body, raw, headers = {}, method } = {}) => {
    const route: Route = routes[name];
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
    const search = encodeQuery(query);
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${url}${path}?${search}`, {
      method: method ?? route.method.toUpperCase(),
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: Buffer.from(content) }),
    });
    return readResponse(name, response, (method ?? route.method).toUpperCase() === 'HEAD');
  };

/** Fetches a URL from a response, such as a link, and checks the response against the contract. */
export const fetchLink = async (
  url: string,
  link: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<ApiResponse<never>> =>
  readResponse(
    findRouteOfLink(new URL(link, url).pathname),
    await fetch(new URL(link, url), { method, headers }),
    method === 'HEAD',
  );

const findRouteOfLink = (path: string): RouteName =>
  path.startsWith('/v1/sharing/') ? 'getSharedFile' : path.startsWith('/v1/thumbnails/') ? 'getThumbnail' : 'getFile';

const encodeQuery = (query: NonNullable<CallOptions['query']>): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.toString();
};

type SuccessBody<Name extends RouteName> = ResponseBody<(typeof routes)[Name]['responses']>;
type ResponseBody<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly schema: infer S extends z.ZodType }
    ? z.output<S>
    : never;
}[keyof Responses];

const readResponse = async <Body>(name: RouteName, response: Response, isHead: boolean): Promise<ApiResponse<Body>> => {
  const { status, headers } = response;
  // A stream of events does not end. `eventReader.ts` reads such streams.
  const isEndless = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isEndless) await response.body?.cancel();
  const bytes = isEndless ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer());
  checkResponse(name, { status, headers, bytes, isHead });
  const json = (): unknown => JSON.parse(bytes.toString());
  return {
    status,
    headers,
    bytes,
    get body() {
      assert.ok(status < 300, `${name} returned ${status} ${bytes.toString()}`);
      return json() as Body;
    },
    get error() {
      assert.ok(status >= 400, `${name} returned ${status}`);
      return json() as ErrorBody;
    },
  };
};
