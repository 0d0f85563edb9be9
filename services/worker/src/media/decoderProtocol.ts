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

/** The request for a photo's preview, thumbnail and placeholder. */
export interface PhotoRequest extends Omit<PhotoSource, keyof DecoderLimits> {
  readonly kind: 'photo';
}

/** The request for a video's poster. */
export interface VideoRequest {
  readonly kind: 'video';
  readonly path: string;
}

/** The request for pixels of a preview, in these sizes. */
export interface PixelsRequest extends Omit<PreviewSource, keyof DecoderLimits> {
  readonly kind: 'pixels';
  readonly format: PhotoFormat;
}

/** A request to a decoder child: sent once it is ready, and again after each answer. */
export type DecoderRequest = PhotoRequest | VideoRequest | PixelsRequest;

/** The answer to each kind of request. */
export interface DecoderAnswers {
  readonly photo: RenderedPhoto;
  readonly video: RenderedVideo;
  readonly pixels: readonly RgbPixels[];
}

/** The answer to this request. */
export type AnswerTo<Request extends DecoderRequest> = DecoderAnswers[Request['kind']];

/** An answer as a message. Pictures are sent as Buffers and not as files, so a killed child leaves nothing behind. */
export type DecoderAnswer = {
  readonly [Kind in keyof DecoderAnswers]: { readonly kind: Kind; readonly value: DecoderAnswers[Kind] };
}[keyof DecoderAnswers];

/** A message of a decoder child: `ready` first and once, then one per request. `decoderMessages.ts` validates it. */
export type DecoderMessage = ReadyMessage | DecoderAnswer | FailureAnswer;

/** The first message, sent once. */
export interface ReadyMessage {
  readonly kind: 'ready';
}

/** A `DecodeError` as a message. */
export interface FailureAnswer {
  readonly kind: 'failure';
  readonly code: DecodeFailure;
  readonly text: string;
  readonly detail: string;
}

/** Characters of a sentence for the owner, and of a decoder's own words. */
export const [maxText, maxDetail] = [500, 4_096] as const;
