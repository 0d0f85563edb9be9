import { readFile, stat } from 'node:fs/promises';
import { DecodeError } from '../errors/decodeError.ts';
import { checkPixels } from '../errors/decodeLimits.ts';
import type { HeifImage } from 'libheif-js/wasm-bundle.js';
import type { Pixels } from '../pictures/pixelPreview.ts';

/** Bytes of a file at most: all of it is held in memory, twice. */
const maxFileBytes = 256 * 1024 * 1024;

/** The primary picture of a file as libheif decodes it, turned as its properties say. @throws DecodeError CORRUPT, TOO_LARGE */
export async function decodeWithLibheif(path: string, maxPixels: number): Promise<Pixels> {
  if ((await stat(path)).size > maxFileBytes) throw new DecodeError('TOO_LARGE', 'The file is too large to be opened.');
  const bytes = await readFile(path);
  const { HeifDecoder } = (await import('libheif-js/wasm-bundle.js')).default;
  let images: readonly HeifImage[] = [];
  try {
    images = new HeifDecoder().decode(bytes);
    const image = images.find((each) => each.is_primary()) ?? images[0];
    if (image === undefined) throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.');
    const [width, height] = [image.get_width(), image.get_height()];
    checkPixels({ width, height }, maxPixels);
    const target = { data: new Uint8ClampedArray(4 * width * height), width, height };
    const displayed = await new Promise((resolve) => image.display(target, resolve));
    if (displayed === null) throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.');
    return { data: Buffer.from(target.data.buffer), width, height, channels: 4 };
  } finally {
    for (const image of images) image.free();
  }
}
