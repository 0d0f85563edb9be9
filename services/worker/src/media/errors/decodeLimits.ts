import { DecodeError } from './decodeError.ts';

/** Refuses a picture by its size. @throws DecodeError TOO_LARGE; CORRUPT for one without pixels */
export function checkPixels(
  { width, height }: { readonly width: number; readonly height: number },
  maxPixels: number,
): void {
  const pixels = width * height;
  if (!(pixels > 0)) throw new DecodeError('CORRUPT', 'The file is damaged: its picture has no size.');
  if (pixels <= maxPixels) return;
  const [size, limit] = [pixels, maxPixels].map((count) => `${Math.ceil(count / 1e6)} million`);
  throw new DecodeError('TOO_LARGE', `The picture has ${size} pixels; this library shows up to ${limit}.`);
}

/** Turns what a decoder has thrown into a `DecodeError`. @throws DecodeError CORRUPT, or OUT_OF_MEMORY where the decoder says so */
export function throwCorrupt(cause: unknown): never {
  if (cause instanceof DecodeError) throw cause;
  if (cause instanceof Error && /out of memory|cannot allocate/i.test(cause.message)) {
    throw new DecodeError('OUT_OF_MEMORY', 'There was not enough memory to decode the picture.', { cause });
  }
  throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.', { cause });
}
