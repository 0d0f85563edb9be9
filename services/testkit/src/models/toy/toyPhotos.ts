import { paintPhoto } from '../../pictures/paintedPhoto.ts';

/** Makes a photo of 640×480 pixels in one colour, which determines its scene and embedding in toy models. */
export const makeColourPhoto = (colour: string): Promise<Buffer> =>
  paintPhoto(640, 480, `<rect width="640" height="480" fill="${colour}"/>`);

/** Makes a grey photo with a dog for toy models: a green patch in a picture of 416 pixels. */
export const makeDogPhoto = (): Promise<Buffer> =>
  paintPhoto(416, 320, '<rect x="160" y="128" width="32" height="32" fill="#00ff00"/>');

/**
 * Makes a grey photo of 640×480 pixels with a face for toy models: a square of 128 pixels with stripes in the person's
 * colour and in black, around a magenta patch. `column` and `row` are the position of the patch in cells of 32 pixels.
 */
export const makeFacePhoto = (colour: string, column: number, row: number): Promise<Buffer> => {
  const [left, top] = [column * 32, row * 32];
  const stripes = Array.from(
    { length: 16 },
    (_, nth) => `<rect x="${left - 48 + nth * 8}" y="${top - 48}" width="4" height="128" fill="black"/>`,
  );
  return paintPhoto(
    640,
    480,
    `<rect x="${left - 48}" y="${top - 48}" width="128" height="128" fill="${colour}"/>${stripes.join('')}
    <rect x="${left}" y="${top}" width="32" height="32" fill="#ff00ff"/>`,
  );
};
