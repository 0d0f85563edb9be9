import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors } from './errors.ts';
import { cover, errorsOfOne, ExploredParams, exploredFields, exploreRoutes } from './exploreRoutes.ts';
import { maxNameLength } from './limits.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { ListQuery, queryFlag } from './query.ts';
import { changes, Ids } from './requests.ts';
import { Id, line } from './scalars.ts';

/** Who is seen on some of a user's items; without a name until the user gives one. */
export const Person = z
  .object({
    ...exploredFields,
    name: z.string().optional().meta({ description: 'Left out until one is given.' }),
    hidden: z
      .boolean()
      .meta({ description: 'Whether the person is left out of every list but that of hidden people.' }),
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

/** People who are the same person as the one in the path, and go up in that one; or who are not after all. */
export const PeopleMerge = z.strictObject({ people: Ids }).meta({
  id: 'PeopleMerge',
  description: 'People who are the same as the one in the path, which stays; or who were.',
});
export type PeopleMerge = z.infer<typeof PeopleMerge>;

export const {
  list: listPeople,
  get: getPerson,
  listMediaItems: listPersonMediaItems,
  listOfMediaItem: listMediaItemPeople,
} = exploreRoutes({
  one: 'Person',
  many: 'People',
  feature: 'people',
  entry: Person,
  listQuery: ListQuery.extend({
    hidden: queryFlag.prefault(false).meta({ description: 'The hidden people instead of the others.' }),
  }),
  descriptions: {
    list:
      'Who is seen on something visible: first those with a name, by it, then the others, most items first; ' +
      ' without hidden people, or these alone.',
    get: 'Also a hidden one.',
    ofItem: 'By name, then those without one; without hidden people.',
  },
  preposition: 'on',
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
  params: ExploredParams,
  body: PersonUpdate,
  example: { params: { id: '$PERSON' }, body: { name: 'Ada' } },
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
    'one, where it has none itself. One unknown id among them is 404 and nothing changes; its own does not matter. ' +
    '`DELETE` with the same body takes it back.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: PeopleMerge,
  example: { params: { id: '$PERSON' }, body: { people: ['$OTHER'] } },
  responses: { 204: { description: 'All are one person.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const separatePeople = defineRoute({
  operationId: 'separatePeople',
  method: 'delete',
  path: '/v1/explore/people/{id}/merge',
  summary: 'Take back that people were merged into a person',
  description:
    'Those in the body are there again, by the ids that they had, with their name, cover and whether they are hidden; a name that the person in ' +
    'the path got from one of them goes with it. They have their faces again, but for those that were taken out or away meanwhile, and ' +
    'those of later media items that are more like theirs; somebody of whom no face is left does not come back. Who is a person already ' +
    'does not matter. An id of somebody else, or of somebody who was merged into another person, who first has to come back, is 404 and ' +
    'nothing changes.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: PeopleMerge,
  example: { params: { id: '$PERSON' }, body: { people: ['$OTHER'] } },
  responses: { 204: { description: 'All are people of their own.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const removeFromPerson = defineRoute({
  operationId: 'removeFromPerson',
  method: 'delete',
  path: '/v1/explore/people/{id}/mediaItems',
  summary: 'Say that a person is not on media items',
  description:
    'The faces that were taken for this person there are somebody else’s: of whom they are like, of somebody new, or of nobody ' +
    'where they are too poor. They never come back to this person by themselves. Where the person has no other face, the person is gone. ' +
    'The media items stay in the library. `POST` with the same body takes it back, within a day also where the person is gone.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: MediaItemsRequest,
  example: { params: { id: '$PERSON' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'None of the faces on them is this person’s.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const returnToPerson = defineRoute({
  operationId: 'returnToPerson',
  method: 'post',
  path: '/v1/explore/people/{id}/mediaItems',
  summary: 'Take back that a person is not on media items',
  description:
    'The faces there that were taken out of this person are this person’s again, whoever has them now. Media items without such a face do ' +
    'not matter. A person who is gone because the last face was taken out can be named here for a day, and is there again with it.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: MediaItemsRequest,
  example: { params: { id: '$PERSON' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'No face on them is kept out of this person.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});
