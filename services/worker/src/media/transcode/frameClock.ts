import { pictureTicks } from './encoders.ts';
import type { OpenVideo } from '../video/openVideo.ts';

/** Seconds by which times may run backwards. A larger step means that a second recording was joined to the first. */
export const maxStepBackSeconds = 1;

/** Seconds between two frames of a broadcast stream after which its clock was set anew. */
const maxBroadcastGapSeconds = 10;

/** The longest gap between two frames, in seconds, that is taken for one: in a recording of a screen a frame may be shown for an hour. */
export const gapLimit = ({ input }: OpenVideo): number =>
  input.iformat?.name?.startsWith('mpeg') === true ? maxBroadcastGapSeconds : Infinity;

/**
 * Keeps the times of pictures in order, in `pictureTicks`. The first one is shown from the beginning. A picture without a time, or after a
 * jump of the clock, gets the usual distance from the last one.
 */
export function openFrameClock({
  framesPerSecond,
  maxGapSeconds,
}: {
  readonly framesPerSecond: number;
  readonly maxGapSeconds: number;
}) {
  let usual = BigInt(Math.round(pictureTicks / framesPerSecond));
  let last: bigint | undefined;
  let skew = 0n;
  let written = -1n;
  return {
    /** The time of a decoded picture. */
    read(at: bigint | undefined): bigint {
      const next = last === undefined ? 0n : last + usual;
      let time = at === undefined || last === undefined ? next : at - skew;
      const gap = Number(time - next) / pictureTicks;
      if (gap > maxGapSeconds || gap < -maxStepBackSeconds) {
        skew += time - next;
        time = next;
      }
      if (last !== undefined && time > last) usual = time - last;
      last = time;
      return time;
    },
    /** The time of the next picture for the encoder, which takes no two of one time. */
    write(at: bigint): bigint {
      written = at > written ? at : written + 1n;
      return written;
    },
    usual: () => usual,
  };
}
