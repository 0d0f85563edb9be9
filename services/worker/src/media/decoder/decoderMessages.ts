import { z } from 'zod';
import { cutOutSize, maxCutOuts } from '../photo/cutOut.ts';
import { photoFormats, type PhotoFormat } from '../formats/photoFormats.ts';
import { previewSize } from '../pictures/photoPreview.ts';
import type { DecoderMessage } from './decoderProtocol.ts';
import { failureAnswer, readyMessage } from '../sandbox/processes/answerSchemas.ts';

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

const side = (most: number) => z.int().min(1).max(most);

const encoded = (longest: number, maxBytes: number) => ({
  bytes: z.custom<Buffer>((value) => Buffer.isBuffer(value) && value.length > 0 && value.length <= maxBytes),
  width: side(longest),
  height: side(longest),
});

const rendered = {
  width: side(maxSide),
  height: side(maxSide),
  hasAlpha: z.boolean(),
  isAnimated: z.boolean(),
  preview: z.strictObject({ ...encoded(previewSize, 128 * 1024 * 1024), extension: z.enum(['jpg', 'webp']) }),
  thumbnail: z.strictObject(encoded(maxThumbnailSide, 1024 * 1024)),
  placeholder: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9+/]+=*$/),
  warnings: z.array(z.literal('DAMAGED')).max(1),
};

const photo = z.strictObject({ ...rendered, format: z.enum(Object.keys(photoFormats) as PhotoFormat[]) });
const video = z.strictObject({
  ...rendered,
  isPlayable: z.boolean(),
  frameRate: z.number().min(0).max(maxFrameRate).optional(),
  durationSeconds: z.number().min(0).max(maxSeconds).optional(),
});

/** Maximum number of sizes in one message. */
const maxSizes = 8;

const pixels = z
  .strictObject({
    data: z.custom<Buffer>((value) => Buffer.isBuffer(value)),
    width: side(previewSize),
    height: side(previewSize),
  })
  .refine(({ data, width, height }) => data.length === 3 * width * height);

const cutOut = z.strictObject(encoded(cutOutSize, 1024 * 1024));

const decoderMessage = z.discriminatedUnion('kind', [
  readyMessage,
  failureAnswer,
  z.strictObject({ kind: z.literal('photo'), value: photo }),
  z.strictObject({ kind: z.literal('video'), value: video }),
  z.strictObject({ kind: z.literal('pixels'), value: z.array(pixels).max(maxSizes) }),
  z.strictObject({ kind: z.literal('cutOuts'), value: z.array(cutOut).max(maxCutOuts) }),
]);

/** Validates a message of a decoder child. @throws Error if it is invalid */
export const parseDecoderMessage = (message: unknown): DecoderMessage =>
  decoderMessage.parse(message) as DecoderMessage;
