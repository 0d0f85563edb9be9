import { z } from 'zod';
import { maxDescriptionLength, maxNameLength } from './limits.ts';
import { MediaItem } from './mediaItem.ts';
import { changes, clearableText, optionalText } from './requests.ts';
import { Id, line, Timestamp } from './scalars.ts';

/** Media items that a user put together. What has no value is left out. */
export const Album = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'Whose it is.' }),
    name: z.string(),
    description: z.string().optional(),
    coverMediaItemId: Id.optional(),
    coverMediaItem: MediaItem.optional().meta({ description: 'Left out while the album shows no items.' }),
    shared: z.boolean().meta({ description: 'Whether anybody with its link can see it.' }),
    hidden: z.boolean(),
    mediaItemsCount: z.int().min(0).meta({ description: 'How many of its items are visible.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Album', description: 'Media items that a user put together. What has no value is left out.' });
export type Album = z.infer<typeof Album>;

/** A new album. */
export const AlbumCreate = z
  .strictObject({
    name: line(maxNameLength),
    description: optionalText(maxDescriptionLength),
    coverMediaItemId: Id.optional(),
    shared: z.boolean().default(false),
    hidden: z.boolean().default(false),
  })
  .meta({ id: 'AlbumCreate', description: 'A new album.' });
export type AlbumCreate = z.infer<typeof AlbumCreate>;

/** What can be changed of an album. */
export const AlbumUpdate = changes({
  name: line(maxNameLength),
  description: clearableText(maxDescriptionLength),
  coverMediaItemId: Id.nullable().meta({ description: '`null`: chosen automatically again.' }),
  shared: z.boolean(),
  hidden: z.boolean(),
}).meta({ id: 'AlbumUpdate', description: 'At least one of these; what is left out stays as it is.' });
export type AlbumUpdate = z.infer<typeof AlbumUpdate>;
