import type { EncodedPicture } from './photoPreview.ts';

/** The pictures of a photo or video for screens. Every size is after orientation. */
export interface RenderedPicture {
  /** Pixels of the original, after orientation. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  readonly isAnimated: boolean;
  /** Longer side at most 1440 px: a JPEG, or of an animation a WebP that moves. */
  readonly preview: EncodedPicture & { readonly extension: 'jpg' | 'webp' };
  /** WebP in sRGB, longer side at most 320 px; of an animation its first frame. */
  readonly thumbnail: EncodedPicture;
  /** A ThumbHash in base64. */
  readonly placeholder: string;
  /** `DAMAGED`: shown as far as it can be read, some of it is missing or wrong. */
  readonly warnings: readonly 'DAMAGED'[];
}

/** The pictures of a video for screens: the preview is its poster, a JPEG. Sizes are after orientation, with square pixels. */
export interface RenderedVideo extends RenderedPicture {
  /** Whether every current browser plays the original as it is: then it is its own preview, else `transcodeVideo` makes one. */
  readonly isPlayable: boolean;
  /** Frames per second on average; undefined where the file does not tell. */
  readonly frameRate: number | undefined;
  readonly durationSeconds: number | undefined;
}
