import type { CutOutSource } from '../photo/cutOut.ts';
import type { PhotoFormat } from '../formats/photoFormats.ts';
import type { EncodedPicture, PhotoSource } from '../pictures/photoPreview.ts';
import type { PreviewSource, RgbPixels } from '../photo/readPixels.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';
import type { FailureAnswer, ReadyMessage } from '../sandbox/processes/decoderAnswers.ts';

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

/** The request for parts of a photo. */
export interface CutOutRequest extends Omit<CutOutSource, keyof DecoderLimits> {
  readonly kind: 'cutOuts';
}

/** A request to a decoder child: sent once it is ready, and again after each answer. */
export type DecoderRequest = PhotoRequest | VideoRequest | PixelsRequest | CutOutRequest;

/** The answer to each kind of request. */
export interface DecoderAnswers {
  readonly photo: RenderedPhoto;
  readonly video: RenderedVideo;
  readonly pixels: readonly RgbPixels[];
  readonly cutOuts: readonly EncodedPicture[];
}

/** The answer to this request. */
export type AnswerTo<Request extends DecoderRequest> = DecoderAnswers[Request['kind']];

/** An answer as a message. Pictures are sent as Buffers and not as files, so a killed child leaves nothing behind. */
export type DecoderAnswer = {
  readonly [Kind in keyof DecoderAnswers]: { readonly kind: Kind; readonly value: DecoderAnswers[Kind] };
}[keyof DecoderAnswers];

/** A message of a decoder child: `ready` first and once, then one per request. `decoderMessages.ts` validates it. */
export type DecoderMessage = ReadyMessage | DecoderAnswer | FailureAnswer;
