import type { FailureAnswer, ReadyMessage } from '../sandbox/processes/decoderAnswers.ts';

/**
 * How a playable video is made: `transcode` encodes pictures and sound anew; `remux` puts those that browsers play into a new file as they
 * are, without metadata.
 */
export type MakingOfVideo = 'transcode' | 'remux';

/** The request to a transcoding child, sent once. */
export interface TranscodeRequest {
  readonly how: MakingOfVideo;
  readonly path: string;
  readonly target: string;
  readonly maxPixels: number;
}

/** `DAMAGED`: some of the file is missing. `SOUND_UNREADABLE`: it has sound of a kind that cannot be decoded, which is left out. */
export type TranscodeWarning = 'DAMAGED' | 'SOUND_UNREADABLE';

/** A message of the child: its progress once a second, and at last its result. */
export type TranscodeMessage =
  | ReadyMessage
  | { readonly kind: 'progress'; readonly fraction: number | undefined }
  | { readonly kind: 'done'; readonly warnings: readonly TranscodeWarning[] }
  | { readonly kind: 'unwritable'; readonly text: string }
  | FailureAnswer;
