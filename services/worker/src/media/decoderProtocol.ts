import type { DecodeFailure } from './decodeError.ts';
import type { PhotoSource } from './photoPreview.ts';
import type { RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './video/renderVideo.ts';

/** What a decoder child is told when it starts. */
export interface DecoderLimits {
  /** Larger pictures are refused by their header. */
  readonly maxPixels: number;
  /** Resident memory of the whole child, its 70 MB of Node included. */
  readonly memoryLimitBytes: number;
}

/** What a decoder child is asked, once it is ready, and again after each answer. */
export type RenderRequest = Omit<PhotoSource, keyof DecoderLimits> | VideoRequest;

/** A video to be shown by one of its frames. */
export interface VideoRequest {
  readonly path: string;
  readonly format: 'video';
}

/** What a decoder child says: `ready` first and once, then one message per request. */
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

/**
 * The signal by which a child ends itself above its memory limit. A signal works at once, whatever the decoder's
 * threads do, and it is the reason that the parent sees; nothing else sends this one.
 */
export const outOfMemorySignal = 'SIGUSR2';
