import type { DecodeFailure } from './decodeError.ts';
import type { PhotoSource } from './photoPreview.ts';
import type { RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './video/renderVideo.ts';

/** What a decoder child is told when it starts. */
export interface DecoderLimits {
  /** Larger pictures are refused by their header. */
  readonly maxPixels: number;
}

/** What a decoder child is asked, once it is ready, and again after each answer. */
export type RenderRequest = Omit<PhotoSource, keyof DecoderLimits> | VideoRequest;

/** A video to be shown by one of its frames. */
export interface VideoRequest {
  readonly path: string;
  readonly format: 'video';
}

/** What a decoder child says: `ready` first and once, then one message per request. What of it is believed, `decoderMessages.ts` says. */
export type DecoderMessage = { readonly ready: true } | RenderAnswer;

/**
 * The answer to a request. Pictures travel in it as Buffers and not as files: that leaves nothing behind when a child
 * is killed.
 */
export type RenderAnswer = { readonly picture: RenderedPhoto | RenderedVideo } | FailureAnswer;

/** A `DecodeError` as it travels. */
export interface FailureAnswer {
  readonly failure: { readonly code: DecodeFailure; readonly text: string; readonly detail: string };
}

/** Characters of a sentence for the owner, and of a decoder's own words. */
export const [maxText, maxDetail] = [500, 4_096] as const;
