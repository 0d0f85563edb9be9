import { pictureTicks } from './encoders.ts';
import type { OpenVideo } from '../video/openVideo.ts';

/** Maximum step backwards of timestamps. A larger step means that a second recording was appended. */
export const maxStepBackSeconds = 1;

/** Maximum gap between two frames of a broadcast stream. A larger one means that its clock was reset. */
const maxBroadcastGapSeconds = 10;

/** Returns the maximum gap between two frames, in seconds. In a screen recording a frame may be shown for an hour. */
export const getMaxGapSeconds = ({ input }: OpenVideo): number =>
  input.iformat?.name?.startsWith('mpeg') === true ? maxBroadcastGapSeconds : Infinity;

/**
 * Keeps the timestamps of pictures in order, in `pictureTicks`. The first picture starts at 0. A picture without a timestamp, or after a jump, follows
 * at the interval of the previous pictures.
 */
export function openFrameClock({
  framesPerSecond,
  maxGapSeconds,
}: {
  readonly framesPerSecond: number;
  readonly maxGapSeconds: number;
}) {
  let frameDuration = BigInt(Math.round(pictureTicks / framesPerSecond));
  let last: bigint | undefined;
  let skew = 0n;
  let written = -1n;
  return {
    /** Returns the time of a decoded picture. */
    read(at: bigint | undefined): bigint {
      const next = last === undefined ? 0n : last + frameDuration;
      let time = at === undefined || last === undefined ? next : at - skew;
      const gap = Number(time - next) / pictureTicks;
      if (gap > maxGapSeconds || gap < -maxStepBackSeconds) {
        skew += time - next;
        time = next;
      }
      if (last !== undefined && time > last) frameDuration = time - last;
      last = time;
      return time;
    },
    /** Returns the time for the encoder, which rejects two pictures with the same time. */
    write(at: bigint): bigint {
      written = at > written ? at : written + 1n;
      return written;
    },
    /** Returns the interval of the last two pictures in order, initially that of the stated frame rate. */
    frameDuration: () => frameDuration,
  };
}
