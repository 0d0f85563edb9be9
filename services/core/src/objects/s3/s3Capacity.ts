import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../objectErrors.ts';
import type { Capacity } from '../objects.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { listS3 } from './s3Listing.ts';

/** A sum of sizes stays valid for `validityFactor` times the duration of its computation, and at least `minValidMs`. */
const minValidMs = 60_000;
const validityFactor = 50;

/** Maximum wait of `capacity` for the first sum, in ms. */
const maxFirstWaitMs = 5_000;

/**
 * Used and free bytes of a bucket. S3 does not report them, so the sizes of all objects are summed in the background.
 */
export interface S3Usage {
  /** Starts a new sum, unless the last one is still valid. */
  refresh(): void;
  /** @throws StoreError if the store is unavailable, or the first sum takes longer than `maxFirstWaitMs` */
  capacity(): Promise<Capacity>;
}

export const openS3Usage = (bucket: S3Bucket, totalBytes: number | undefined): S3Usage => {
  let usedBytes: number | undefined;
  let validUntil = 0;
  let running: Promise<void> | undefined;
  let failure: unknown;

  const sumSizes = async (): Promise<void> => {
    const startedAt = Date.now();
    try {
      let sum = 0;
      for await (const { sizeBytes } of listS3(bucket, '')) sum += sizeBytes;
      usedBytes = sum;
      failure = undefined;
    } catch (error) {
      failure = error;
      bucket.log.debug({ err: error }, 'could not compute the total size; retried at the next request');
      return;
    } finally {
      running = undefined;
    }
    validUntil = Date.now() + Math.max(minValidMs, validityFactor * (Date.now() - startedAt));
  };
  const refresh = (): void => {
    if (Date.now() >= validUntil) running ??= sumSizes();
  };

  return {
    refresh,
    async capacity() {
      await bucket.ping();
      refresh();
      if (usedBytes === undefined) await Promise.race([running, sleep(maxFirstWaitMs, undefined, { ref: false })]);
      if (usedBytes === undefined) throw failure ?? new StoreError('the total size is still being computed');
      const freeBytes = totalBytes === undefined ? undefined : Math.max(0, totalBytes - usedBytes);
      return { totalBytes, freeBytes, usedBytes };
    },
  };
};
