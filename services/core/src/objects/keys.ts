import { randomUUID } from 'node:crypto';
import { InvalidKeyError } from './objectErrors.ts';

/*
 * The layout of the bucket, which only this file defines. Ids are lower-case UUIDs, and `version` is the component's:
 *
 *  <userId>/<mediaItemId>/original
 *  <userId>/<mediaItemId>/preview-<version>.jpg      .webp if animated, .mp4 for a video
 *  <userId>/<mediaItemId>/thumbnail-<version>.webp
 *  <userId>/<mediaItemId>/poster-<version>.jpg       of a video
 *  <userId>/<mediaItemId>/motion-<version>.mp4       of a photo with a clip in it
 *  <userId>/<mediaItemId>/face-<version>-<box>.webp  a face, by its position
 *  <userId>/<mediaItemId>/shared-<version>.mp4       for visitors, without metadata, of a video that is its own preview
 *  <userId>/uploads/<uploadId>/<any UUID>            the tail of a resumable upload
 */

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}';
const uuidPattern = new RegExp(`^${uuid}$`);
const keyPattern = new RegExp(`^(?=.{1,512}$)${segment}(?:/${segment})*$`);
const tailPattern = new RegExp(`^${uuid}/uploads/${uuid}/${uuid}$`);
const layoutPattern = new RegExp(`^(${uuid})/(${uuid})/(${segment})$`);

const renditionPattern = new RegExp(`^(${uuid}/${uuid}/[a-z]+-)(\\d+)(?:-\\d+)*\\.[a-z0-9]+$`);

export interface ParsedKey {
  readonly userId: string;
  readonly mediaItemId: string;
  /** The last segment: `original`, `preview-1.jpg`, or any other name. */
  readonly name: string;
}

/** @throws InvalidKeyError if an id is not a lower-case UUID */
export const originalKey = (userId: string, mediaItemId: string): string =>
  `${mediaItemPrefix(userId, mediaItemId)}original`;

/** Media types of previews by extension: a picture, an animation or a video. */
export const previewTypes = { jpg: 'image/jpeg', webp: 'image/webp', mp4: 'video/mp4' } as const satisfies Record<
  string,
  string
>;

/**
 * @throws InvalidKeyError if an id is not a lower-case UUID, or if the extension, which comes from a decoder, is not in
 * `previewTypes`
 */
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
 * Returns the media type of a preview. An original that is its own preview is served as MP4: some of these files
 * declare themselves as QuickTime, and browsers do not play that type.
 */
export const getPreviewType = (key: string): string =>
  isOriginalKey(key)
    ? previewTypes.mp4
    : (previewTypes[key.slice(key.lastIndexOf('.') + 1) as keyof typeof previewTypes] ?? previewTypes.jpg);

export const isOriginalKey = (key: string): boolean => key.endsWith('/original');

/** @throws InvalidKeyError if an id is not a lower-case UUID */
export const posterKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}poster-${version}.jpg`;

/**
 * Returns the key of a motion photo's clip in a format for browsers. @throws InvalidKeyError if an id is not a
 * lower-case UUID
 */
export const motionKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}motion-${version}.mp4`;

/**
 * Returns the key of a video's copy without metadata, for visitors. @throws InvalidKeyError if an id is not a
 * lower-case UUID
 */
export const sharedVideoKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}shared-${version}.mp4`;

/** Returns true for the key of a transcoded video. Transcoding drops the metadata of the original. */
export const isTranscodedKey = (key: string): boolean => /\/preview-\d+\.mp4$/.test(key);

/** @throws InvalidKeyError if an id is not a lower-case UUID */
export const thumbnailKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}thumbnail-${version}.webp`;

/**
 * Returns the key of a face's picture. The box is in fractions of the upright picture and determines the key.
 * @throws InvalidKeyError if an id is not a lower-case UUID
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

export const isFaceKey = (key: string): boolean => parseKey(key)?.name.startsWith('face-') === true;

/**
 * Returns a new key for the tail of a resumable upload: the bytes after its last whole part.
 * @throws InvalidKeyError if an id is not a lower-case UUID
 */
export const newTailKey = (userId: string, uploadId: string): string =>
  `${userPrefix(userId)}uploads/${checkId(uploadId)}/${randomUUID()}`;

export const isTailKey = (key: string): boolean => tailPattern.test(key);

/**
 * Returns the common prefix of all keys of one media item. @throws InvalidKeyError if an id is not a lower-case UUID
 */
export const mediaItemPrefix = (userId: string, mediaItemId: string): string =>
  `${userPrefix(userId)}${checkId(mediaItemId)}/`;

/** Returns the common prefix of all keys of one user. @throws InvalidKeyError if the id is not a lower-case UUID */
export const userPrefix = (userId: string): string => `${checkId(userId)}/`;

/** Parses a key of the bucket layout. Returns undefined for any other text. */
export const parseKey = (key: string): ParsedKey | undefined => {
  const [, userId, mediaItemId, name] = layoutPattern.exec(key) ?? [];
  if (userId === undefined || mediaItemId === undefined || name === undefined) return undefined;
  return { userId, mediaItemId, name };
};

export const isRenditionKey = (key: string): boolean => renditionPattern.test(key);

/**
 * Returns true if `key` is an earlier version of the rendition `current`. Earlier versions are not written once a later
 * one exists.
 */
export const isEarlierVersion = (key: string, current: string): boolean => {
  const [, before, version] = renditionPattern.exec(key) ?? [];
  const [, currentBefore, currentVersion] = renditionPattern.exec(current) ?? [];
  return before !== undefined && before === currentBefore && Number(version) < Number(currentVersion);
};

/** Returns true for a key as `ObjectStore` defines it, in the bucket layout or not. */
export const isKey = (text: string): boolean => keyPattern.test(text);

/** @throws InvalidKeyError if `key` is no key as `ObjectStore` defines it */
export const checkKey = (key: string): void => {
  if (!isKey(key))
    throw new InvalidKeyError(
      key,
      '1–512 characters: segments of [A-Za-z0-9._-] joined by "/", none starting with "."',
    );
};

/**
 * Rejects an empty id, for example: its prefix would match everything, and deleting one user would delete all of them.
 */
const checkId = (id: string): string => {
  if (!uuidPattern.test(id)) throw new InvalidKeyError(id, 'a lower-case uuid');
  return id;
};
