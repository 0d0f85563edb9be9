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
export type OwnerDecoders = DecoderPool & Decoders;

/** Exiftool for files of a single owner. */
export type OwnerExiftool = ExiftoolPool & Exiftool;

const ownerId = 'owner';

export const openOwnerDecoders = (options: DecoderPoolOptions): OwnerDecoders => {
  const pool = openDecoderPool(options);
  return { ...pool, ...pool.forOwner(ownerId) };
};

export const openOwnerExiftool = async (options: ExiftoolOptions): Promise<OwnerExiftool> => {
  const pool = await openExiftool(options);
  return { ...pool, ...pool.forOwner(ownerId) };
};
