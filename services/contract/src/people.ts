import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors } from './errors.ts';
import { cover, errorsOfOne, ExploredParams, exploredFields, exploreRoutes } from './exploreRoutes.ts';
import { maxNameLength } from './limits.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { ListQuery, queryFlag } from './query.ts';
import { changes, Ids } from './requests.ts';
import { Id, line } from './scalars.ts';

export const Person = z
  .object({
    ...exploredFields,
    name: z.string().optional().meta({ description: 'Omitted until a name is set.' }),
    hidden: z.boolean().meta({ description: 'True if the person appears only in the list of hidden people.' }),
    coverMediaItemFaceId: Id.optional(),
    coverMediaItemFace: z
      .object({
        thumbnail: z.string().meta({ format: 'uri-reference', description: 'The face: a signed link that expires.' }),
      })
      .optional(),
  })
  .meta({ id: 'Person', description: 'A person on some items.' });
export type Person = z.infer<typeof Person>;

export const PersonUpdate = changes({
  name: line(maxNameLength).nullable().meta({ description: '`null` removes the name.' }),
  hidden: z.boolean().meta({ description: 'True if the person appears only in the list of hidden people.' }),
  coverMediaItemId: cover,
}).meta({ id: 'PersonUpdate', description: 'At least one field. Omitted fields stay unchanged.' });
export type PersonUpdate = z.infer<typeof PersonUpdate>;

export const PeopleMerge = z.strictObject({ people: Ids }).meta({
  id: 'PeopleMerge',
  description: 'People to merge into the one in the path, or to separate from it.',
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
    hidden: queryFlag.prefault(false).meta({ description: '`true`: only hidden people; `false`: only others.' }),
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
  description: 'Two people with the same name stay separate.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: PersonUpdate,
  example: { params: { id: '$PERSON' }, body: { name: 'Ada' } },
  responses: { 204: { description: 'Updated.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const mergePeople = defineRoute({
  operationId: 'mergePeople',
  method: 'post',
  path: '/v1/explore/people/{id}/merge',
  summary: 'Merge people',
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
  summary: 'Undo a merge of people',
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
  responses: { 204: { description: 'All are separate people.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const removeFromPerson = defineRoute({
  operationId: 'removeFromPerson',
  method: 'delete',
  path: '/v1/explore/people/{id}/mediaItems',
  summary: 'Remove a person from media items',
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
  responses: { 204: { description: 'None of the faces on the items belongs to this person.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const returnToPerson = defineRoute({
  operationId: 'returnToPerson',
  method: 'post',
  path: '/v1/explore/people/{id}/mediaItems',
  summary: 'Undo removing a person from media items',
  description:
    'The faces there that were taken out of this person are this person’s again, whoever has them now. Media items without such a face do ' +
    'not matter. A person who is gone because the last face was taken out can be named here for a day, and is there again with it.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: MediaItemsRequest,
  example: { params: { id: '$PERSON' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'The removed faces belong to this person again.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});
