/**
 * Reasons why a run is `FAILED`, `SKIPPED` or `BLOCKED`, or waits for another attempt: the code in database and API,
 * with one sentence for users without technical knowledge.
 */
export const reasons = {
  CORRUPT: 'The file is too damaged to be shown.',
  UNSUPPORTED: 'This kind of file is not supported.',
  TOO_LARGE: 'The picture exceeds the size limits of this server.',
  NO_PIXELS: 'The file contains no picture.',
  NO_VIDEO: 'The file has audio, but no video.',
  TIMED_OUT: 'Opening the file took too long.',
  OUT_OF_MEMORY: 'Opening the file exceeded the memory limit.',
  CRASHED: 'The decoder for this kind of file crashed several times.',
  ORIGINAL_MISSING: 'The original file is missing from storage.',
  ORIGINAL_DAMAGED: 'The stored original is damaged. Upload the file again to repair it.',
  STORAGE_UNREACHABLE: 'The storage is unavailable.',
  UNREADABLE: 'The stored file could not be read, several times.',
  NO_SPACE: 'Not enough free disk space. Processing resumes automatically when there is space again.',
  NO_DECODER: 'This server has no decoder for this kind of file.',
  NO_MAP: 'This server has no place data to look up where a picture was taken.',
  NO_MODEL: 'This server has no model for this feature.',
  FEATURE_OFF: 'This feature is turned off for your account.',
  NOT_APPLICABLE: 'Not applicable to this file.',
  INTERRUPTED: 'The server stopped during processing. It will retry automatically.',
  INTERNAL: 'Something went wrong on the server.',
} as const satisfies Record<string, string>;
export type Reason = keyof typeof reasons;

/** Warnings about an item that can still be shown: the code, with one sentence for users. */
export const warnings = {
  DAMAGED: 'The file is damaged; parts of the picture may be missing.',
  METADATA_UNREADABLE: 'Some metadata, such as date and camera, could not be read.',
  SOUND_UNREADABLE: 'The audio of this video could not be read; it plays without sound.',
} as const satisfies Record<string, string>;
export type Warning = keyof typeof warnings;
