import type { MediaItemRow } from '../db/schema.ts';

/** The columns that determine pairs among items with one content identifier. */
export type Half = Pick<
  MediaItemRow,
  | 'id'
  | 'type'
  | 'filename'
  | 'checksum'
  | 'deleted_at'
  | 'preview_key'
  | 'motion_item_id'
  | 'motion_key'
  | 'shared_video_key'
  | 'is_motion_half'
  | 'category'
  | 'unpaired_category'
>;

export type HalfChanges = Pick<Half, 'id'> &
  Partial<
    Pick<Half, 'motion_item_id' | 'motion_key' | 'shared_video_key' | 'is_motion_half' | 'deleted_at' | 'category'>
  >;

/**
 * Pairs photos and videos, and returns the changed columns. Items in the trash never pair with items outside of it. A
 * photo takes the video with its name, because edited copies are exported as IMG_E1234.HEIC and IMG_E1234.MOV. Without
 * such a video it takes the first by name and checksum, so that the order of upload does not matter. Several photos may
 * share a video. Unpaired videos are normal items. In the trash a half has the latest deletion time of its photos.
 * Paired items have the category `LIVE`, other items the category from their own metadata.
 */
export const matchHalves = (items: readonly Half[]): HalfChanges[] => {
  const halfByPhoto = new Map(items.flatMap((photo) => pairPhoto(photo, items)));
  return items.flatMap((item) => {
    const wanted =
      item.type === 'PHOTO' ? getPhotoColumns(item, halfByPhoto.get(item)) : getHalfColumns(item, halfByPhoto);
    const changed = Object.entries(wanted).filter(([column, value]) => !isSame(item[column as keyof Half], value));
    return changed.length === 0 ? [] : [{ id: item.id, ...Object.fromEntries(changed) }];
  });
};

const pairPhoto = (photo: Half, items: readonly Half[]): [readonly [Half, Half]] | [] => {
  if (photo.type !== 'PHOTO') return [];
  const [half] = items
    .filter(({ type, deleted_at }) => type === 'VIDEO' && (deleted_at === null) === (photo.deleted_at === null))
    .toSorted(
      (a, b) =>
        Number(getFilenameStem(b) === getFilenameStem(photo)) - Number(getFilenameStem(a) === getFilenameStem(photo)) ||
        compareFiles(a, b),
    );
  return half === undefined ? [] : [[photo, half]];
};

const getPhotoColumns = (photo: Half, half: Half | undefined): Partial<Half> => {
  if (half !== undefined) {
    const { id: motion_item_id, preview_key: motion_key, shared_video_key } = half;
    return { motion_item_id, motion_key, shared_video_key, category: 'LIVE' };
  }
  const category = photo.unpaired_category;
  // Without a half, `motion_key` is a clip inside the photo's own file: keep it.
  if (photo.motion_item_id === null) return { category };
  return { motion_item_id: null, motion_key: null, shared_video_key: null, category };
};

const getHalfColumns = (half: Half, halfByPhoto: ReadonlyMap<Half, Half>): Partial<Half> => {
  const photos = [...halfByPhoto].filter(([, each]) => each === half).map(([photo]) => photo);
  const times = photos.flatMap(({ deleted_at }) => deleted_at ?? []);
  return {
    is_motion_half: photos.length > 0,
    category: photos.length > 0 ? 'LIVE' : half.unpaired_category,
    ...(times.length > 0 && { deleted_at: times.reduce((a, b) => (a > b ? a : b)) }),
  };
};

const getFilenameStem = ({ filename }: Half): string => filename.toLowerCase().replace(/\.[^.]*$/, '');

const compareFiles = (a: Half, b: Half): number =>
  compare(a.filename.toLowerCase(), b.filename.toLowerCase()) || Buffer.compare(a.checksum, b.checksum);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isSame = (a: unknown, b: unknown): boolean =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
