import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { KeysetQuery, ListQuery, queryFlag, queryInteger } from './query.ts';
import { defaultSuggestions, maxFilterIds, maxNameLength, maxSearchLength, maxSuggestions } from './limits.ts';
import { MediaItem } from './mediaItem.ts';
import type { SearchFilters } from './searchFilters.ts';
import { Day, extensible, Id, trimmedText, word } from './scalars.ts';
import { mediaItemCategories, mediaItemTypes, searchReasonKinds, searchSuggestionKinds } from './vocabulary.ts';

const severalIds = 'ids with commas between them, or the name repeated';

/** Ids as one text with commas, or a repeated name. An invalid id makes the whole parameter invalid. */
const FilterIds = z
  .preprocess(
    (value: string | readonly string[]) => {
      const ids = [value].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : each));
      return ids.every((id) => Id.safeParse(id).success) ? ids : undefined;
    },
    z
      .array(Id, { error: `must be ${severalIds}` })
      .min(1)
      .max(maxFilterIds),
  )
  .optional();

const day = (description: string) => Day.optional().meta({ description, example: '2022-04-03' });

/** The filters of a search as query parameters. */
const filters = {
  people: FilterIds.meta({ description: `Only items with all of these people: ${severalIds}.` }),
  things: FilterIds.meta({ description: `Only items that show all of these things: ${severalIds}.` }),
  places: FilterIds.meta({ description: `Only items in one of these places: ${severalIds}.` }),
  albums: FilterIds.meta({ description: `Only items in one of these albums: ${severalIds}.` }),
  type: word(mediaItemTypes).optional().meta({ description: 'Only items of this type; case-insensitive.' }),
  category: word(mediaItemCategories)
    .optional()
    .meta({ description: 'Only items of this category; case-insensitive.' }),
  favourite: queryFlag.optional().meta({ description: '`true`: only favourites; `false`: only others.' }),
  camera: trimmedText(maxNameLength).optional().meta({
    description: 'Only items of a camera with all of these words in its make and model.',
    example: 'Canon EOS R6',
  }),
  from: day('Only items taken on this local day or later.'),
  to: day('Only items taken on this local day or earlier.'),
} satisfies Readonly<Record<keyof SearchFilters, z.ZodType>>;

const SearchQuery = ListQuery.extend({
  q: trimmedText(maxSearchLength).optional().meta({
    description: 'The search text. Optional with a filter; without a text, results are sorted newest first.',
    example: 'anna beach 2019',
  }),
  ...filters,
  today: day('The user’s current day, for `yesterday` and `last summer`; by default the day in UTC.'),
})
  .refine(
    ({ page: _page, limit: _limit, cursor: _cursor, today: _today, ...criteria }) =>
      Object.values(criteria).some((value) => value !== undefined),
    { path: ['q'], error: 'is required without filters' },
  )
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'must not be before from',
  });

export const SearchReason = z
  .object({
    kind: z.enum(searchReasonKinds).meta(extensible),
    words: z.array(z.string()).meta({
      description: 'The matching words of the query, in lower case and without accents; empty for a filter.',
    }),
    id: Id.optional().meta({ description: 'Id of the person, place, thing or album.' }),
    value: z
      .string()
      .optional()
      .meta({
        description:
          'The display text: the name of the person, place, thing, album or camera, the file name, the part of the description or of the text in the ' +
          'picture around the words, the type or category, or the words of a date.',
        example: 'Anna',
      }),
    from: Day.optional().meta({ description: 'The first local day of a date, if it has one.' }),
    to: Day.optional().meta({ description: 'The last local day of a date, if it has one.' }),
  })
  .meta({ id: 'SearchReason', description: 'A reason why an item matches a search.' });
export type SearchReason = z.infer<typeof SearchReason>;

export const FoundMediaItem = MediaItem.extend({
  reasons: z.array(SearchReason).meta({
    description: 'Reasons for the match: those of the words first, then those of the filters, in their order.',
  }),
}).meta({ id: 'FoundMediaItem', description: 'A photo or video with the reasons for its match.' });
export type FoundMediaItem = z.infer<typeof FoundMediaItem>;

export const searchMediaItems = defineRoute({
  operationId: 'searchMediaItems',
  method: 'get',
  path: '/v1/search',
  summary: 'Search media items',
  description:
    'Visible items that match all words, best first, at most 1,000. Words match names of people, places, things and albums, file names, ' +
    'descriptions, cameras, text in pictures, types as in `videos`, and dates as in `june 2023` or `last summer`. Accents and case are ignored, ' +
    'and words without a match may have typos. Filters restrict the results. Per server, a user can have two active and eight waiting searches; ' +
    'further ones are 429. A search of more than 3 s is 503.',
  tag: 'library',
  auth: 'bearer',
  query: SearchQuery,
  example: { query: { q: 'beach 2024' } },
  responses: { 200: { description: 'One page.', schema: z.array(FoundMediaItem), headers: ['Link', 'X-Search-Mode'] } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});

export const listSimilarMediaItems = defineRoute({
  operationId: 'listSimilarMediaItems',
  method: 'get',
  path: '/v1/mediaItems/{id}/similar',
  summary: 'List similar media items',
  description:
    'Visible items similar to this one, most similar first and without it, at most 1,000; their reason is `meaning`. Empty for an item that is ' +
    'not visible. Empty, with `X-Search-Mode: text`, for an item that has no embedding yet. Counts as a search: per server, a user can have two ' +
    'active and eight waiting searches; further ones are 429. A search of more than 3 s is 503.',
  tag: 'library',
  auth: 'bearer',
  params: z.object({ id: Id }),
  query: KeysetQuery,
  responses: { 200: { description: 'One page.', schema: z.array(FoundMediaItem), headers: ['Link', 'X-Search-Mode'] } },
  errors: [...inputErrors, 'UNAUTHORIZED', 'NOT_FOUND', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});

export const SearchSuggestion = z
  .object({
    kind: z.enum(searchSuggestionKinds).meta(extensible),
    id: Id.optional().meta({ description: 'Id of the person, place, thing or album.' }),
    value: z.string().meta({
      description: 'The name. For a date, a year `2022` or a month `2022-04`.',
      example: 'Anna',
    }),
    count: z.int().min(1).meta({ description: 'Number of visible items. For a camera at most 1,000 are counted.' }),
  })
  .meta({ id: 'SearchSuggestion', description: 'A suggestion for a search.' });
export type SearchSuggestion = z.infer<typeof SearchSuggestion>;

export const listSearchSuggestions = defineRoute({
  operationId: 'listSearchSuggestions',
  method: 'get',
  path: '/v1/search/suggestions',
  summary: 'Suggest searches',
  description:
    'People, places, things, albums and cameras, and months and years with items, whose names contain the typed text at the beginning or at the ' +
    'start of a later word. Matches at the beginning come first; each group is sorted by number of items. Without hidden people and albums, and ' +
    'without entries that have no visible item.',
  tag: 'library',
  auth: 'bearer',
  query: z.object({
    q: trimmedText(maxSearchLength).meta({ description: 'The typed text.', example: 'ann' }),
    limit: queryInteger(1, maxSuggestions)
      .prefault(defaultSuggestions)
      .meta({ description: 'Maximum number of suggestions.' }),
  }),
  example: { query: { q: 'be' } },
  responses: { 200: { description: 'Best first.', schema: z.array(SearchSuggestion) } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', ...serverErrors],
});
