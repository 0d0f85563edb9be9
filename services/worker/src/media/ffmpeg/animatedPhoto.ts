import { Decoder, Demuxer } from 'node-av/api';
import { Codec, type Frame } from 'node-av/lib';
import sharp from 'sharp';
import { countFrames, fitMovingSize, animatedWebpOptions } from '../pictures/animatedPreview.ts';
import { DecodeError, checkPixels, throwCorrupt } from '../errors/decodeError.ts';
import { photoFormats } from '../formats/photoFormats.ts';
import type { EncodedPicture, PhotoPreview, PhotoSource } from '../pictures/photoPreview.ts';
import { renderPixelPreview, type Pixels } from '../pictures/pixelPreview.ts';
import { hasAlphaPlane, toPixels } from './framePixels.ts';
import { disableFfmpegLog } from './openDecoder.ts';

/** Assumed number of frames if the file does not state it. */
const initialFrameCount = 100;

disableFfmpegLog();

/**
 * FFmpeg demuxers with their options. The edit list of an AVIF states how often the animation is played. It is ignored, because FFmpeg would read it
 * as the range to play.
 */
const demuxers = {
  apng: { format: 'apng', options: {} },
  avis: { format: 'mov', options: { ignore_editlist: 1, enable_drefs: 0, use_absolute_path: 0 } },
} as const;

/**
 * Makes the preview of an animated PNG or AVIF: the animation, and its first frame as the still picture.
 * @throws DecodeError CORRUPT, TOO_LARGE or UNSUPPORTED
 */
export async function previewAnimation({ path, format, maxPixels }: PhotoSource): Promise<PhotoPreview> {
  const { format: demuxer, options } = demuxers[format === 'apng' ? 'apng' : 'avis'];
  const codec = Codec.findDecoderByName(photoFormats[format].codecs[0] as never);
  if (codec === null) throw new DecodeError('UNSUPPORTED', 'No decoder for this file format.');
  const allowLists = { protocol_whitelist: 'file', format_whitelist: demuxer, codec_whitelist: codec.name ?? '' };
  const reading = { format: demuxer, options: { ...options, ...allowLists } };
  await using input = await Demuxer.open(`file:${path}`, reading).catch(throwCorrupt);
  // The first stream of an AVIF is a still picture, the last one is the animation.
  const stream = input.streams.findLast(({ codecpar }) => codecpar.codecId === codec.id && codecpar.width > 0);
  if (stream === undefined) throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.');
  const { width, height } = stream.codecpar;
  checkPixels({ width, height }, maxPixels);
  const statedCount = Number(stream.nbFrames) || initialFrameCount;
  const count = countFrames(statedCount, { width, height });
  const size = fitMovingSize(Math.max(1, count), { width, height });
  using decoder = await Decoder.create(stream, codec, { options: { threads: 1, max_pixels: maxPixels } });
  let first: { readonly pixels: Pixels; readonly hasAlpha: boolean } | undefined;
  let isDamaged = false;
  const moving: { readonly pixels: Pixels; readonly pts: number }[] = [];
  try {
    for await (const frame of decoder.frames(input.packets(stream.index))) {
      if (frame === null) break;
      using owned = frame;
      const hasAlpha = hasAlphaPlane(owned.format);
      first ??= { pixels: await toPixels(owned, { hasAlpha }), hasAlpha };
      moving.push({ pixels: await toPixels(owned, { hasAlpha: true, size }), pts: milliseconds(owned) });
      if (moving.length >= count) break;
    }
  } catch (error) {
    // The frames before the damage are shown.
    if (first === undefined) throwCorrupt(error);
    isDamaged = true;
  }
  if (first === undefined) throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.');
  const preview = await renderPixelPreview(first.pixels, {
    width,
    height,
    rotation: { degrees: 0, mirrored: false },
    icc: undefined,
    hasAlpha: first.hasAlpha,
    isDamaged,
  });
  return moving.length < 2 ? preview : { ...preview, moving: await encode(moving) };
}

const milliseconds = ({ pts, timeBase }: Frame): number => (Number(pts) * 1_000 * timeBase.num) / timeBase.den;

/** Limits of the duration of a frame, in ms. Browsers extend shorter ones. */
const [minDelayMs, maxDelayMs] = [10, 60_000];

async function encode(frames: readonly { readonly pixels: Pixels; readonly pts: number }[]): Promise<EncodedPicture> {
  const { width, height } = frames[0]!.pixels;
  const delays = frames
    .slice(1)
    .map(({ pts }, i) => Math.min(maxDelayMs, Math.max(minDelayMs, Math.round(pts - frames[i]!.pts))));
  const strip = { width, height: height * frames.length, channels: 4, pageHeight: height } as const;
  const bytes = await sharp(Buffer.concat(frames.map(({ pixels }) => pixels.data)), { raw: strip })
    .flatten({ background: 'white' })
    // The duration of the last frame is unknown, so that of the previous frame is repeated.
    .webp({ ...animatedWebpOptions, delay: [...delays, delays.at(-1) ?? minDelayMs], loop: 0 })
    .toBuffer();
  return { bytes, width, height };
}
