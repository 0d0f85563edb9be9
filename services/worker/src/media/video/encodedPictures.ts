import { AV_FRAME_FLAG_INTERLACED, AV_NOPTS_VALUE, AV_PICTURE_TYPE_NONE } from 'node-av/constants';
import { FilterAPI } from 'node-av/api';
import { avRescaleQ, type Frame, type Packet } from 'node-av/lib';
import { encode, openH264Encoder, pictureTicks } from './encoders.ts';
import type { EncodedTrack } from './encodedTrack.ts';
import { assumeColours, colourKindOf } from './frameColours.ts';
import { measureFrameRate } from './frameRate.ts';
import type { OpenVideo } from './openVideo.ts';
import { pictureFilters } from './pictureFilters.ts';
import { openStreamDecoder } from './streamDecoder.ts';
import { shapeOf, type VideoShape } from './videoShape.ts';

/** Longest sides of what is made, in pixels: Full HD, lying or standing. */
const longest = { longer: 1920, shorter: 1080 };

/** Frames per second at most; a little more than 60, because cameras that say so are not exact. Slow motion plays as it did, with fewer frames. */
const maxFrameRate = 62;

/** For files that do not tell; a second hand for the encoder only, since each frame has its own time. */
const usualFrameRate = 30;

/** The pictures of a video as H.264: upright, in the colours of a usual screen, each at its own time. `seconds` tells how far they are. */
export async function openEncodedPictures(
  video: OpenVideo,
  { maxPixels }: { readonly maxPixels: number },
): Promise<EncodedTrack & { readonly seconds: () => number; readonly count: () => number }> {
  const { pictures } = video;
  const decoder = await openStreamDecoder(pictures, { maxPixels });
  const shape = shapeOf(pictures);
  const size = fitSize(shape);
  const isTurned = shape.turn.degrees % 180 === 90;
  const frameRate = Math.min(maxFrameRate, (await measureFrameRate(video)) ?? usualFrameRate);
  const encoder = await openH264Encoder({
    ...(isTurned ? { width: size.height, height: size.width } : size),
    frameRate: Math.max(1, frameRate),
  });
  const ticks = { num: 1, den: pictureTicks };
  const origin = video.input.startTime === AV_NOPTS_VALUE ? 0n : avRescaleQ(video.input.startTime, microseconds, ticks);
  const clock = openClock();
  let filters: FilterAPI | undefined;
  let count = 0;

  const openFilters = (frame: Frame): FilterAPI => {
    const isInterlaced = frame.hasFlags(AV_FRAME_FLAG_INTERLACED);
    const description = [
      ...pictureFilters({ ...size, colours: colourKindOf(frame), isInterlaced }),
      ...turnFilters(shape),
      'format=yuv420p',
    ];
    return FilterAPI.create(description.join(','), { threads: 1 });
  };
  const encodeFiltered = async function* (frames: readonly Frame[]): AsyncGenerator<Packet> {
    for (const frame of frames) {
      using filtered = frame;
      filtered.pts = clock.tick(avRescaleQ(filtered.pts, filtered.timeBase, ticks));
      filtered.timeBase = encoder.timeBase;
      // The encoder decides anew which frames stand for themselves.
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
        if (!clock.admits(at)) continue;
        const colours = colourKindOf(decoded);
        filters ??= openFilters(decoded);
        assumeColours(decoded, colours);
        decoded.timeBase = encoder.timeBase;
        decoded.pts = clock.admitted();
        yield* encodeFiltered(await filters.processAll(decoded));
      }
      if (packet !== null) return;
      if (filters !== undefined) yield* encodeFiltered(await Array.fromAsync(filters.flushFrames()));
      yield* encode(encoder, null);
    },
    faults: decoder.faults,
    seconds: () => Number(clock.admitted()) / pictureTicks,
    count: () => count,
    [Symbol.dispose]() {
      filters?.close();
      decoder[Symbol.dispose]();
      encoder.freeContext();
    },
  };
}

const microseconds = { num: 1, den: 1_000_000 };

/** Keeps the times of pictures in order, and leaves out those that come too fast. The first one is shown from the beginning on. */
function openClock() {
  const shortest = BigInt(Math.floor(pictureTicks / maxFrameRate));
  let last: bigint | undefined;
  let usual = BigInt(Math.round(pictureTicks / usualFrameRate));
  let written = -1n;
  return {
    /** Whether a picture of this time is to be shown; without one it follows the last as that did the one before. */
    admits(at: bigint | undefined): boolean {
      const time = last === undefined ? 0n : (at ?? last + usual);
      if (last !== undefined && time - last < shortest) return false;
      if (last !== undefined) usual = time - last;
      last = time;
      return true;
    },
    admitted: () => last ?? 0n,
    /** The time of the next picture for the encoder, which takes no two of one time. */
    tick(at: bigint): bigint {
      written = at > written ? at : written + 1n;
      return written;
    },
  };
}

/** Even, as 4:2:0 needs it, and never larger than the original. */
function fitSize({ width, height }: VideoShape): { width: number; height: number } {
  const scale = Math.min(1, longest.longer / Math.max(width, height), longest.shorter / Math.min(width, height));
  const even = (length: number): number => Math.max(2, 2 * Math.floor((length * scale) / 2 + 0.25));
  return { width: even(width), height: even(height) };
}

const turnFilters = ({ turn: { degrees, mirrored } }: VideoShape): string[] => [
  ...(mirrored ? ['hflip'] : []),
  ...{ 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] }[degrees],
];
