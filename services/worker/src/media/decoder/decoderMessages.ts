import { z } from 'zod';
import { cropSize, maxCrops } from '../photo/cropParts.ts';
import { photoFormats, type PhotoFormat } from '../formats/photoFormats.ts';
import { previewSize } from '../pictures/photoPreview.ts';
import type { DecoderMessage } from './decoderProtocol.ts';
import { failureResponse, readyMessage } from '../sandbox/processes/responseSchemas.ts';

/*
 * Messages of decoders are validated, because a malicious file may control the decoder. A decoder that sends an invalid or implausible message is
 * ended.
 */

/** Maximum side of an original, in pixels. Far above any picture that can be decoded. */
const maxSide = 1e9;

/** Maximum longer side of a thumbnail, in pixels. */
const maxThumbnailSide = 320;

/** Larger than any value that FFmpeg reports. */
const [maxSeconds, maxFrameRate] = [1e13, 1e12];

const boundedSide = (max: number) => z.int().min(1).max(max);

const encodedPicture = (longest: number, maxBytes: number) => ({
  bytes: z.custom<Buffer>((value) => Buffer.isBuffer(value) && value.length > 0 && value.length <= maxBytes),
  width: boundedSide(longest),
  height: boundedSide(longest),
});

const renderedPicture = {
  width: boundedSide(maxSide),
  height: boundedSide(maxSide),
  hasAlpha: z.boolean(),
  isAnimated: z.boolean(),
  preview: z.strictObject({ ...encodedPicture(previewSize, 128 * 1024 * 1024), extension: z.enum(['jpg', 'webp']) }),
  thumbnail: z.strictObject(encodedPicture(maxThumbnailSide, 1024 * 1024)),
  placeholder: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9+/]+=*$/),
  warnings: z.array(z.literal('DAMAGED')).max(1),
};

const photo = z.strictObject({ ...renderedPicture, format: z.enum(Object.keys(photoFormats) as PhotoFormat[]) });
const video = z.strictObject({
  ...renderedPicture,
  isPlayable: z.boolean(),
  frameRate: z.number().min(0).max(maxFrameRate).optional(),
  durationSeconds: z.number().min(0).max(maxSeconds).optional(),
});

/** Maximum number of preview sizes in one response. */
const maxSizes = 8;

const pixels = z
  .strictObject({
    data: z.custom<Buffer>((value) => Buffer.isBuffer(value)),
    width: boundedSide(previewSize),
    height: boundedSide(previewSize),
  })
  .refine(({ data, width, height }) => data.length === 3 * width * height);

const croppedPicture = z.strictObject(encodedPicture(cropSize, 1024 * 1024));

const decoderMessage = z.discriminatedUnion('kind', [
  readyMessage,
  failureResponse,
  z.strictObject({ kind: z.literal('photo'), value: photo }),
  z.strictObject({ kind: z.literal('video'), value: video }),
  z.strictObject({ kind: z.literal('pixels'), value: z.array(pixels).max(maxSizes) }),
  z.strictObject({ kind: z.literal('cutOuts'), value: z.array(croppedPicture).max(maxCrops) }),
]);

/** Validates a message of a decoder child. @throws Error if it is invalid */
export const parseDecoderMessage = (message: unknown): DecoderMessage =>
  decoderMessage.parse(message) as DecoderMessage;
