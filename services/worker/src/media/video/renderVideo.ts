import type { Decoders } from '../decoderPool.ts';
import type { RenderedPicture } from '../renderedPicture.ts';

/** What videos are opened with. */
export interface VideoTools {
  readonly decoders: Decoders;
}

/** What a video looks like, for screens: the preview is its poster, a JPEG. Sizes are upright, with square pixels. */
export interface RenderedVideo extends RenderedPicture {
  /** Whether every current browser plays the original as it is: then it is its own preview, else `transcodeVideo` makes one. */
  readonly isPlayable: boolean;
  /** Frames per second on average; undefined where the file does not tell. */
  readonly frameRate: number | undefined;
  readonly durationSeconds: number | undefined;
}

/**
 * Renders a frame of a video that is not black, and finds out whether browsers play the file.
 * @throws DecodeError UNSUPPORTED where this installation has no decoder for it, and the others
 */
export const renderVideo = (path: string, { decoders }: VideoTools): Promise<RenderedVideo> =>
  decoders.renderVideo(path);
