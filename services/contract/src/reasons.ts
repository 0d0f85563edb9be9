/**
 * Reasons why a run ended `FAILED`, `SKIPPED` or `BLOCKED`: the code in database and API, with one sentence for users
 * without technical knowledge.
 */
export const reasons = {
  CORRUPT: 'The file is damaged so badly that it cannot be shown.',
  UNSUPPORTED: 'This kind of file is not supported.',
  TOO_LARGE: 'The picture has more pixels, or takes more work to open, than this server is set up for.',
  NO_PIXELS: 'The file contains no picture.',
  NO_VIDEO: 'The file contains sound but no moving picture.',
  TIMED_OUT: 'Opening the file took too long, so it was given up.',
  OUT_OF_MEMORY: 'Opening the file needed more memory than the server may use.',
  CRASHED: 'The program that opens this kind of file stopped unexpectedly, several times.',
  ORIGINAL_MISSING: 'The original file is no longer where it was stored.',
  ORIGINAL_DAMAGED: 'The stored original is damaged. Upload the file again to repair it.',
  STORAGE_UNREACHABLE: 'The place where the files are stored could not be reached.',
  UNREADABLE: 'The server could not read the file as it was uploaded, several times.',
  NO_SPACE: 'The server has no room left to work on this file; it goes on by itself when there is some.',
  NO_DECODER: 'This server is missing the program that opens this kind of file.',
  NO_MAP: 'This server is missing the map by which it knows where a picture was taken.',
  NO_MODEL: 'This server is missing what it needs to recognise things in pictures.',
  FEATURE_OFF: 'This feature is switched off for your account.',
  NOT_APPLICABLE: 'There is nothing of this kind to do for this file.',
  INTERRUPTED: 'The server was stopped while it was at this; it begins anew by itself.',
  INTERNAL: 'Something went wrong on the server.',
} as const satisfies Record<string, string>;
export type Reason = keyof typeof reasons;

/** Warnings about an item that can still be shown: the code, with one sentence for users. */
export const warnings = {
  DAMAGED: 'The file is damaged; parts of the picture may be missing.',
  METADATA_UNREADABLE: 'The details stored in the file, such as date and camera, could not be read completely.',
  SOUND_UNREADABLE: 'The sound of this video could not be read; it plays without.',
} as const satisfies Record<string, string>;
export type Warning = keyof typeof warnings;
