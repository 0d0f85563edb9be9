import {
  openDecoderPool,
  type DecoderPool,
  type DecoderPoolOptions,
  type Decoders,
} from '@hearth/worker/media/decoder/decoderPool.ts';
import {
  openExiftool,
  type Exiftool,
  type ExiftoolOptions,
  type ExiftoolPool,
} from '@hearth/worker/media/exiftool/exiftool.ts';

/** Decoders for files of a single owner. */
export type TestDecoders = DecoderPool & Decoders;

/** Exiftool for files of a single owner. */
export type TestExiftool = ExiftoolPool & Exiftool;

const ownerId = 'owner';

export const openTestDecoders = (options: DecoderPoolOptions): TestDecoders => {
  const pool = openDecoderPool(options);
  return { ...pool, ...pool.forOwner(ownerId) };
};

export const openTestExiftool = async (options: ExiftoolOptions): Promise<TestExiftool> => {
  const pool = await openExiftool(options);
  return { ...pool, ...pool.forOwner(ownerId) };
};
