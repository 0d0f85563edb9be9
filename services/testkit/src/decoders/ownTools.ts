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
export type OwnDecoders = DecoderPool & Decoders;

/** Exiftool for files of a single owner. */
export type OwnExiftool = ExiftoolPool & Exiftool;

const ownerId = 'owner';

export const openOwnDecoders = (options: DecoderPoolOptions): OwnDecoders => {
  const pool = openDecoderPool(options);
  return { ...pool, ...pool.forOwner(ownerId) };
};

export const openOwnExiftool = async (options: ExiftoolOptions): Promise<OwnExiftool> => {
  const pool = await openExiftool(options);
  return { ...pool, ...pool.forOwner(ownerId) };
};
