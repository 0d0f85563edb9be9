import { DecodeError } from './decodeError.ts';
import type { Exiftool } from './exiftool.ts';
import type { MediaTags } from './mediaTags.ts';
import { hasMotionVideo } from './motionVideo.ts';
import { readMp4CaptureRate } from './mp4CaptureRate.ts';

/** What a file says, as `readMetadata` wants it. */
export interface FileTags {
  readonly tags: MediaTags;
  /** Whether a video really lies in or behind a photo. */
  readonly hasMotionVideo: boolean;
  /** Whether the details are damaged so badly that none could be read; the picture may be whole. */
  readonly isUnreadable?: boolean;
}

/**
 * Reads the tags of a file, with what exiftool does not find.
 * @throws DecodeError TIMED_OUT or CRASHED; both may be retried.
 */
export async function readMediaTags(exiftool: Exiftool, path: string, mimeType: string): Promise<FileTags> {
  const tags = await exiftool.read(path, mimeType).catch(ignoreCorrupt);
  if (tags === undefined) return { tags: {}, hasMotionVideo: false, isUnreadable: true };
  if (!mimeType.startsWith('video/')) return { tags, hasMotionVideo: await hasMotionVideo(path, tags) };
  if (tags[captureRate] !== undefined) return { tags, hasMotionVideo: false };
  return { tags: { ...tags, [captureRate]: await readMp4CaptureRate(path) }, hasMotionVideo: false };
}

const captureRate = 'Keys:AndroidCaptureFPS';

function ignoreCorrupt(error: unknown): undefined {
  if (!(error instanceof DecodeError && error.code === 'CORRUPT')) throw error;
}
