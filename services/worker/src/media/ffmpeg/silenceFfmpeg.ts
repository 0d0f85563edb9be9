import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';

/** Turns FFmpeg's log off; errors come as the return values of decoders. Called by every function that opens FFmpeg. */
export const silenceFfmpeg = (): void => Log.setLevel(AV_LOG_QUIET);
