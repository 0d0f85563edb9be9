import type { Route } from '@hearth/contract/defineRoute.ts';
import type { exampleVariables } from '@hearth/contract/examples.ts';
import { routes } from '@hearth/contract/routes.ts';
import type { CallOptions, RouteName } from './client.ts';

/** Values for variables of examples. */
export type ExampleValues = Readonly<Partial<Record<keyof typeof exampleVariables, string>>>;

/**
 * Returns the request of a route's example.
 * @throws Error if it contains a variable without a value
 */
export const makeExampleRequest = (name: RouteName, values: ExampleValues): CallOptions => {
  const { path, example = {} }: Route = routes[name];
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [
    key,
    example.params?.[key] ?? '$ITEM',
  ]);
  const { query, headers, body } = example;
  const request = { params: Object.fromEntries(pathParameters), query, headers, body };
  const filled = JSON.stringify(request).replaceAll(/\$([A-Z_]+)/g, (_, variable: string) => {
    const value = values[variable as keyof ExampleValues];
    if (value === undefined) throw new Error(`the example of ${name} uses $${variable}, which has no value`);
    return value;
  });
  return JSON.parse(filled) as CallOptions;
};

/** Returns the URL of a route's example, without the `limit` of a list. */
export const makeExampleUrl = (name: RouteName, values: ExampleValues): string => {
  const { params = {}, query = {} } = makeExampleRequest(name, values);
  const path = routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '');
  const { limit: _, ...rest } = query;
  const search = new URLSearchParams(rest as Record<string, string>).toString();
  return search === '' ? path : `${path}?${search}`;
};

/** Path of a list per variable. The variable's value is an id from that list. */
const listRoutes = {
  ITEM: '/v1/mediaItems',
  ALBUM: '/v1/albums',
  PLACE: '/v1/explore/places',
  THING: '/v1/explore/things',
  PERSON: '/v1/explore/people',
  GROUP: '/v1/duplicates',
  JOB: '/v1/jobs',
} as const satisfies ExampleValues;

/**
 * Picks example values from a library: the id at `index` in each list, or the first id if the list is shorter.
 * `listIds` reads the first page of a list.
 */
export const findExampleValues = async (
  listIds: (list: string) => Promise<readonly string[]>,
  index = 0,
): Promise<ExampleValues> => {
  const found = Object.entries(listRoutes).map(async ([variable, list]) => {
    const ids = await listIds(list);
    return [variable, ids[index] ?? ids[0]] as const;
  });
  return Object.fromEntries(await Promise.all(found));
};
