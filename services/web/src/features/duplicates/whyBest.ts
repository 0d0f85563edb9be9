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
  const [size, other] = [kibibytesOf(best), kibibytesOf(second)];
  if (size < other) return 'sharper';
  return size > other ? 'size' : undefined;
};

/** In the steps in which the API compares them. */
function pixelsOf({ width = 0, height = 0 }: Compared): number {
  return Math.floor((width * height) / 4096);
}

function kibibytesOf({ sizeBytes }: Compared): number {
  return Math.floor(sizeBytes / 1024);
}
