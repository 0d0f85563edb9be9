import { DecodeError } from '../errors/decodeError.ts';
import type { Exiftool } from '../exiftool/exiftool.ts';
import type { MediaTags } from '../exiftool/mediaTags.ts';
import type { Span } from '../formats/fileBoxes.ts';
import { findMotionVideo } from './motionVideo.ts';
import { readMp4CaptureRate } from './mp4CaptureRate.ts';

/** Tags of a file, as `readMetadata` expects them. */
export interface FileTags {
  readonly tags: MediaTags;
  /** Position of the video in a photo's file, if it has one. */
  readonly motionVideo?: Span | undefined;
  /** True if the metadata is too damaged or too large to read. The picture may be intact. */
  readonly isUnreadable?: boolean;
}

/**
 * Reads the tags of a file, and adds those that exiftool does not find.
 * @throws DecodeError UNREADABLE, TIMED_OUT, OUT_OF_MEMORY or CRASHED, which may be retried
 */
export async function readMediaTags(exiftool: Exiftool, path: string, mimeType: string): Promise<FileTags> {
  const tags = await exiftool.read(path, mimeType).catch(ignoreUnreadable);
  if (tags === undefined) return { tags: {}, isUnreadable: true };
  if (!mimeType.startsWith('video/')) return { tags, motionVideo: await findMotionVideo(path, tags) };
  if (tags[captureRate] !== undefined) return { tags };
  return { tags: { ...tags, [captureRate]: await readMp4CaptureRate(path) } };
}

const captureRate = 'Keys:AndroidCaptureFPS';

function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof DecodeError && (error.code === 'CORRUPT' || error.code === 'TOO_LARGE'))) throw error;
}
