import type { Route, RouteParams, SuccessStatus } from '@hearth/contract/defineRoute.ts';
import type { routes } from '@hearth/contract/routes.ts';
import type { z } from 'zod';
import { ApiError, readApiError } from './apiError.ts';
import { authorizedFetch } from './session.ts';

type Routes = typeof routes;

/** Key of a route, such as `GET /v1/mediaItems/{id}`. */
type KeyOf<R extends Route> = `${Uppercase<R['method']>} ${R['path']}`;

/** Routes by key. Only types of the contract are imported, to keep its schemas out of the bundle. */
type RouteByKey = { [Name in keyof Routes as KeyOf<Routes[Name]>]: Routes[Name] };
export type RouteKey = keyof RouteByKey;

export type PublicRouteKey = {
  [Key in RouteKey]: RouteByKey[Key] extends { readonly auth: 'none' } ? Key : never;
}[RouteKey];

export type AdminRouteKey = {
  [Key in RouteKey]: RouteByKey[Key] extends { readonly auth: 'basic' } ? Key : never;
}[RouteKey];

type QueryInput<R> = R extends { readonly query: infer S extends z.ZodType } ? Partial<z.input<S>> : undefined;
type BodyInput<R> = R extends { readonly body: infer S extends z.ZodType } ? z.input<S> : undefined;
type Defined<T> = { [Key in keyof T as T[Key] extends undefined ? never : Key]: T[Key] };

/** Arguments of a call: path parameters and body if the route has them, and an optional query. */
type CallOptions<R extends Route> = Defined<{ params: RouteParams<R>; body: BodyInput<R> }> & {
  query?: QueryInput<R>;
  signal?: AbortSignal | undefined;
};

/** Success statuses except 304: the client sends no conditional requests. */
type ResponseStatus = Exclude<SuccessStatus, 304>;

type SuccessResponse<R extends Route> = {
  [Status in keyof R['responses'] & ResponseStatus]: R['responses'][Status] extends {
    readonly schema: infer S extends z.ZodType;
  }
    ? z.output<S>
    : undefined;
}[keyof R['responses'] & ResponseStatus];

/** One page of a list, with values of its response headers. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
  /** Total number of items, if the server counts them. */
  readonly total: number | undefined;
  /** Search mode, of search results only: `text` or `meaning`. */
  readonly searchMode?: string | undefined;
  /** Revision of the group, of the items of a duplicate group only. */
  readonly revision?: string | undefined;
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

export interface Client<Key extends RouteKey> {
  /**
   * Calls a route and returns the body of its response.
   *
   * @throws ApiError for every error response, and when the server is unreachable
   */
  readonly call: <Called extends Key>(
    key: Called,
    options: CallOptions<RouteByKey[Called]>,
  ) => Promise<SuccessResponse<RouteByKey[Called]>>;
  /**
   * Calls a list route. `next`, from an earlier page, requests the page after it.
   *
   * @throws ApiError as `call` does
   */
  readonly callPage: <Called extends Key>(
    key: Called,
    options: CallOptions<RouteByKey[Called]> & { next?: string | undefined },
  ) => Promise<Page<ItemOf<SuccessResponse<RouteByKey[Called]>>>>;
}

type SendRequest = (address: string, init: RequestInit) => Promise<Response>;

/** Creates a client that sends its requests with `sendRequest`, which authenticates them. */
export const makeClient = <Key extends RouteKey>(sendRequest: SendRequest): Client<Key> => ({
  call: async (key, options) => {
    const response = await send(sendRequest, key, options);
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
    return (isJson ? await response.json() : undefined) as SuccessResponse<RouteByKey[typeof key]>;
  },
  callPage: async (key, { next, ...options }) => {
    const response = await send(sendRequest, key, options, next);
    const total = response.headers.get('X-Total-Count');
    const searchMode = response.headers.get('X-Search-Mode');
    const revision = response.headers.get('X-Revision');
    return {
      items: (await response.json()) as ItemOf<SuccessResponse<RouteByKey[typeof key]>>[],
      next: parseNextLink(response.headers.get('Link')),
      total: total === null ? undefined : Number(total),
      ...(searchMode === null ? {} : { searchMode }),
      ...(revision === null ? {} : { revision }),
    };
  },
});

/** Calls the API as the signed-in user. */
export const { call, callPage } = makeClient<RouteKey>(authorizedFetch);

async function send(
  sendRequest: SendRequest,
  key: string,
  options: { params?: unknown; query?: unknown; body?: unknown; signal?: AbortSignal | undefined },
  address?: string,
): Promise<Response> {
  const [method = 'GET', template = '/'] = key.split(' ');
  const hasBody = options.body !== undefined;
  const response = await sendRequest(address ?? buildUrl(template, options.params, options.query), {
    method,
    ...(hasBody ? { body: JSON.stringify(options.body), headers: { 'Content-Type': 'application/json' } } : {}),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }).catch((error: unknown) => {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) throw error;
    throw new ApiError({ status: 0, code: 'UNREACHABLE', message: 'The server cannot be reached.', cause: error });
  });
  if (!response.ok) throw await readApiError(response);
  return response;
}

/** Builds the URL of a route. Omits undefined query values. */
export const buildUrl = (template: string, params: unknown, query: unknown): string => {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
};

/** Returns path and query of the next page from an RFC 8288 `Link` header. */
export const parseNextLink = (header: string | null): string | undefined => {
  const target = header === null ? undefined : /<([^>]+)>\s*;\s*rel="?next"?/.exec(header)?.[1];
  if (target === undefined) return undefined;
  const { pathname, search } = new URL(target, 'http://localhost');
  return pathname + search;
};

/** Calls public routes without token and cookies. */
export const { call: callPublic, callPage: callPublicPage } = makeClient<PublicRouteKey>((address, init) =>
  fetch(address, { ...init, credentials: 'omit' }),
);
