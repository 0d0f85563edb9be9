import { z } from 'zod';
import { maxDescriptionLength, maxFilenameLength } from './limits.ts';
import { reasons, warnings } from './reasons.ts';
import { changes, clearableText } from './requests.ts';
import { extensible, Id, keyEnum, LocalTime, Timestamp, UtcOffset } from './scalars.ts';
import {
  componentNames,
  mediaItemCategories,
  mediaItemStatuses,
  mediaItemTypes,
  originalStates,
  runStates,
} from './vocabulary.ts';

const link = (description: string) =>
  z
    .string()
    .meta({ format: 'uri-reference', description: `${description} A signed link that needs no header and expires.` });

export const MediaItem = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'Id of the owner.' }),
    filename: z.string().meta({
      description:
        'The name from the upload, without folders, in Unicode NFC. Without control characters, other invisible characters, characters that change ' +
        `the direction of text, and spaces at both ends; joiners inside of emoji and scripts stay. A name of more than ${maxFilenameLength} ` +
        'characters (code points) is cut before its extension. It is `unnamed` if nothing is left, or only `.` or `..`. An upload without a name ' +
        'gets one by its type, such as `upload.jpg`.',
      example: 'IMG_4025.jpg',
    }),
    description: z.string().optional(),
    mimeType: z.string().meta({ description: 'The type of the original, from its bytes.', example: 'image/jpeg' }),
    sizeBytes: z.int().min(0).meta({ description: 'Size of the original in bytes.' }),
    placeholder: z.base64().optional().meta({ description: 'A ThumbHash: a blurred preview in about 25 bytes.' }),
    sourceUrl: link('The original.'),
    previewUrl: link(
      'Screen size: a photo of 1440 px (longer side), or a video for browsers, which may be available some time after the item is `READY`.',
    ).optional(),
    thumbnailUrl: link('Grid size: a still of 320 px (longer side), also for a video.').optional(),
    posterUrl: link('For a video: a still of 1440 px (longer side).').optional(),
    motionUrl: link('For a live or motion photo: its short video, once a version for browsers exists.').optional(),
    favourite: z.boolean(),
    shared: z.boolean().meta({ description: 'True if the item is in a shared album.' }),
    hidden: z.boolean(),
    deleted: z.boolean().meta({ description: 'True if the item is in the trash.' }),
    status: z.enum(mediaItemStatuses).meta({
      description: '`READY` once metadata, preview and thumbnail exist; `FAILED` if it cannot be shown.',
    }),
    mediaItemType: z.enum(mediaItemTypes),
    mediaItemCategory: z.enum(mediaItemCategories),
    width: z.int().min(1).optional().meta({ description: 'Pixels of the upright picture.' }),
    height: z.int().min(1).optional().meta({ description: 'Pixels of the upright picture.' }),
    megapixels: z.number().min(0).optional().meta({ description: 'Millions of pixels.' }),
    durationSeconds: z.number().min(0).optional().meta({ description: 'Duration of a video in seconds.' }),
    fps: z.number().min(0).optional().meta({ description: 'Frames per second of a video.' }),
    creationTime: Timestamp.meta({
      description: 'When the item was taken, in UTC; the upload time if unknown.',
    }),
    localTime: LocalTime.meta({
      description:
        '`creationTime` as local time where the item was taken. Lists are sorted by it, newest first, then by `id`.',
    }),
    utcOffset: UtcOffset.optional().meta({ description: 'The offset of `localTime` from UTC, if known.' }),
    latitude: z.number().min(-90).max(90).optional().meta({ description: 'Degrees north, WGS 84.' }),
    longitude: z.number().min(-180).max(180).optional().meta({ description: 'Degrees east, WGS 84.' }),
    cameraMake: z.string().optional().meta({ example: 'Canon' }),
    cameraModel: z.string().optional().meta({ example: 'EOS R6' }),
    focalLength: z.number().min(0).optional().meta({ description: 'Millimetres on the lens (not 35 mm equivalent).' }),
    apertureFNumber: z.number().min(0).optional().meta({ description: 'f-number: 2.8 for f/2.8.' }),
    isoEquivalent: z.number().min(0).optional().meta({ description: 'Sensitivity: 100 for ISO 100.' }),
    exposureTime: z.number().min(0).optional().meta({ description: 'Seconds: 0.004 for 1/250 s.' }),
    createdAt: Timestamp.meta({ description: 'When it was uploaded.' }),
    updatedAt: Timestamp.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'MediaItem', description: 'A photo or video. Fields without a value are omitted.' });
export type MediaItem = z.infer<typeof MediaItem>;

export const MediaItemUpdate = changes({
  description: clearableText(maxDescriptionLength),
  favourite: z.boolean(),
  hidden: z.boolean(),
}).meta({ id: 'MediaItemUpdate', description: 'At least one field. Omitted fields stay unchanged.' });
export type MediaItemUpdate = z.infer<typeof MediaItemUpdate>;

/** The response of lists of a user’s media items that have a total count. */
export const mediaItemPage = {
  200: { description: 'One page.', schema: z.array(MediaItem), headers: ['Link', 'X-Total-Count'] },
} as const;

export const ComponentRun = z
  .object({
    component: z.enum(componentNames).meta(extensible),
    state: z
      .enum(runStates)
      .meta({ description: '`BLOCKED`: this installation currently lacks what is needed. It resumes automatically.' }),
    attempts: z.int().min(0).meta({ description: 'Number of attempts so far.' }),
    reason: keyEnum(reasons)
      .optional()
      .meta({
        description: wordsAndSentences('The reason for the state, or for the failure of the last attempt.', reasons),
      }),
    progress: z.int().min(0).max(100).optional().meta({ description: 'Progress of a long `RUNNING` step in percent.' }),
    warnings: z
      .array(keyEnum(warnings))
      .optional()
      .meta({ description: wordsAndSentences('Notes about a finished step.', warnings) }),
  })
  .meta({ id: 'ComponentRun', description: 'The state of a processing step of an item.' });
export type ComponentRun = z.infer<typeof ComponentRun>;

/** A position in fractions of the picture’s width and height. */
const Corner = z.object({ x: z.number(), y: z.number() });

export const TextLine = z
  .object({
    text: z.string().meta({ example: 'BARREL AGED' }),
    confidence: z.number().min(0).max(1).meta({ description: 'The confidence of the recognition.' }),
    corners: z
      .array(Corner)
      .length(4)
      .meta({
        description:
          'The corners of the line, clockwise from the upper left corner in reading direction, in fractions of the upright picture, from its upper ' +
          'left corner. They may lie a little outside of it.',
      }),
  })
  .meta({ id: 'TextLine', description: 'A line of text in a picture.' });
export type TextLine = z.infer<typeof TextLine>;

export const MediaItemDetails = MediaItem.extend({
  text: z.array(TextLine).optional().meta({
    description:
      'The recognized text of the picture, line by line in reading order. Hidden from visitors of a shared album.',
  }),
  original: z.enum(originalStates).meta({
    description:
      'The last check of the stored original. `DAMAGED`: its bytes differ from the upload. `MISSING`: it is not in the store. Upload the same file ' +
      'again to repair it. `status` does not depend on this.',
  }),
  processing: z.array(ComponentRun).meta({ description: 'The processing steps in their order.' }),
}).meta({ id: 'MediaItemDetails', description: 'A photo or video with its text and processing state.' });
export type MediaItemDetails = z.infer<typeof MediaItemDetails>;

function wordsAndSentences(intro: string, sentences: Readonly<Record<string, string>>): string {
  return [intro, '', ...Object.entries(sentences).map(([word, sentence]) => `- \`${word}\`: ${sentence}`)].join('\n');
}
