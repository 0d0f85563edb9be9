import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { cover, explored } from './explore.ts';
import { maxNameLength } from './limits.ts';
import { MediaItem } from './mediaItem.ts';
import { CursorQuery, ListQuery, queryFlag } from './query.ts';
import { changes, Ids } from './requests.ts';
import { Id, line } from './scalars.ts';

/** Who is seen on some of a user's items; without a name until the user gives one. */
export const Person = z
  .object({
    ...explored,
    name: z.string().optional().meta({ description: 'Left out until one is given.' }),
    coverMediaItemFaceId: Id.optional(),
    coverMediaItemFace: z
      .object({
        thumbnail: z.string().meta({ format: 'uri-reference', description: 'The face: a signed link that expires.' }),
      })
      .optional(),
  })
  .meta({ id: 'Person', description: 'Who is seen on some items.' });
export type Person = z.infer<typeof Person>;

/** What can be changed of a person. */
export const PersonUpdate = changes({
  name: line(maxNameLength).nullable().meta({ description: '`null` removes it.' }),
  hidden: z.boolean().meta({ description: 'Whether the person is left out of every list but that of hidden people.' }),
  coverMediaItemId: cover,
}).meta({ id: 'PersonUpdate', description: 'At least one of these; what is left out stays as it is.' });
export type PersonUpdate = z.infer<typeof PersonUpdate>;

/** People who are the same person as the one in the path, and go up in that one. */
export const PeopleMerge = z
  .strictObject({ people: Ids })
  .meta({ id: 'PeopleMerge', description: 'People who are the same as the one in the path, which stays.' });
export type PeopleMerge = z.infer<typeof PeopleMerge>;

const PersonParams = z.object({ id: Id });

const errorsOfOne = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listPeople = defineRoute({
  operationId: 'listPeople',
  method: 'get',
  path: '/v1/explore/people',
  summary: 'List people',
  description:
    'Who is seen on something visible: first those with a name, by it, then the others, most items first; ' +
    ' without hidden people, or these alone.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  query: ListQuery.extend({
    hidden: queryFlag.prefault(false).meta({ description: 'The hidden people instead of the others.' }),
  }),
  responses: { 200: { description: 'One page.', schema: z.array(Person), headers: ['Link', 'X-Total-Count'] } },
  errors: ['VALIDATION_FAILED', ...errorsOfOne],
});

export const getPerson = defineRoute({
  operationId: 'getPerson',
  method: 'get',
  path: '/v1/explore/people/{id}',
  summary: 'Get a person',
  description: 'Also a hidden one.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: PersonParams,
  responses: { 200: { description: 'The person.', schema: Person } },
  errors: [...inputErrors, ...errorsOfOne],
});

export const updatePerson = defineRoute({
  operationId: 'updatePerson',
  method: 'put',
  path: '/v1/explore/people/{id}',
  summary: 'Name or hide a person, or choose their cover',
  description: 'Two people with the same name stay two.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: PersonParams,
  body: PersonUpdate,
  responses: { 204: { description: 'Changed.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const mergePeople = defineRoute({
  operationId: 'mergePeople',
  method: 'post',
  path: '/v1/explore/people/{id}/merge',
  summary: 'Make one person of several',
  description:
    'The person in the path gets the faces of the others, which are gone, and the name of the first of them that has ' +
    'one, where it has none itself. One unknown id among them is 404 and nothing changes; its own does not matter.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: PersonParams,
  body: PeopleMerge,
  responses: { 204: { description: 'All are one person.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const listPersonMediaItems = defineRoute({
  operationId: 'listPersonMediaItems',
  method: 'get',
  path: '/v1/explore/people/{id}/mediaItems',
  summary: 'List the media items of a person',
  description: 'Newest first, without hidden ones and those in the trash.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: PersonParams,
  query: CursorQuery,
  responses: {
    200: { description: 'One page.', schema: z.array(MediaItem), headers: ['Link', 'X-Total-Count'] },
  },
  errors: [...inputErrors, ...errorsOfOne],
});

export const listMediaItemPeople = defineRoute({
  operationId: 'listMediaItemPeople',
  method: 'get',
  path: '/v1/mediaItems/{id}/people',
  summary: 'List the people on a media item',
  description: 'By name, then those without one; without hidden people.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: PersonParams,
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Person), headers: ['Link'] } },
  errors: [...inputErrors, ...errorsOfOne],
});
