import type { PicturePart } from '../photo/cropParts.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { openDecoderQueue, type DecoderQueueOptions } from './decoderQueue.ts';
import { findPhotoFormat } from '../formats/photoFormat.ts';
import { photoFormats } from '../formats/photoFormats.ts';
import type { EncodedPicture, PhotoSource } from '../pictures/photoPreview.ts';
import type { RgbPixels } from '../photo/readPixels.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';

/** Number of decoders, and limits of one decode. */
export type DecoderPoolOptions = Omit<DecoderQueueOptions, 'maxChildren'>;

/** Decodes untrusted files of one owner in child processes that can be killed and that open no file of another owner. */
export interface Decoders {
  /**
   * Renders a photo (see `renderPhoto.ts`). Photos wait for a free child, first in, first out. A decode above `timeoutMs` or `memoryLimitBytes` is
   * killed. When a child dies, only its active photo fails.
   * @throws DecodeError, retryable unless `permanent`
   */
  renderPhoto(path: string, within?: PhotoSource['within']): Promise<RenderedPhoto>;
  /**
   * Renders a frame of a video (see `video/videoPoster.ts`). Videos are rendered one at a time, in a queue separate from photos. @throws DecodeError
   */
  renderVideo(path: string): Promise<RenderedVideo>;
  /** Reads the pixels of a preview in each of these sizes (see `readPixels.ts`). Shares the queue of photos. @throws DecodeError */
  readPixels(path: string, sides: readonly number[]): Promise<readonly RgbPixels[]>;
  /**
   * Crops parts of a photo or a preview (see `cropParts.ts`). Shares the queue of photos. @throws DecodeError, with UNSUPPORTED for formats that sharp
   * cannot read
   */
  cutOut(path: string, parts: readonly PicturePart[]): Promise<readonly EncodedPicture[]>;
}

export interface DecoderPool {
  /** Returns the decoders of one owner. `timeoutFactor` multiplies the timeout of each decode. */
  forOwner(ownerId: string, timeoutFactor?: number): Decoders;
  /** Returns the pids of all children, for fault tests. */
  childPids(): number[];
  /** Kills all children and waits until they have ended. Pending requests reject with `CRASHED`. */
  close(): Promise<void>;
}

/**
 * Number of extra idle children that are kept when several owners alternate. Each uses 70 to 130 MB, and saves the 0.2 s of CPU time of a start when
 * its owner has the next photo.
 */
const extraIdleChildren = 2;

/**
 * Idle timeout of heavy children, in ms. Short, because a child that has loaded heavy decoders, such as those of videos, uses 100 MB more than one
 * for JPEGs.
 */
const heavyIdleMs = 10_000;

/**
 * Opens a pool of three queues:
 * 1. Formats that are decoded in strips: up to `size` files in parallel.
 * 2. Formats whose decoders hold whole pictures in memory: one file at a time.
 * 3. Videos: one file at a time. In a shared queue, a photo behind a video could wait for the whole timeout.
 */
export function openDecoderPool(options: DecoderPoolOptions): DecoderPool {
  const lightQueue = openDecoderQueue({ ...options, maxChildren: options.size + extraIdleChildren });
  const heavyQueue = openDecoderQueue({ ...options, size: 1, maxChildren: 1, idleMs: heavyIdleMs });
  const videoQueue = openDecoderQueue({ ...options, size: 1, maxChildren: 1, idleMs: heavyIdleMs });
  const queues = [lightQueue, heavyQueue, videoQueue];
  return {
    forOwner: (ownerId, timeoutFactor) => ({
      async renderPhoto(path, within) {
        const format = await findPhotoFormat(path);
        if (format === undefined || photoFormats[format].decoder === 'raw') {
          throw new DecodeError('UNSUPPORTED', 'No decoder for this file format.');
        }
        const queue = photoFormats[format].isHeavy ? heavyQueue : lightQueue;
        return queue.request(
          ownerId,
          { kind: 'photo', path, format, ...(within !== undefined && { within }) },
          timeoutFactor,
        );
      },
      renderVideo: (path) => videoQueue.request(ownerId, { kind: 'video', path }, timeoutFactor),
      async readPixels(path, sides) {
        const format = await findPhotoFormat(path);
        if (format !== 'jpeg' && format !== 'webp') throw new DecodeError('UNSUPPORTED', 'The file is not a preview.');
        return lightQueue.request(ownerId, { kind: 'pixels', path, format, sides }, timeoutFactor);
      },
      async cutOut(path, parts) {
        const format = await findPhotoFormat(path);
        if (format === undefined || photoFormats[format].decoder !== 'sharp')
          throw new DecodeError('UNSUPPORTED', 'This file format does not support cropping.');
        const queue = photoFormats[format].isHeavy ? heavyQueue : lightQueue;
        return queue.request(ownerId, { kind: 'cutOuts', path, format, parts }, timeoutFactor);
      },
    }),
    childPids: () => queues.flatMap((queue) => queue.childPids()),
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
