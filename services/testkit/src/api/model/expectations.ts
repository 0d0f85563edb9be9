import assert from 'node:assert/strict';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import type { Answer, CallOptions, RouteName } from '../client.ts';
import type { TestApi } from '../testApi.ts';
import type { TestUser } from '../testUser.ts';
import {
  coverOf,
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
import { coverFaceOf } from './people.ts';

/** A user, with the expected state of their library. */
export interface Actor {
  readonly user: TestUser;
  readonly library: Library;
}

/** The server, its users, and the number of calls so far. */
export interface Scene {
  readonly api: TestApi;
  readonly actors: readonly Actor[];
  calls: number;
}

/** An expected error. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export const notFound = (what: string): Refusal => ({ status: 404, message: `${what} not found` });

/**
 * Calls a route as a user. Asserts that the response is a success, or `refusal` if given, or NOT_FOUND if its feature is off. Returns undefined after
 * an error. The caller checks the body of a success.
 */
export const callAs = async <Name extends RouteName>(
  { user, library: { off } }: Actor,
  name: Name,
  options: CallOptions = {},
  refusal?: Refusal,
): Promise<Answer<Awaited<ReturnType<typeof user.call<Name>>>['body']> | undefined> => {
  const { feature, path }: Route = routes[name];
  const isOff = (feature !== undefined && off.has(feature)) || (path.startsWith('/v1/explore/') && off.has('explore'));
  const expected = isOff ? notFound('route') : refusal;
  const answer = await user.call(name, options);
  const about = `${name} ${JSON.stringify(options)} answered ${answer.bytes.toString().slice(0, 300)}`;
  if (expected === undefined) {
    assert.ok(answer.status < 300, about);
    return answer;
  }
  assert.deepEqual({ status: answer.status, message: answer.error.message }, expected, about);
  return undefined;
};

/** Start page of a list, and number of pages to read. */
export interface Walk {
  readonly page: number;
  readonly limit: number;
  readonly steps: number;
}

/** Reads a list from a page on by its `next` links. Asserts entries, order, end and total count. */
export const expectList = async <Entry>(
  actor: Actor,
  name: RouteName,
  { params, query }: Pick<CallOptions, 'params' | 'query'>,
  { page, limit, steps }: Walk,
  expected: readonly Entry[],
  shown: (entry: never) => Entry,
  refusal?: Refusal,
): Promise<void> => {
  const isCounted = (routes[name] as Route).responses[200]?.headers?.includes('X-Total-Count') ?? false;
  let asked: NonNullable<CallOptions['query']> = { ...query, page, limit };
  let from = (page - 1) * limit;
  for (let step = 0; step <= steps; step++) {
    const options = { query: asked, ...(params !== undefined && { params }) };
    const answer = await callAs(actor, name, options, refusal);
    if (answer === undefined) return;
    const about = `${name} ${JSON.stringify(options)}`;
    assert.deepEqual((answer.body as never[]).map(shown), expected.slice(from, from + limit), about);
    if (isCounted) assert.equal(answer.headers.get('x-total-count'), String(expected.length), about);
    from += limit;
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
    // The last page has no next link.
    assert.equal(next !== undefined, from < expected.length, `${about}: ${next}`);
    if (next === undefined) return;
    asked = Object.fromEntries(new URL(next, 'http://host').searchParams);
  }
};

/** Compared properties of an item. */
export const seenItem = (item: {
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

export const expectedItem = (library: Library, item: Item) =>
  seenItem({
    ...item,
    mediaItemType: item.type,
    mediaItemCategory: item.category,
    favourite: item.isFavourite,
    hidden: item.isHidden,
    deleted: item.isTrashed,
    shared: isItemShared(library, item),
  });

/** Compared properties of an album, a place or a thing. */
export const seenCollection = (each: {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly shared?: boolean;
  readonly hidden?: boolean;
  readonly mediaItemsCount?: number;
  readonly coverMediaItemId?: string | undefined;
  readonly coverMediaItem?: Parameters<typeof seenItem>[0] | undefined;
}) => {
  assert.equal(each.coverMediaItemId, each.coverMediaItem?.id);
  const cover = each.coverMediaItem && seenItem(each.coverMediaItem);
  return [each.id, each.name, each.description, each.shared, each.hidden, each.mediaItemsCount, cover] as const;
};

export const expectedAlbum = (library: Library, album: Album) => {
  const items = itemsOfAlbum(library, album);
  const cover = coverOf(album, items);
  const { id, name, description, isShared, isHidden } = album;
  return [id, name, description, isShared, isHidden, items.length, cover && expectedItem(library, cover)] as const;
};

export const expectedExplored = (library: Library, kind: ExploredKind, explored: Collection) => {
  const cover = coverOf(explored, itemsOfExplored(library, kind, explored));
  const { id, name } = explored;
  return [id, name, undefined, undefined, undefined, undefined, cover && expectedItem(library, cover)] as const;
};

/** Compared properties of a person. */
export const seenPerson = (person: {
  readonly id: string;
  readonly name?: string | undefined;
  readonly coverMediaItemId?: string | undefined;
  readonly coverMediaItemFaceId?: string | undefined;
}) => [person.id, person.name, person.coverMediaItemId, person.coverMediaItemFaceId] as const;

export const expectedPerson = (library: Library, person: Person) => {
  const face = coverFaceOf(library, person);
  return [person.id, person.name, face?.itemId, face?.id] as const;
};
