import type { EncodedPicture } from './photoPreview.ts';

/** Pictures of a photo or video for display. All sizes are upright. */
export interface RenderedPicture {
  /** Upright size of the original, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  readonly isAnimated: boolean;
  /** Longer side at most 1440 px: a JPEG, or an animated WebP for animations. */
  readonly preview: EncodedPicture & { readonly extension: 'jpg' | 'webp' };
  /** WebP in sRGB, longer side at most 320 px. For an animation, its first frame. */
  readonly thumbnail: EncodedPicture;
  /** ThumbHash in base64. */
  readonly placeholder: string;
  /** `DAMAGED`: part of the picture is missing or wrong. */
  readonly warnings: readonly 'DAMAGED'[];
}

/** Pictures of a video for display. The preview is its poster, a JPEG. Sizes are upright, with square pixels. */
export interface RenderedVideo extends RenderedPicture {
  /** True if all current browsers can play the original. The original is then its own preview. Otherwise `transcodeVideo` makes a preview. */
  readonly isPlayable: boolean;
  /** Average frame rate; undefined if the file does not state it. */
  readonly frameRate: number | undefined;
  readonly durationSeconds: number | undefined;
}
