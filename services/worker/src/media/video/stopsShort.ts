import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { OpenVideo } from './openVideo.ts';

/** Containers whose stated duration is compared. An MP4's boxes tell what is missing; MPEG's streams state nothing beyond what is there. */
const statingFormats = /^(matroska|avi$|asf|flv$)/;

/** The part of the stated duration that must be decoded: programs round, and the last picture may be shown for longer. */
const leastPart = 0.9;

/** Seconds of a short clip that may be missing. */
const mayLackSeconds = 1;

/** Whether these decoded seconds are clearly fewer than the container states. */
export function stopsShort({ input, durationSeconds }: OpenVideo, seconds: number): boolean {
  if (durationSeconds === undefined || !statingFormats.test(input.iformat?.name ?? '')) return false;
  // A part that has been cut out of a film may count from the film's beginning.
  const beginSeconds = input.startTime === AV_NOPTS_VALUE ? 0 : Math.max(0, Number(input.startTime) / 1e6);
  const missing = durationSeconds - beginSeconds - seconds;
  return missing > mayLackSeconds && missing > (1 - leastPart) * durationSeconds;
}
