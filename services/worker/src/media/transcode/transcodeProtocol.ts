import type { FailureResponse, ReadyMessage } from '../sandbox/processes/decoderResponses.ts';

/** `transcode` re-encodes pictures and sound. `remux` copies those of a playable video to a new file without metadata. */
export type TranscodeMethod = 'transcode' | 'remux';

/** Request to a transcoding child, sent once. */
export interface TranscodeRequest {
  readonly method: TranscodeMethod;
  readonly path: string;
  readonly target: string;
  readonly maxPixels: number;
}

/** `DAMAGED`: part of the file is missing. `SOUND_UNREADABLE`: the audio codec is unsupported, so the audio is left out. */
export type TranscodeWarning = 'DAMAGED' | 'SOUND_UNREADABLE';

/** A message of the child: `ready`, then its progress at most once a second, then its result. */
export type TranscodeMessage =
  | ReadyMessage
  | { readonly kind: 'progress'; readonly fraction: number | undefined }
  | { readonly kind: 'done'; readonly warnings: readonly TranscodeWarning[] }
  | { readonly kind: 'unwritable'; readonly text: string }
  | FailureResponse;
