import { DecodeError } from '../errors/decodeError.ts';
import type { Decoders } from '../decoder/decoderPool.ts';
import type { Exiftool } from '../exiftool/exiftool.ts';
import { findPhotoFormat } from '../formats/photoFormat.ts';
import { renderRawPhoto } from './rawPreview.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';

/** Tools for photos. `exiftool` is undefined if it cannot run. */
export interface PhotoTools {
  readonly decoders: Decoders;
  readonly exiftool: Exiftool | undefined;
  readonly scratchDirectory: string;
}

/**
 * Renders a still picture of any format.
 * @throws DecodeError with any code; UNSUPPORTED if this installation has no decoder for it
 */
export async function renderStill(path: string, { exiftool, ...tools }: PhotoTools): Promise<RenderedPhoto> {
  if ((await findPhotoFormat(path)) !== 'raw') return tools.decoders.renderPhoto(path);
  if (exiftool === undefined) throw new DecodeError('UNSUPPORTED', 'exiftool is missing; RAW files cannot be opened.');
  return renderRawPhoto(path, { ...tools, exiftool });
}
