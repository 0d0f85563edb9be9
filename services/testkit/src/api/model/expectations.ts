import assert from 'node:assert/strict';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import type { ApiResponse, CallOptions, RouteName } from '../client.ts';
import type { TestApi } from '../testApi.ts';
import type { TestUser } from '../testUser.ts';
import {
  findCover,
  isItemShared,
  itemsOfAlbum,
  itemsOfExplored,
  type Album,
  type Collection,
  type ExploredKind,
  type Item,
  type Library,
  type Person,
} from './library.ts';
import { findCoverFace } from './people.ts';

/** A user, with the expected state of their library. */
export interface ModelUser {
  readonly user: TestUser;
  readonly library: Library;
}

/** The server, its users, and the number of calls so far. */
export interface ModelContext {
  readonly api: TestApi;
  readonly actors: readonly ModelUser[];
  calls: number;
}

/** An expected error. */
export interface ExpectedError {
  readonly status: number;
  readonly message: string;
}

export const expectNotFound = (kind: string): ExpectedError => ({ status: 404, message: `${kind} not found` });

/**
 * Calls a route as a user. Asserts that the response is NOT_FOUND if the feature is off, `expectedError` if set, and
 * otherwise a success. Returns undefined after an error. The caller checks the body of a success.
 */
export const callAs = async <Name extends RouteName>(
  { user, library: { off } }: ModelUser,
  name: Name,
  options: CallOptions = {},
  expectedError?: ExpectedError,
): Promise<ApiResponse<Awaited<ReturnType<typeof user.call<Name>>>['body']> | undefined> => {
  const { feature, path }: Route = routes[name];
  const isOff = (feature !== undefined && off.has(feature)) || (path.startsWith('/v1/explore/') && off.has('explore'));
  const expected = isOff ? expectNotFound('route') : expectedError;
  const response = await user.call(name, options);
  const about = `${name} ${JSON.stringify(options)} returned ${response.bytes.toString().slice(0, 300)}`;
  if (expected === undefined) {
    assert.ok(response.status < 300, about);
    return response;
  }
  assert.deepEqual({ status: response.status, message: response.error.message }, expected, about);
  return undefined;
};

/** Pages of a list to read. */
export interface Paging {
  /** Number of the first page, from 1. */
  readonly page: number;
  readonly limit: number;
  /** Maximum number of `next` links to follow after the first page. */
  readonly steps: number;
}

/** Reads a list from a start page on by following its `next` links. Asserts entries, order, end and total count. */
export const expectList = async <Entry>(
  modelUser: ModelUser,
  name: RouteName,
  { params, query }: Pick<CallOptions, 'params' | 'query'>,
  { page, limit, steps }: Paging,
  expected: readonly Entry[],
  toComparable: (entry: never) => Entry,
  expectedError?: ExpectedError,
): Promise<void> => {
  const isCounted = (routes[name] as Route).responses[200]?.headers?.includes('X-Total-Count') ?? false;
  let currentQuery: NonNullable<CallOptions['query']> = { ...query, page, limit };
  let from = (page - 1) * limit;
  for (let step = 0; step <= steps; step++) {
    const options = { query: currentQuery, ...(params !== undefined && { params }) };
    const response = await callAs(modelUser, name, options, expectedError);
    if (response === undefined) return;
    const about = `${name} ${JSON.stringify(options)}`;
    assert.deepEqual((response.body as never[]).map(toComparable), expected.slice(from, from + limit), about);
    if (isCounted) assert.equal(response.headers.get('x-total-count'), String(expected.length), about);
    from += limit;
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    // The last page has no next link.
    assert.equal(next !== undefined, from < expected.length, `${about}: ${next}`);
    if (next === undefined) return;
    currentQuery = Object.fromEntries(new URL(next, 'http://host').searchParams);
  }
};

/** Returns the properties of an item that are compared. */
export const toSeenItem = (item: {
  readonly id: string;
  readonly filename: string;
  readonly description?: string | undefined;
  readonly localTime: string;
  readonly mediaItemType: string;
  readonly mediaItemCategory: string;
  readonly status: string;
  readonly favourite: boolean;
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly shared: boolean;
}) =>
  [
    item.id,
    item.filename,
    item.description,
    item.localTime,
    [item.mediaItemType, item.mediaItemCategory, item.status].join(' '),
    [item.favourite && 'favourite', item.hidden && 'hidden', item.deleted && 'deleted', item.shared && 'shared'].join(
      ' ',
    ),
  ] as const;

export const toExpectedItem = (library: Library, item: Item) =>
  toSeenItem({
    ...item,
    mediaItemType: item.type,
    mediaItemCategory: item.category,
    favourite: item.isFavourite,
    hidden: item.isHidden,
    deleted: item.isTrashed,
    shared: isItemShared(library, item),
  });

/** Returns the properties of an album, place or thing that are compared. */
export const toSeenCollection = (collection: {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly shared?: boolean;
  readonly hidden?: boolean;
  readonly mediaItemsCount?: number;
  readonly coverMediaItemId?: string | undefined;
  readonly coverMediaItem?: Parameters<typeof toSeenItem>[0] | undefined;
}) => {
  assert.equal(collection.coverMediaItemId, collection.coverMediaItem?.id);
  const cover = collection.coverMediaItem && toSeenItem(collection.coverMediaItem);
  return [
    collection.id,
    collection.name,
    collection.description,
    collection.shared,
    collection.hidden,
    collection.mediaItemsCount,
    cover,
  ] as const;
};

export const toExpectedAlbum = (library: Library, album: Album) => {
  const items = itemsOfAlbum(library, album);
  const cover = findCover(album, items);
  const { id, name, description, isShared, isHidden } = album;
  return [id, name, description, isShared, isHidden, items.length, cover && toExpectedItem(library, cover)] as const;
};

export const toExpectedExplored = (library: Library, kind: ExploredKind, explored: Collection) => {
  const cover = findCover(explored, itemsOfExplored(library, kind, explored));
  const { id, name } = explored;
  return [id, name, undefined, undefined, undefined, undefined, cover && toExpectedItem(library, cover)] as const;
};

/** Returns the properties of a person that are compared. */
export const toSeenPerson = (person: {
  readonly id: string;
  readonly name?: string | undefined;
  readonly coverMediaItemId?: string | undefined;
  readonly coverMediaItemFaceId?: string | undefined;
}) => [person.id, person.name, person.coverMediaItemId, person.coverMediaItemFaceId] as const;

export const toExpectedPerson = (library: Library, person: Person) => {
  const face = findCoverFace(library, person);
  return [person.id, person.name, face?.itemId, face?.id] as const;
};
