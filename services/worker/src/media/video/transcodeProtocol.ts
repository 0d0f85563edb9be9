import type { FailureAnswer, ReadyMessage } from '../decoderProtocol.ts';

/** How a video is made: drawn anew, or the same pictures and sound without what the file says besides, of one that browsers play. */
export type MakingOfVideo = 'transcode' | 'copy';

/** What a transcoding child is asked, once. */
export interface TranscodeRequest {
  readonly how: MakingOfVideo;
  readonly path: string;
  readonly target: string;
  readonly maxPixels: number;
}

/** `DAMAGED`: some of the file is missing. `SOUND_UNREADABLE`: it has sound of a kind that cannot be decoded, which is left out. */
export type TranscodeWarning = 'DAMAGED' | 'SOUND_UNREADABLE';

/** What it says: how far it is, once a second, and at last how it has ended. */
export type TranscodeMessage =
  | ReadyMessage
  | { readonly kind: 'progress'; readonly fraction: number | undefined }
  | { readonly kind: 'done'; readonly warnings: readonly TranscodeWarning[] }
  | { readonly kind: 'unwritable'; readonly text: string }
  | FailureAnswer;
