import type { MediaItem } from '@hearth/contract/mediaItem.ts';

type Compared = Pick<
  MediaItem,
  'favourite' | 'description' | 'width' | 'height' | 'sizeBytes' | 'mimeType' | 'mediaItemCategory' | 'motionUrl'
>;

/**
 * Returns the criterion that ranks the first item of a group before the second in the API, or undefined if these
 * fields do not show it.
 */
export const explainBest = (
  best: Compared,
  second: Compared | undefined,
): 'motion' | 'raw' | 'pixels' | 'sharper' | 'size' | 'favourite' | 'description' | undefined => {
  if (second === undefined) return undefined;
  if (isRaw(best) && !isIrreplaceable(second)) return 'raw';
  if (hasMotion(best) && !isIrreplaceable(second)) return 'motion';
  if (countPixels(best) !== countPixels(second)) return 'pixels';
  const differing = (
    [
      ['size', best.sizeBytes - second.sizeBytes],
      ['favourite', Number(best.favourite) - Number(second.favourite)],
      ['description', Number(best.description !== undefined) - Number(second.description !== undefined)],
    ] as const
  ).find(([, difference]) => difference !== 0);
  if (differing === undefined) return undefined;
  // After pixels, the API compares sharpness times file size. Items do not contain their sharpness.
  return differing[1] > 0 ? differing[0] : 'sharper';
};

export const isRaw = ({ mimeType }: Pick<MediaItem, 'mimeType'>): boolean => mimeType.startsWith('image/x-');

/** Returns whether a photo has a video, embedded or as a separate file. */
export const hasMotion = ({
  mediaItemCategory,
  motionUrl,
}: Pick<Compared, 'mediaItemCategory' | 'motionUrl'>): boolean =>
  mediaItemCategory === 'MOTION' || motionUrl !== undefined;

const isIrreplaceable = (item: Compared): boolean => isRaw(item) || hasMotion(item);

/** Resolution in the steps that the API compares. */
function countPixels({ width = 0, height = 0 }: Compared): number {
  return Math.floor((width * height) / 4096);
}
