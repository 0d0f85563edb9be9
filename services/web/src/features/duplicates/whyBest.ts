import type { MediaItem } from '@hearth/contract/mediaItem.ts';

type Compared = Pick<
  MediaItem,
  'favourite' | 'description' | 'width' | 'height' | 'sizeBytes' | 'mimeType' | 'mediaItemCategory' | 'motionUrl'
>;

/** What the first item of a group has before the second, by the order in which the API puts them; undefined where that cannot be seen from here. */
export const whyBest = (
  best: Compared,
  second: Compared | undefined,
): 'motion' | 'raw' | 'pixels' | 'sharper' | 'size' | 'favourite' | 'description' | undefined => {
  if (second === undefined) return undefined;
  if (isRaw(best) && !isIrreplaceable(second)) return 'raw';
  if (hasMotion(best) && !isIrreplaceable(second)) return 'motion';
  if (pixelsOf(best) !== pixelsOf(second)) return 'pixels';
  const differing = (
    [
      ['size', best.sizeBytes - second.sizeBytes],
      ['favourite', Number(best.favourite) - Number(second.favourite)],
      ['description', Number(best.description !== undefined) - Number(second.description !== undefined)],
    ] as const
  ).find(([, difference]) => difference !== 0);
  if (differing === undefined) return undefined;
  // Sharpness, which no list tells, counts as much as size, and more than the others.
  return differing[1] > 0 ? differing[0] : 'sharper';
};

/** Whether an item is a camera's raw data. */
export const isRaw = ({ mimeType }: Pick<MediaItem, 'mimeType'>): boolean => mimeType.startsWith('image/x-');

/** Whether a photo has seconds of video, in its file or beside it. */
export const hasMotion = ({
  mediaItemCategory,
  motionUrl,
}: Pick<Compared, 'mediaItemCategory' | 'motionUrl'>): boolean =>
  mediaItemCategory === 'MOTION' || motionUrl !== undefined;

const isIrreplaceable = (item: Compared): boolean => isRaw(item) || hasMotion(item);

/** In the steps in which the API compares them. */
function pixelsOf({ width = 0, height = 0 }: Compared): number {
  return Math.floor((width * height) / 4096);
}
