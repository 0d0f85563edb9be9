import { AV_FRAME_FLAG_INTERLACED, AV_NOPTS_VALUE, AV_PICTURE_TYPE_NONE } from 'node-av/constants';
import { FilterAPI } from 'node-av/api';
import { avRescaleQ, type Frame, type Packet } from 'node-av/lib';
import { throwCorrupt } from '../errors/decodeError.ts';
import { encode, openH264Encoder, pictureTicks } from './encoders.ts';
import type { EncodedTrack } from './encodedTrack.ts';
import { setDefaultColours, getColourKind } from '../video/frameColours.ts';
import { measureFrameRate } from '../video/frameRate.ts';
import type { OpenVideo } from '../video/openVideo.ts';
import { buildPictureFilters } from '../video/pictureFilters.ts';
import { openStreamDecoder } from '../video/streamDecoder.ts';
import { getVideoShape, type VideoShape } from '../video/videoShape.ts';
import { getMaxGapSeconds, openFrameClock } from './frameClock.ts';

/** Maximum sides of a transcoded video, in pixels: Full HD, landscape or portrait. */
const maxSides = { longer: 1920, shorter: 1080 };

/**
 * Maximum average frame rate. Slightly above 60, because cameras that state 60 are inexact. In slow motion, every second or fourth frame is kept, with
 * its original time.
 */
const maxFrameRate = 62;

/** Assumed frame rate if the file does not state it. The rate is only a hint for the encoder, since each frame has its own time. */
const defaultFrameRate = 30;

/** Encodes the pictures of a video as H.264: upright, in BT.709, each at its own time. */
export async function openEncodedPictures(
  video: OpenVideo,
  { maxPixels }: { readonly maxPixels: number },
): Promise<EncodedTrack & { readonly count: () => number }> {
  const { pictures } = video;
  const decoder = await openStreamDecoder(pictures, { maxPixels });
  const shape = getVideoShape(pictures);
  const size = fitSize(shape);
  const isTurned = shape.rotation.degrees % 180 === 90;
  const frameRate = (await measureFrameRate(video)) ?? defaultFrameRate;
  /** One of this many frames is kept. */
  const every = Math.ceil(frameRate / maxFrameRate);
  const encoder = await openH264Encoder({
    ...(isTurned ? { width: size.height, height: size.width } : size),
    frameRate: Math.max(1, frameRate / every),
  });
  const ticks = { num: 1, den: pictureTicks };
  const origin = video.input.startTime === AV_NOPTS_VALUE ? 0n : avRescaleQ(video.input.startTime, microseconds, ticks);
  const frameClock = openFrameClock({ framesPerSecond: frameRate, maxGapSeconds: getMaxGapSeconds(video) });
  let filters: FilterAPI | undefined;
  let [decodedCount, count] = [0, 0];
  let end = 0n;

  const openFilters = (frame: Frame): FilterAPI => {
    const isInterlaced = frame.hasFlags(AV_FRAME_FLAG_INTERLACED);
    const description = [
      ...buildPictureFilters({ ...size, colours: getColourKind(frame), isInterlaced }),
      ...rotationFilters(shape),
      'format=yuv420p',
    ];
    return FilterAPI.create(description.join(','), { threads: 1 });
  };
  const encodeFiltered = async function* (frames: readonly Frame[]): AsyncGenerator<Packet> {
    for (const frame of frames) {
      using filtered = frame;
      // The deinterlacing filter has another time base.
      filtered.pts = frameClock.write(avRescaleQ(filtered.pts, filtered.timeBase, ticks));
      filtered.duration = avRescaleQ(filtered.duration, filtered.timeBase, ticks);
      filtered.timeBase = encoder.timeBase;
      // The encoder chooses the keyframes.
      filtered.pictType = AV_PICTURE_TYPE_NONE;
      count += 1;
      yield* encode(encoder, filtered);
    }
  };

  return {
    encoder,
    stream: pictures,
    async *encode(packet) {
      for await (const frame of decoder.decode(packet)) {
        using decoded = frame;
        const stated = decoded.bestEffortTimestamp;
        const at = stated === AV_NOPTS_VALUE ? undefined : avRescaleQ(stated, decoded.timeBase, ticks) - origin;
        const time = frameClock.read(at);
        const frameDuration = avRescaleQ(decoded.duration, decoded.timeBase, ticks) || frameClock.frameDuration();
        end = time + frameDuration;
        decodedCount += 1;
        if ((decodedCount - 1) % every > 0) continue;
        const colours = getColourKind(decoded);
        filters ??= openFilters(decoded);
        setDefaultColours(decoded, colours);
        Object.assign(decoded, { pts: time, timeBase: encoder.timeBase, duration: frameDuration * BigInt(every) });
        yield* encodeFiltered(await filters.processAll(decoded).catch(throwCorrupt));
      }
      if (packet !== null) return;
      if (filters !== undefined) yield* encodeFiltered(await Array.fromAsync(filters.flushFrames()));
      yield* encode(encoder, null);
    },
    faults: decoder.faults,
    seconds: () => Number(end) / pictureTicks,
    count: () => count,
    [Symbol.dispose]() {
      filters?.close();
      decoder[Symbol.dispose]();
      encoder.freeContext();
    },
  };
}

const microseconds = { num: 1, den: 1_000_000 };

/** Returns the size of the encoded pictures: even numbers for 4:2:0, and not larger than the original. */
function fitSize({ width, height }: VideoShape): { width: number; height: number } {
  const scale = Math.min(1, maxSides.longer / Math.max(width, height), maxSides.shorter / Math.min(width, height));
  const even = (length: number): number => Math.max(2, 2 * Math.floor((length * scale) / 2 + 0.25));
  return { width: even(width), height: even(height) };
}

const rotationFilters = ({ rotation: { degrees, mirrored } }: VideoShape): string[] => [
  ...(mirrored ? ['hflip'] : []),
  ...{ 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] }[degrees],
];
