import sharp, { type Sharp } from 'sharp';

/** Edits that keep the contents of a photo. */
const changes = {
  recompressed: (picture) => picture.jpeg({ quality: 25 }),
  smaller: (picture) => picture.resize(250).jpeg(),
  'of the width of a phone': (picture) => picture.resize(900).jpeg({ quality: 60 }),
  brighter: (picture) => picture.linear(1.15, 5).jpeg(),
  darker: (picture) => picture.linear(0.7, 0).jpeg(),
  sharpened: (picture) => picture.sharpen({ sigma: 1.5 }).jpeg(),
  blurred: (picture) => picture.blur(3).jpeg(),
} as const satisfies Readonly<Record<string, (picture: Sharp) => Sharp>>;

type CopyName = keyof typeof changes;

export const copyNames = Object.keys(changes) as readonly CopyName[];

/** Loads a picture as a JPEG, upright and 1,000 pixels wide. */
export const makeOriginal = (picture: string): Promise<Buffer> =>
  sharp(picture).autoOrient().resize(1_000).jpeg({ quality: 97 }).toBuffer();

/** Makes an edited copy as a JPEG. */
export const makeCopy = (original: Buffer, name: CopyName): Promise<Buffer> =>
  changes[name](sharp(original)).toBuffer();
