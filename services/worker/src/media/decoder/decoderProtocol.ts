import type { CropSource } from '../photo/cropParts.ts';
import type { PhotoFormat } from '../formats/photoFormats.ts';
import type { EncodedPicture, PhotoSource } from '../pictures/photoPreview.ts';
import type { PreviewSource, RgbPixels } from '../photo/readPixels.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';
import type { FailureResponse, ReadyMessage } from '../sandbox/processes/decoderResponses.ts';

/** Limits that a decoder child gets at startup. */
export interface DecoderLimits {
  /** Larger pictures are rejected by their header. */
  readonly maxPixels: number;
}

/** Requests the preview, thumbnail and placeholder of a photo. */
export interface PhotoRequest extends Omit<PhotoSource, keyof DecoderLimits> {
  readonly kind: 'photo';
}

/** Requests the poster of a video. */
export interface VideoRequest {
  readonly kind: 'video';
  readonly path: string;
}

/** Requests the pixels of a preview in the sizes `sides`. */
export interface PixelsRequest extends Omit<PreviewSource, keyof DecoderLimits> {
  readonly kind: 'pixels';
  readonly format: PhotoFormat;
}

/** Requests crops of a photo. */
export interface CutOutRequest extends Omit<CropSource, keyof DecoderLimits> {
  readonly kind: 'cutOuts';
}

/** A request to a decoder child. Sent when it is ready, and then after each response. */
export type DecoderRequest = PhotoRequest | VideoRequest | PixelsRequest | CutOutRequest;

/** Response type of each kind of request. */
export interface DecoderResponses {
  readonly photo: RenderedPhoto;
  readonly video: RenderedVideo;
  readonly pixels: readonly RgbPixels[];
  readonly cutOuts: readonly EncodedPicture[];
}

export type ResponseTo<Request extends DecoderRequest> = DecoderResponses[Request['kind']];

/** Response as a message. Pictures are sent as Buffers instead of files, so that a killed child leaves nothing behind. */
export type DecoderResponse = {
  readonly [Kind in keyof DecoderResponses]: { readonly kind: Kind; readonly value: DecoderResponses[Kind] };
}[keyof DecoderResponses];

/** A message of a decoder child: `ready` once, then one per request. `decoderMessages.ts` validates it. */
export type DecoderMessage = ReadyMessage | DecoderResponse | FailureResponse;
