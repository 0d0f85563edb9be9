import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';

/** FFmpeg says nothing on its own: what is wrong with a file, a decoder's answer tells. Whoever opens FFmpeg calls this. */
export const silenceFfmpeg = (): void => Log.setLevel(AV_LOG_QUIET);
