import type { PicturePart } from '../photo/cutOut.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { openDecoderLane, type DecoderLaneOptions } from './decoderLane.ts';
import { findPhotoFormat } from '../formats/photoFormat.ts';
import { photoFormats } from '../formats/photoFormats.ts';
import type { EncodedPicture, PhotoSource } from '../pictures/photoPreview.ts';
import type { RgbPixels } from '../photo/readPixels.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';

/** The number of decoders, and the limits of one decode. */
export type DecoderPoolOptions = Omit<DecoderLaneOptions, 'most'>;

/** Decodes untrusted files of one owner in child processes that can be killed, and that see no file of another owner. */
export interface Decoders {
  /**
   * Renders a photo (see `renderPhoto.ts`); photos wait for a free child in the order of the calls. A decode beyond `timeoutMs` or
   * `memoryLimitBytes` is killed. When a child ends, only its own photo fails.
   * @throws DecodeError, whose `permanent` says whether a retry makes sense
   */
  renderPhoto(path: string, within?: PhotoSource['within']): Promise<RenderedPhoto>;
  /**
   * Renders a frame of a video (see `video/videoPoster.ts`). Videos are rendered one at a time, and no photo waits for them. @throws
   * DecodeError
   */
  renderVideo(path: string): Promise<RenderedVideo>;
  /** Reads the pixels of a preview in each of these sizes (see `readPixels.ts`); it queues with the photos. @throws DecodeError */
  readPixels(path: string, sides: readonly number[]): Promise<readonly RgbPixels[]>;
  /**
   * Cuts parts out of a photo or a preview (see `cutOut.ts`); it queues with the photos. @throws DecodeError UNSUPPORTED where sharp does not read the
   * format, and the other kinds
   */
  cutOut(path: string, parts: readonly PicturePart[]): Promise<readonly EncodedPicture[]>;
}

/** The decoders of all owners. */
export interface DecoderPool {
  /** Returns the decoders of one owner. `patience` multiplies the time limit of each decode. */
  of(ownerId: string, patience?: number): Decoders;
  /** The processes now alive, for kill drills. */
  childPids(): number[];
  /** Kills every child and waits until it is gone; what is unfinished rejects as `CRASHED`. */
  close(): Promise<void>;
}

/**
 * Idle children that are kept while several owners have photos in turn. Each holds 70 to 130 MB, and saves 0.2 s of CPU for a start when
 * its owner has the next photo.
 */
const sparedChildren = 2;

/**
 * A child with heavy decoders (those of videos are among them) holds 100 MB more than one that has seen only JPEGs, so an idle one is ended
 * soon.
 */
const heavyIdleMs = 10_000;

/**
 * Opens a pool of three lanes. The first has `size` children, for formats that are read strip by strip. The second has a single child, for
 * formats whose decoders hold whole pictures in memory, so that a worker never holds two of these. The third has a single child for frames
 * of videos, behind which a photo could wait for as long as a decode may take.
 */
export function openDecoderPool(options: DecoderPoolOptions): DecoderPool {
  const light = openDecoderLane({ ...options, most: options.size + sparedChildren });
  const heavy = openDecoderLane({ ...options, size: 1, most: 1, idleMs: heavyIdleMs });
  const videos = openDecoderLane({ ...options, size: 1, most: 1, idleMs: heavyIdleMs });
  const lanes = [light, heavy, videos];
  return {
    of: (ownerId, patience) => ({
      async renderPhoto(path, within) {
        const format = await findPhotoFormat(path);
        if (format === undefined || photoFormats[format].decoder === 'raw') {
          throw new DecodeError('UNSUPPORTED', 'There is no decoder for this file format.');
        }
        const lane = photoFormats[format].isHeavy ? heavy : light;
        return lane.ask(ownerId, { kind: 'photo', path, format, ...(within !== undefined && { within }) }, patience);
      },
      renderVideo: (path) => videos.ask(ownerId, { kind: 'video', path }, patience),
      async readPixels(path, sides) {
        const format = await findPhotoFormat(path);
        if (format !== 'jpeg' && format !== 'webp') throw new DecodeError('UNSUPPORTED', 'The file is no preview.');
        return light.ask(ownerId, { kind: 'pixels', path, format, sides }, patience);
      },
      async cutOut(path, parts) {
        const format = await findPhotoFormat(path);
        if (format === undefined || photoFormats[format].decoder !== 'sharp')
          throw new DecodeError('UNSUPPORTED', 'Nothing can be cut out of this file format.');
        const lane = photoFormats[format].isHeavy ? heavy : light;
        return lane.ask(ownerId, { kind: 'cutOuts', path, format, parts }, patience);
      },
    }),
    childPids: () => lanes.flatMap((lane) => lane.childPids()),
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
