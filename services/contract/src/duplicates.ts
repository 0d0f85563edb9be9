import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { KeysetQuery, queryFlag } from './query.ts';
import { maxDuplicatesShown, maxIdsPerRequest } from './limits.ts';
import { MediaItem, mediaItemPage } from './mediaItem.ts';
import { Ids } from './requests.ts';
import { Id } from './scalars.ts';

/** Nothing is told by it but whether it is the same. */
const Revision = z.string().max(32);

/** Photos that show the same, with the one that is proposed to be kept. */
export const DuplicateGroup = z
  .object({
    id: Id,
    mediaItemsCount: z.int().min(0).meta({ description: 'How many of its items are visible.' }),
    mediaItems: z
      .array(MediaItem)
      .max(maxDuplicatesShown)
      .meta({
        description:
          `The best ${maxDuplicatesShown} of its visible items. The first one is proposed to be kept, with which most would be lost: a live or motion ` +
          'photo or one with a camera’s raw data before others, then the one with the most pixels, the sharpest and largest file by the product of both, a ' +
          'favourite, one with a description, the one that was uploaded first.',
      }),
    reviewed: z.boolean().meta({
      description: 'Whether a user has resolved or dismissed it. It is no longer once another photo has joined it.',
    }),
    trashedCount: z.int().min(0).meta({
      description: 'How many items that were moved to the trash when it was resolved are still there, to be restored.',
    }),
    revision: Revision.meta({
      description:
        'Another text whenever a photo has joined it or is visible again; to be sent when it is resolved or dismissed.',
      example: '4711',
    }),
  })
  .meta({ id: 'DuplicateGroup', description: 'Photos that show the same.' });
export type DuplicateGroup = z.infer<typeof DuplicateGroup>;

/** Which items of a group are kept; all others go to the trash. */
export const DuplicatesResolution = z
  .strictObject({
    keep: Ids,
    revision: Revision.optional().meta({
      description:
        'That of the group as it was looked at. Where another photo has joined it since, nothing is moved and the answer is 409; without it, all go that are there.',
    }),
  })
  .meta({
    id: 'DuplicatesResolution',
    description:
      'The visible items of the group that are kept. The first of them is put into the albums of those that are not, is a favourite where one of these is, and gets a ' +
      'description of theirs where it has none.',
  });
export type DuplicatesResolution = z.infer<typeof DuplicatesResolution>;

/** As what a group was dismissed. */
export const DuplicatesDismissal = z
  .strictObject({
    revision: Revision.optional().meta({
      description:
        'That of the group as it was looked at. Where another photo has joined it since, the answer is 409 and it is not reviewed.',
    }),
  })
  .meta({ id: 'DuplicatesDismissal', description: 'What was looked at of a group that is dismissed.' });
export type DuplicatesDismissal = z.infer<typeof DuplicatesDismissal>;

const perCall = z.int().min(0).max(maxIdsPerRequest);
const isComplete = z.boolean().meta({ description: 'Whether these were all; otherwise ask again for the rest.' });

/** How much one call has moved to the trash. */
export const DuplicatesResolved = z
  .object({ trashed: perCall.meta({ description: 'How many items were moved to the trash.' }), isComplete })
  .meta({ id: 'DuplicatesResolved', description: 'What was moved to the trash.' });
export type DuplicatesResolved = z.infer<typeof DuplicatesResolved>;

/** How much one call has brought back. */
export const DuplicatesRestored = z
  .object({ restored: perCall.meta({ description: 'How many items were restored from the trash.' }), isComplete })
  .meta({ id: 'DuplicatesRestored', description: 'What was restored from the trash.' });
export type DuplicatesRestored = z.infer<typeof DuplicatesRestored>;

const DuplicatesParams = z.object({ id: Id });

const errorsOfOne = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listDuplicates = defineRoute({
  operationId: 'listDuplicates',
  method: 'get',
  path: '/v1/duplicates',
  summary: 'List groups of photos that show the same',
  description:
    'Of two visible photos or more that look the same to the search model and in their pixels: copies of other sizes and qualities, light edits, bursts. ' +
    'The group that has come last is the first; without those that were reviewed, or these alone, with those of which the rest is in the trash. A photo is in ' +
    'one group at most, and joins it some time after its upload.',
  tag: 'duplicates',
  auth: 'bearer',
  query: KeysetQuery.extend({
    reviewed: queryFlag.prefault(false).meta({ description: 'The reviewed groups instead of the others.' }),
  }),
  responses: { 200: { description: 'One page.', schema: z.array(DuplicateGroup), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', ...serverErrors],
});

export const getDuplicates = defineRoute({
  operationId: 'getDuplicates',
  method: 'get',
  path: '/v1/duplicates/{id}',
  summary: 'Get a group of photos that show the same',
  description:
    'Also a reviewed one. A group that has lost all items but one, other than to the trash by its review, is gone.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  example: { params: { id: '$GROUP' } },
  responses: { 200: { description: 'The group.', schema: DuplicateGroup } },
  errors: [...inputErrors, ...errorsOfOne],
});

export const listDuplicateMediaItems = defineRoute({
  operationId: 'listDuplicateMediaItems',
  method: 'get',
  path: '/v1/duplicates/{id}/mediaItems',
  summary: 'List the media items of a group of photos that show the same',
  description:
    'The best first, without hidden ones and those in the trash. Whoever has read all pages sends the `X-Revision` of the first one with what becomes of them.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  query: KeysetQuery,
  example: { params: { id: '$GROUP' } },
  responses: {
    200: { ...mediaItemPage[200], headers: [...mediaItemPage[200].headers, 'X-Revision'] },
  },
  errors: [...inputErrors, ...errorsOfOne],
});

export const resolveDuplicates = defineRoute({
  operationId: 'resolveDuplicates',
  method: 'post',
  path: '/v1/duplicates/{id}/resolve',
  summary: 'Keep some photos of a group and move the others to the trash',
  description:
    `At most ${maxIdsPerRequest} a time, the worst first. Until the last of them is moved the group is not reviewed. One id among those to be kept that is no visible item of ` +
    'the group is 404, and a group that another photo has joined since its `revision` is 409; nothing changes then. `restore` takes it back.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  body: DuplicatesResolution,
  example: { params: { id: '$GROUP' }, body: { keep: ['$KEPT'], revision: '$REVISION' } },
  responses: { 200: { description: 'They are in the trash.', schema: DuplicatesResolved } },
  errors: [...bodyErrors, ...errorsOfOne, 'CONFLICT'],
});

export const dismissDuplicates = defineRoute({
  operationId: 'dismissDuplicates',
  method: 'post',
  path: '/v1/duplicates/{id}/dismiss',
  summary: 'Keep all photos of a group',
  description:
    'They are no duplicates. The group is not proposed again until another photo joins it. `restore` takes it back.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  body: DuplicatesDismissal,
  example: { params: { id: '$GROUP' }, body: { revision: '$REVISION' } },
  responses: { 204: { description: 'It is reviewed.' } },
  errors: [...bodyErrors, ...errorsOfOne, 'CONFLICT'],
});

export const restoreDuplicates = defineRoute({
  operationId: 'restoreDuplicates',
  method: 'post',
  path: '/v1/duplicates/{id}/restore',
  summary: 'Take back what was said of a group',
  description:
    'Restores the items that its review moved to the trash and that are still there, ' +
    `at most ${maxIdsPerRequest} a time, takes from the kept one the albums, the mark as a favourite and the description that it got from them; and proposes the group again.`,
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  example: { params: { id: '$GROUP' } },
  responses: { 200: { description: 'They are visible again.', schema: DuplicatesRestored } },
  errors: [...inputErrors, ...errorsOfOne],
});
