import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { KeysetQuery, queryFlag } from './query.ts';
import { maxDuplicatesShown, maxIdsPerRequest } from './limits.ts';
import { MediaItem, mediaItemPage } from './mediaItem.ts';
import { Ids } from './requests.ts';
import { Id } from './scalars.ts';

/** An opaque text, to be compared for equality only. */
const Revision = z.string().max(32);

export const DuplicateGroup = z
  .object({
    id: Id,
    mediaItemsCount: z.int().min(0).meta({ description: 'Number of visible items.' }),
    mediaItems: z
      .array(MediaItem)
      .max(maxDuplicatesShown)
      .meta({
        description:
          `The best ${maxDuplicatesShown} visible items. The first one is the suggested photo to keep. Order: live photos, motion photos and photos with ` +
          'raw data first, then by pixels, then by sharpness times file size, then favourites, items with a description, and the earliest upload.',
      }),
    reviewed: z.boolean().meta({
      description: 'True if a user has resolved or dismissed the group. False again once another photo joins it.',
    }),
    trashedCount: z.int().min(0).meta({
      description: 'Number of items that the resolution moved to the trash and that can still be restored.',
    }),
    revision: Revision.meta({
      description:
        'Changes when a photo joins the group or becomes visible again. Send it to resolve or dismiss the group.',
      example: '4711',
    }),
  })
  .meta({ id: 'DuplicateGroup', description: 'A group of similar photos.' });
export type DuplicateGroup = z.infer<typeof DuplicateGroup>;

export const DuplicatesResolution = z
  .strictObject({
    keep: Ids,
    revision: Revision.optional().meta({
      description:
        'The revision of the group as it was reviewed. If another photo has joined it since, the response is 409 and nothing is moved. Without it, all others are moved.',
    }),
  })
  .meta({
    id: 'DuplicatesResolution',
    description:
      'The visible items to keep. The first one is added to the albums of the others, becomes a favourite if one of them is, and takes over a ' +
      'description if it has none.',
  });
export type DuplicatesResolution = z.infer<typeof DuplicatesResolution>;

export const DuplicatesDismissal = z
  .strictObject({
    revision: Revision.optional().meta({
      description:
        'The revision of the group as it was reviewed. If another photo has joined it since, the response is 409 and the group stays open.',
    }),
  })
  .meta({ id: 'DuplicatesDismissal', description: 'The dismissed revision of a group.' });
export type DuplicatesDismissal = z.infer<typeof DuplicatesDismissal>;

const perCall = z.int().min(0).max(maxIdsPerRequest);
const isComplete = z.boolean().meta({ description: 'False if items are left; repeat the request for these.' });

export const DuplicatesResolved = z
  .object({ trashed: perCall.meta({ description: 'Number of items moved to the trash.' }), isComplete })
  .meta({ id: 'DuplicatesResolved', description: 'The items moved to the trash.' });
export type DuplicatesResolved = z.infer<typeof DuplicatesResolved>;

export const DuplicatesRestored = z
  .object({ restored: perCall.meta({ description: 'Number of items restored from the trash.' }), isComplete })
  .meta({ id: 'DuplicatesRestored', description: 'The items restored from the trash.' });
export type DuplicatesRestored = z.infer<typeof DuplicatesRestored>;

const DuplicatesParams = z.object({ id: Id });

const singleItemErrors = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listDuplicates = defineRoute({
  operationId: 'listDuplicates',
  method: 'get',
  path: '/v1/duplicates',
  summary: 'List groups of similar photos',
  description:
    'Groups of two or more visible photos that look the same to the search model and in their pixels: other sizes and qualities, light edits, ' +
    'bursts. Newest group first. Excludes reviewed groups by default. With `reviewed=true`, lists only reviewed groups, including those whose ' +
    'other photos are in the trash. A photo is in at most one group, and joins it some time after its upload.',
  tag: 'duplicates',
  auth: 'bearer',
  query: KeysetQuery.extend({
    reviewed: queryFlag.prefault(false).meta({ description: '`true`: only reviewed groups; `false`: only others.' }),
  }),
  responses: { 200: { description: 'One page.', schema: z.array(DuplicateGroup), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', ...serverErrors],
});

export const getDuplicates = defineRoute({
  operationId: 'getDuplicates',
  method: 'get',
  path: '/v1/duplicates/{id}',
  summary: 'Get a group of similar photos',
  description:
    'Includes reviewed groups. A group with a single item left is 404, unless its review moved the others to the trash.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  example: { params: { id: '$GROUP' } },
  responses: { 200: { description: 'The group.', schema: DuplicateGroup } },
  errors: [...inputErrors, ...singleItemErrors],
});

export const listDuplicateMediaItems = defineRoute({
  operationId: 'listDuplicateMediaItems',
  method: 'get',
  path: '/v1/duplicates/{id}/mediaItems',
  summary: 'List the media items of a group of similar photos',
  description:
    'Best first, without hidden items and items in the trash. After reading all pages, send the `X-Revision` of the first one to resolve or dismiss the group.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  query: KeysetQuery,
  example: { params: { id: '$GROUP' } },
  responses: {
    200: { ...mediaItemPage[200], headers: [...mediaItemPage[200].headers, 'X-Revision'] },
  },
  errors: [...inputErrors, ...singleItemErrors],
});

export const resolveDuplicates = defineRoute({
  operationId: 'resolveDuplicates',
  method: 'post',
  path: '/v1/duplicates/{id}/resolve',
  summary: 'Keep some photos of a group and move the others to the trash',
  description:
    `Moves at most ${maxIdsPerRequest} at a time, the worst first. The group counts as reviewed once the last one is moved. An id to keep that ` +
    'is not a visible item of the group is 404. If another photo has joined the group since `revision`, the response is 409. In both cases nothing ' +
    'changes. Undo with `restore`.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  body: DuplicatesResolution,
  example: { params: { id: '$GROUP' }, body: { keep: ['$KEPT'], revision: '$REVISION' } },
  responses: { 200: { description: 'Moved to the trash.', schema: DuplicatesResolved } },
  errors: [...bodyErrors, ...singleItemErrors, 'CONFLICT'],
});

export const dismissDuplicates = defineRoute({
  operationId: 'dismissDuplicates',
  method: 'post',
  path: '/v1/duplicates/{id}/dismiss',
  summary: 'Keep all photos of a group',
  description:
    'Marks them as different photos. The group is not proposed again until another photo joins it. Undo with `restore`.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  body: DuplicatesDismissal,
  example: { params: { id: '$GROUP' }, body: { revision: '$REVISION' } },
  responses: { 204: { description: 'The group is reviewed.' } },
  errors: [...bodyErrors, ...singleItemErrors, 'CONFLICT'],
});

export const restoreDuplicates = defineRoute({
  operationId: 'restoreDuplicates',
  method: 'post',
  path: '/v1/duplicates/{id}/restore',
  summary: 'Undo the review of a group',
  description:
    `Restores the items that the review moved to the trash and that are still there, at most ${maxIdsPerRequest} at a time. Removes albums, ` +
    'favourite and description that the kept item took over. The group is then proposed again.',
  tag: 'duplicates',
  auth: 'bearer',
  params: DuplicatesParams,
  example: { params: { id: '$GROUP' } },
  responses: { 200: { description: 'The items are visible again.', schema: DuplicatesRestored } },
  errors: [...inputErrors, ...singleItemErrors],
});
