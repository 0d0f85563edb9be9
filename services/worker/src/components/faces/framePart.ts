import type { PicturePart } from '../../media/photo/cutOut.ts';
import type { PictureSize } from './judgeFace.ts';

/** The side of the picture of a face, as a multiple of the longer side of the face: hair, chin and some of what is around belong to it. */
const room = 1.8;

/** The square around a face, moved and made smaller so that it lies in the picture; all in fractions of the upright picture. */
export const framePart = (box: PicturePart, { width, height }: PictureSize): PicturePart => {
  const side = Math.min(width, height, room * Math.max(box.width * width, box.height * height));
  return {
    left: within(box.left + box.width / 2, side / width),
    top: within(box.top + box.height / 2, side / height),
    width: side / width,
    height: side / height,
  };
};

/** Where a span of this length begins whose middle is here, as far as that lies between 0 and 1. */
const within = (middle: number, length: number): number => Math.max(0, Math.min(1 - length, middle - length / 2));
