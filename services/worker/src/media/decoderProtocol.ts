import type { DecodeFailure } from './decodeError.ts';
import type { PhotoFormat } from './photoFormats.ts';
import type { PhotoSource } from './photoPreview.ts';
import type { PreviewSource, RgbPixels } from './readPixels.ts';
import type { RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './renderedPicture.ts';

/** What a decoder child is told when it starts. */
export interface DecoderLimits {
  /** Larger pictures are refused by their header. */
  readonly maxPixels: number;
}

/** A photo to be shown. */
export interface PhotoRequest extends Omit<PhotoSource, keyof DecoderLimits> {
  readonly kind: 'photo';
}

/** A video to be shown by one of its frames. */
export interface VideoRequest {
  readonly kind: 'video';
  readonly path: string;
}

/** A preview whose pixels are wanted, in these sizes. */
export interface PixelsRequest extends Omit<PreviewSource, keyof DecoderLimits> {
  readonly kind: 'pixels';
  readonly format: PhotoFormat;
}

/** What a decoder child is asked, once it is ready, and again after each answer. */
export type DecoderRequest = PhotoRequest | VideoRequest | PixelsRequest;

/** What is answered to each kind of request. */
export interface DecoderAnswers {
  readonly photo: RenderedPhoto;
  readonly video: RenderedVideo;
  readonly pixels: readonly RgbPixels[];
}

/** What is answered to this request. */
export type AnswerTo<Request extends DecoderRequest> = DecoderAnswers[Request['kind']];

/** An answer as it travels. Pictures travel in it as Buffers and not as files: that leaves nothing behind when a child is killed. */
export type DecoderAnswer = {
  readonly [Kind in keyof DecoderAnswers]: { readonly kind: Kind; readonly value: DecoderAnswers[Kind] };
}[keyof DecoderAnswers];

/** What a decoder child says: `ready` first and once, then one message per request. What of it is believed, `decoderMessages.ts` says. */
export type DecoderMessage = ReadyMessage | DecoderAnswer | FailureAnswer;

/** Said first, and once. */
export interface ReadyMessage {
  readonly kind: 'ready';
}

/** A `DecodeError` as it travels. */
export interface FailureAnswer {
  readonly kind: 'failure';
  readonly code: DecodeFailure;
  readonly text: string;
  readonly detail: string;
}

/** Characters of a sentence for the owner, and of a decoder's own words. */
export const [maxText, maxDetail] = [500, 4_096] as const;
