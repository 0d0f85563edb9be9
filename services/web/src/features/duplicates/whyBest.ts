import type { MediaItem } from '@hearth/contract/mediaItem.ts';

type Compared = Pick<MediaItem, 'favourite' | 'description' | 'width' | 'height' | 'sizeBytes'>;

/** What the first item of a group has before the second, by the order in which the API puts them; undefined where that cannot be seen from here. */
export const whyBest = (
  best: Compared,
  second: Compared | undefined,
): 'favourite' | 'description' | 'pixels' | 'sharper' | 'size' | undefined => {
  if (second === undefined) return undefined;
  if (best.favourite !== second.favourite) return 'favourite';
  if ((best.description === undefined) !== (second.description === undefined)) return 'description';
  if (pixelsOf(best) !== pixelsOf(second)) return 'pixels';
  // Sharpness, which no list tells, counts more than size.
  if (best.sizeBytes < second.sizeBytes) return 'sharper';
  return best.sizeBytes > second.sizeBytes ? 'size' : undefined;
};

function pixelsOf({ width = 0, height = 0 }: Compared): number {
  return width * height;
}
