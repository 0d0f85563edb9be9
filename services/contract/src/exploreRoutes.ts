import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { mediaItemPage } from './mediaItem.ts';
import { CursorQuery, ListQuery } from './query.ts';
import { Id, Timestamp } from './scalars.ts';
import type { FeatureName } from './vocabulary.ts';

/** Fields of places, things and people. */
export const exploredFields = {
  id: Id,
  coverMediaItemId: Id.optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const cover = Id.nullable().meta({
  description: 'One of the visible items; `null`: choose the cover automatically.',
});

export const ExploredParams = z.object({ id: Id });

export const singleItemErrors = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

type ExploredFeature = FeatureName & ('places' | 'things' | 'people');

/** A kind of collection to explore a library by. */
interface ExploredKind<Feature extends ExploredFeature, Entry extends z.ZodType, Query extends z.ZodObject> {
  /** The singular as in `operationId`s, such as `Place`. */
  readonly one: string;
  /** The plural as in `operationId`s. */
  readonly many: string;
  /** The feature of all routes. Its name is also the last word of the list’s path. */
  readonly feature: Feature;
  readonly entry: Entry;
  readonly listQuery: Query;
  readonly descriptions: { readonly list: string; readonly get?: string; readonly ofItem: string };
  /** The word between the kind and "a media item" in summaries. */
  readonly preposition: 'of' | 'on';
}

/**
 * Defines the reading routes of a kind: its list, one entry, the media items of an entry, and the entries of a media
 * item.
 */
export const exploreRoutes = <
  const Feature extends ExploredFeature,
  Entry extends z.ZodType,
  Query extends z.ZodObject,
>({
  one,
  many,
  feature,
  entry,
  listQuery,
  descriptions,
  preposition,
}: ExploredKind<Feature, Entry, Query>) => {
  const common = { method: 'get', tag: 'explore', auth: 'bearer', feature } as const;
  const name = one.toLowerCase();
  const example = { params: { id: `$${one.toUpperCase()}` } };
  return {
    list: defineRoute({
      ...common,
      operationId: `list${many}`,
      path: `/v1/explore/${feature}` as const,
      summary: `List ${feature}`,
      description: descriptions.list,
      query: listQuery,
      responses: { 200: { description: 'One page.', schema: z.array(entry), headers: ['Link', 'X-Total-Count'] } },
      errors: ['VALIDATION_FAILED', ...singleItemErrors],
    }),
    get: defineRoute({
      ...common,
      operationId: `get${one}`,
      path: `/v1/explore/${feature}/{id}` as const,
      summary: `Get a ${name}`,
      ...(descriptions.get !== undefined && { description: descriptions.get }),
      params: ExploredParams,
      example,
      responses: { 200: { description: `The ${name}.`, schema: entry } },
      errors: [...inputErrors, ...singleItemErrors],
    }),
    listMediaItems: defineRoute({
      ...common,
      operationId: `list${one}MediaItems`,
      path: `/v1/explore/${feature}/{id}/mediaItems` as const,
      summary: `List the media items of a ${name}`,
      description: 'Newest first, without hidden items and items in the trash.',
      params: ExploredParams,
      query: CursorQuery,
      example,
      responses: mediaItemPage,
      errors: [...inputErrors, ...singleItemErrors],
    }),
    listOfMediaItem: defineRoute({
      ...common,
      operationId: `listMediaItem${many}`,
      path: `/v1/mediaItems/{id}/${feature}` as const,
      summary: `List the ${feature} ${preposition} a media item`,
      description: descriptions.ofItem,
      params: ExploredParams,
      query: ListQuery,
      responses: { 200: { description: 'One page.', schema: z.array(entry), headers: ['Link'] } },
      errors: [...inputErrors, ...singleItemErrors],
    }),
  };
};
