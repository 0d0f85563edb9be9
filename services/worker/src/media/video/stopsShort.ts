import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { OpenVideo } from './openVideo.ts';

/** Containers that state how long they play. MP4 tells by its boxes what is missing, and MPEG's streams know no more than what is there. */
const statingFormats = /^(matroska|avi$|asf|flv$)/;

/** What has to come out of the stated length: programs round, and the last picture may stand longer than it says. */
const leastPart = 0.9;

/** Seconds that may be missing of a short clip. */
const mayLackSeconds = 1;

/** Whether so many seconds are clearly less than the container has promised. */
export function stopsShort({ input, durationSeconds }: OpenVideo, seconds: number): boolean {
  if (durationSeconds === undefined || !statingFormats.test(input.iformat?.name ?? '')) return false;
  // A part that has been cut out of a film may count from the film's beginning.
  const beginSeconds = input.startTime === AV_NOPTS_VALUE ? 0 : Math.max(0, Number(input.startTime) / 1e6);
  const missing = durationSeconds - beginSeconds - seconds;
  return missing > mayLackSeconds && missing > (1 - leastPart) * durationSeconds;
}
