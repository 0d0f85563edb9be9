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

/** Decoders whose files are all one owner's. */
export type OwnDecoders = DecoderPool & Decoders;

/** Exiftool whose files are all one owner's. */
export type OwnExiftool = ExiftoolPool & Exiftool;

const ownerId = 'owner';

export const openOwnDecoders = (options: DecoderPoolOptions): OwnDecoders => {
  const pool = openDecoderPool(options);
  return { ...pool, ...pool.of(ownerId) };
};

export const openOwnExiftool = async (options: ExiftoolOptions): Promise<OwnExiftool> => {
  const pool = await openExiftool(options);
  return { ...pool, ...pool.of(ownerId) };
};
