import { randomUUID } from 'node:crypto';
import { InvalidKeyError } from './objectErrors.ts';

/*
 * The bucket layout, written and read here and nowhere else. Ids are lower-case uuids, `version` is the component's:
 *
 *   <userId>/<mediaItemId>/original
 *   <userId>/<mediaItemId>/preview-<version>.jpg      .webp where it moves, .mp4 of a video
 *   <userId>/<mediaItemId>/thumbnail-<version>.webp
 *   <userId>/<mediaItemId>/poster-<version>.jpg       of a video
 *   <userId>/<mediaItemId>/motion-<version>.mp4       of a photo with a clip in it
 *   <userId>/<mediaItemId>/face-<version>-<box>.webp   a face, by where it lies
 *   <userId>/<mediaItemId>/shared-<version>.mp4       of a video that is its own preview: without metadata, for visitors
 *   <userId>/uploads/<uploadId>/<any uuid>            the tail of a resumable upload
 */

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}';
const uuidPattern = new RegExp(`^${uuid}$`);
const keyPattern = new RegExp(`^(?=.{1,512}$)${segment}(?:/${segment})*$`);
const tailPattern = new RegExp(`^${uuid}/uploads/${uuid}/${uuid}$`);
const layoutPattern = new RegExp(`^(${uuid})/(${uuid})/(${segment})$`);

const renditionPattern = new RegExp(`^(${uuid}/${uuid}/[a-z]+-)(\\d+)(?:-\\d+)*\\.[a-z0-9]+$`);

/** What a key of the bucket layout names. */
export interface ParsedKey {
  readonly userId: string;
  readonly mediaItemId: string;
  /** The last segment: `original`, `preview-1.jpg`, or whatever else lies there. */
  readonly name: string;
}

/** The key of the bytes as they were uploaded. @throws InvalidKeyError if an id is no lower-case uuid */
export const originalKey = (userId: string, mediaItemId: string): string =>
  `${mediaItemPrefix(userId, mediaItemId)}original`;

/** What a preview may be, by the ending of its key: a picture, one that moves, or a video. */
export const previewTypes = { jpg: 'image/jpeg', webp: 'image/webp', mp4: 'video/mp4' } as const satisfies Record<
  string,
  string
>;

/** The key of the screen-size picture, or of the video that browsers play. @throws InvalidKeyError if an id is no lower-case uuid, or the ending none of these: it comes from a decoder */
export const previewKey = (
  userId: string,
  mediaItemId: string,
  version: number,
  extension: keyof typeof previewTypes = 'jpg',
): string => {
  if (!Object.hasOwn(previewTypes, extension)) throw new InvalidKeyError(extension, 'jpg, webp or mp4');
  return `${mediaItemPrefix(userId, mediaItemId)}preview-${version}.${extension}`;
};

/**
 * The media type of what lies under the key of a preview. An original that is its own preview is an MP4 that browsers play, and one that
 * calls itself QuickTime they play by this name only.
 */
export const previewTypeOf = (key: string): string =>
  isOriginalKey(key)
    ? previewTypes.mp4
    : (previewTypes[key.slice(key.lastIndexOf('.') + 1) as keyof typeof previewTypes] ?? previewTypes.jpg);

/** Whether `key` is that of an original. */
export const isOriginalKey = (key: string): boolean => key.endsWith('/original');

/** The key of a video's still. @throws InvalidKeyError if an id is no lower-case uuid */
export const posterKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}poster-${version}.jpg`;

/** The key of the clip that lay in a photo, as browsers play it. @throws InvalidKeyError if an id is no lower-case uuid */
export const motionKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}motion-${version}.mp4`;

/** The key of the copy of a video without metadata, which visitors get. @throws InvalidKeyError if an id is no lower-case uuid */
export const sharedVideoKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}shared-${version}.mp4`;

/** Whether `key` is that of a video that was made frame by frame, and so has nothing of what the original says of itself. */
export const isTranscodedKey = (key: string): boolean => /\/preview-\d+\.mp4$/.test(key);

/** The key of the grid-size WebP. @throws InvalidKeyError if an id is no lower-case uuid */
export const thumbnailKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}thumbnail-${version}.webp`;

/**
 * The key of the picture of a face, whose box is in fractions of the upright picture: the same face once more has the same key, another one
 * never. @throws InvalidKeyError if an id is no lower-case uuid
 */
export const faceKey = (
  userId: string,
  mediaItemId: string,
  version: number,
  { left, top, width, height }: Readonly<Record<'left' | 'top' | 'width' | 'height', number>>,
): string => {
  const box = [left, top, width, height].map((fraction) => Math.max(0, Math.round(fraction * 10_000)));
  return `${mediaItemPrefix(userId, mediaItemId)}face-${version}-${box.join('-')}.webp`;
};

/** A new key for what an upload has received behind its last whole part. @throws InvalidKeyError if an id is no lower-case uuid */
export const newTailKey = (userId: string, uploadId: string): string =>
  `${userPrefix(userId)}uploads/${checkId(uploadId)}/${randomUUID()}`;

/** Whether `key` is that of the tail of an upload. */
export const isTailKey = (key: string): boolean => tailPattern.test(key);

/** What all keys of one media item, and no others, begin with. @throws InvalidKeyError if an id is no lower-case uuid */
export const mediaItemPrefix = (userId: string, mediaItemId: string): string =>
  `${userPrefix(userId)}${checkId(mediaItemId)}/`;

/** What all keys of one user, and no others, begin with. @throws InvalidKeyError if the id is no lower-case uuid */
export const userPrefix = (userId: string): string => `${checkId(userId)}/`;

/** The ids and the name in a key of the bucket layout; `undefined` for every other text. */
export const parseKey = (key: string): ParsedKey | undefined => {
  const [, userId, mediaItemId, name] = layoutPattern.exec(key) ?? [];
  if (userId === undefined || mediaItemId === undefined || name === undefined) return undefined;
  return { userId, mediaItemId, name };
};

/** Whether `key` is that of something that was made from an original, and can be made again. */
export const isRenditionKey = (key: string): boolean => renditionPattern.test(key);

/** Whether `key` is an earlier version of the rendition that `current` names: once there is a later one, nobody writes it again. */
export const isEarlierVersion = (key: string, current: string): boolean => {
  const [, before, version] = renditionPattern.exec(key) ?? [];
  const [, currentBefore, currentVersion] = renditionPattern.exec(current) ?? [];
  return before !== undefined && before === currentBefore && Number(version) < Number(currentVersion);
};

/** Whether `text` is a key as `ObjectStore` defines it, of the bucket layout or not. */
export const isKey = (text: string): boolean => keyPattern.test(text);

/** Passes every key as `ObjectStore` defines it. @throws InvalidKeyError for every other text */
export const checkKey = (key: string): void => {
  if (!isKey(key))
    throw new InvalidKeyError(key, '1–512 characters: segments of [A-Za-z0-9._-] joined by "/", none begins with "."');
};

/** Without it an empty id would make a prefix of everything, and removing one user remove all. */
const checkId = (id: string): string => {
  if (!uuidPattern.test(id)) throw new InvalidKeyError(id, 'a lower-case uuid');
  return id;
};
