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

/** The parts of a key of the bucket layout. */
export interface ParsedKey {
  readonly userId: string;
  readonly mediaItemId: string;
  /** The last segment: `original`, `preview-1.jpg`, or whatever else lies there. */
  readonly name: string;
}

/** The key of an original. @throws InvalidKeyError if an id is no lower-case uuid */
export const originalKey = (userId: string, mediaItemId: string): string =>
  `${mediaItemPrefix(userId, mediaItemId)}original`;

/** The media types of previews, by the ending of the key: a picture, an animation or a video. */
export const previewTypes = { jpg: 'image/jpeg', webp: 'image/webp', mp4: 'video/mp4' } as const satisfies Record<
  string,
  string
>;

/**
 * The key of a preview. @throws InvalidKeyError if an id is no lower-case uuid, or the ending, which a decoder has answered, is none of
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
 * The media type of a preview, by its key. An original that is its own preview is an MP4 that browsers play. Some of these call themselves
 * QuickTime; browsers play them under the name MP4 only.
 */
export const previewTypeOf = (key: string): string =>
  isOriginalKey(key)
    ? previewTypes.mp4
    : (previewTypes[key.slice(key.lastIndexOf('.') + 1) as keyof typeof previewTypes] ?? previewTypes.jpg);

/** Whether `key` is that of an original. */
export const isOriginalKey = (key: string): boolean => key.endsWith('/original');

/** The key of a poster. @throws InvalidKeyError if an id is no lower-case uuid */
export const posterKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}poster-${version}.jpg`;

/** The key of a motion photo's clip, as browsers play it. @throws InvalidKeyError if an id is no lower-case uuid */
export const motionKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}motion-${version}.mp4`;

/** The key of a video's copy without metadata, for visitors. @throws InvalidKeyError if an id is no lower-case uuid */
export const sharedVideoKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}shared-${version}.mp4`;

/** Whether `key` is the key of a transcoded video. It is encoded anew frame by frame, so it has none of the original's metadata. */
export const isTranscodedKey = (key: string): boolean => /\/preview-\d+\.mp4$/.test(key);

/** The key of a thumbnail. @throws InvalidKeyError if an id is no lower-case uuid */
export const thumbnailKey = (userId: string, mediaItemId: string, version: number): string =>
  `${mediaItemPrefix(userId, mediaItemId)}thumbnail-${version}.webp`;

/**
 * The key of a face's picture. The box is in fractions of the upright picture; equal boxes make equal keys, and different boxes different
 * keys. @throws InvalidKeyError if an id is no lower-case uuid
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

/** Whether `key` is the key of a face's picture. */
export const isFaceKey = (key: string): boolean => parseKey(key)?.name.startsWith('face-') === true;

/** A new key for the tail of a resumable upload: the bytes behind its last whole part. @throws InvalidKeyError if an id is no lower-case uuid */
export const newTailKey = (userId: string, uploadId: string): string =>
  `${userPrefix(userId)}uploads/${checkId(uploadId)}/${randomUUID()}`;

/** Whether `key` is the key of a tail. */
export const isTailKey = (key: string): boolean => tailPattern.test(key);

/** The prefix of all keys of one media item, and of no others. @throws InvalidKeyError if an id is no lower-case uuid */
export const mediaItemPrefix = (userId: string, mediaItemId: string): string =>
  `${userPrefix(userId)}${checkId(mediaItemId)}/`;

/** The prefix of all keys of one user, and of no others. @throws InvalidKeyError if the id is no lower-case uuid */
export const userPrefix = (userId: string): string => `${checkId(userId)}/`;

/** Takes a key of the bucket layout apart; `undefined` for every other text. */
export const parseKey = (key: string): ParsedKey | undefined => {
  const [, userId, mediaItemId, name] = layoutPattern.exec(key) ?? [];
  if (userId === undefined || mediaItemId === undefined || name === undefined) return undefined;
  return { userId, mediaItemId, name };
};

/** Whether `key` is the key of a rendition. */
export const isRenditionKey = (key: string): boolean => renditionPattern.test(key);

/** Whether `key` is an earlier version of the rendition `current`. Nobody writes earlier versions once there is a later one. */
export const isEarlierVersion = (key: string, current: string): boolean => {
  const [, before, version] = renditionPattern.exec(key) ?? [];
  const [, currentBefore, currentVersion] = renditionPattern.exec(current) ?? [];
  return before !== undefined && before === currentBefore && Number(version) < Number(currentVersion);
};

/** Whether `text` is a key as `ObjectStore` defines it, of the bucket layout or not. */
export const isKey = (text: string): boolean => keyPattern.test(text);

/** Accepts every key as `ObjectStore` defines it. @throws InvalidKeyError for every other text */
export const checkKey = (key: string): void => {
  if (!isKey(key))
    throw new InvalidKeyError(key, '1–512 characters: segments of [A-Za-z0-9._-] joined by "/", none begins with "."');
};

/** Checks an id. An empty one would make a prefix of everything, and removing one user would remove all users. */
const checkId = (id: string): string => {
  if (!uuidPattern.test(id)) throw new InvalidKeyError(id, 'a lower-case uuid');
  return id;
};
