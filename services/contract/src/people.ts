import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors } from './errors.ts';
import { cover, singleItemErrors, ExploredParams, exploredFields, exploreRoutes } from './exploreRoutes.ts';
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
    list: 'People on visible items: named people first, by name, then the others, most items first. Excludes hidden people by default.',
    get: 'Includes hidden people.',
    ofItem: 'Named people first, by name. Without hidden people.',
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
  errors: [...bodyErrors, ...singleItemErrors],
});

export const mergePeople = defineRoute({
  operationId: 'mergePeople',
  method: 'post',
  path: '/v1/explore/people/{id}/merge',
  summary: 'Merge people',
  description:
    'Moves the faces of the others to the person in the path and deletes the others. A person without a name gets the first name among the ' +
    'others. If one of the ids is unknown, the response is 404 and nothing changes; the id in the path is ignored. Undo with `DELETE` and the ' +
    'same body.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: PeopleMerge,
  example: { params: { id: '$PERSON' }, body: { people: ['$OTHER'] } },
  responses: { 204: { description: 'All are one person.' } },
  errors: [...bodyErrors, ...singleItemErrors],
});

export const separatePeople = defineRoute({
  operationId: 'separatePeople',
  method: 'delete',
  path: '/v1/explore/people/{id}/merge',
  summary: 'Undo a merge of people',
  description:
    'Restores the people in the body with their ids, names, covers and visibility. A name that the person in the path got from one of them goes ' +
    'back to them. They get their faces back, except faces that were removed or reassigned meanwhile, and get faces of later media items that are ' +
    'more similar to theirs. A person without a remaining face is not restored. Ids of people who are separate already are ignored. If an ' +
    'id is unknown, or belongs to a person who was merged into another one that must be restored first, the response is 404 and nothing changes.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: PeopleMerge,
  example: { params: { id: '$PERSON' }, body: { people: ['$OTHER'] } },
  responses: { 204: { description: 'All are separate people.' } },
  errors: [...bodyErrors, ...singleItemErrors],
});

export const removeFromPerson = defineRoute({
  operationId: 'removeFromPerson',
  method: 'delete',
  path: '/v1/explore/people/{id}/mediaItems',
  summary: 'Remove a person from media items',
  description:
    'The faces of this person on the items are assigned to similar people or to a new person, or to none if their quality is too low. They are ' +
    'never assigned to this person automatically again. A person without a remaining face is deleted. The media items stay in the library. Undo ' +
    'with `POST` and the same body; for a deleted person within a day.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: MediaItemsRequest,
  example: { params: { id: '$PERSON' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'None of the faces on the items belongs to this person.' } },
  errors: [...bodyErrors, ...singleItemErrors],
});

export const returnToPerson = defineRoute({
  operationId: 'returnToPerson',
  method: 'post',
  path: '/v1/explore/people/{id}/mediaItems',
  summary: 'Undo removing a person from media items',
  description:
    'Assigns the faces that were removed from this person on these items to this person again, even if others have them now. Media items without ' +
    'a removed face are ignored. A person who was deleted with their last face can be restored in this way for a day.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'people',
  params: ExploredParams,
  body: MediaItemsRequest,
  example: { params: { id: '$PERSON' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'The removed faces belong to this person again.' } },
  errors: [...bodyErrors, ...singleItemErrors],
});
