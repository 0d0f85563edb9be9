import type { Decoders } from '../decoder/decoderPool.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';

/** The tools for videos. */
export interface VideoTools {
  readonly decoders: Decoders;
}

/**
 * Renders a frame of a video that is not black, and finds out whether browsers play the file.
 * @throws DecodeError UNSUPPORTED where this installation has no decoder for it, and the other kinds
 */
export const renderVideo = (path: string, { decoders }: VideoTools): Promise<RenderedVideo> =>
  decoders.renderVideo(path);
