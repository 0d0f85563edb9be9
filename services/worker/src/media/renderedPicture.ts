import type { EncodedPicture } from './photoPreview.ts';

/** What a photo or video looks like, for screens. Every size is after orientation. */
export interface RenderedPicture {
  /** Of the original, as a person sees it. */
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
