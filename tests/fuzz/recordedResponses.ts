import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { checkResponse, checkError, type RawResponse } from '@hearth/testkit/api/responseChecker.ts';

/** The fields read from an HTTP Archive (HAR). Bodies are in Base64. */
export interface Recording {
  readonly log: {
    readonly entries: readonly {
      readonly request: { readonly method: string; readonly url: string };
      readonly response: {
        readonly status: number;
        readonly headers: readonly { readonly name: string; readonly value: string }[];
        readonly content: { readonly text?: string };
      };
    }[];
  };
}

type Entry = Recording['log']['entries'][number];

/**
 * Checks every recorded response against the contract, which is stricter than its OpenAPI document: error codes per
 * route, request ids and error headers. Counts responses by status.
 * @throws Error with the request
 */
export const checkRecording = ({ log }: Recording): ReadonlyMap<number, number> => {
  const statuses = new Map<number, number>();
  for (const entry of log.entries) {
    const { status } = entry.response;
    // A request without a response is an error of Schemathesis' own report.
    if (status === 0) continue;
    try {
      check(entry);
    } catch (error) {
      throw new Error(`${entry.request.method} ${entry.request.url}: ${(error as Error).message}`, { cause: error });
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
};

const check = ({ request: { method, url }, response: { status, headers, content } }: Entry): void => {
  const response: RawResponse = {
    status,
    headers: new Headers(headers.map(({ name, value }) => [name, value])),
    bytes: Buffer.from(content.text ?? '', 'base64'),
    isHead: method === 'HEAD',
  };
  const name = findRoute(method, new URL(url).pathname);
  if (name !== undefined) checkResponse(name, response);
  else checkError(`${method} ${url}`, ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'MALFORMED_REQUEST'], response);
};

type RouteName = keyof typeof routes;

/** Patterns of all paths, those with the fewest parameters first: `/v1/mediaItems/check` before `/v1/mediaItems/{id}`. */
const patterns = (Object.entries(routes) as [RouteName, Route][])
  .map(([name, { method, path }]) => ({
    name,
    path,
    method: method.toUpperCase(),
    parameters: path.split('{').length,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
  }))
  .toSorted((a, b) => a.parameters - b.parameters);

/** Returns the route of a request, if any. HEAD falls back to the GET route. */
const findRoute = (method: string, path: string): RouteName | undefined => {
  const first = patterns.find(({ pattern }) => pattern.test(path));
  const atPath = patterns.filter((route) => route.path === first?.path);
  const find = (wanted: string): RouteName | undefined => atPath.find((route) => route.method === wanted)?.name;
  return find(method) ?? (method === 'HEAD' ? find('GET') : undefined);
};
