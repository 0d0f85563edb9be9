import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../../log/log.ts';
import { checkKey, isKey } from '../keys.ts';
import { convertStoreErrors } from '../objectErrors.ts';
import type { ObjectStore } from '../objects.ts';
import type { S3Settings } from '../../config/s3Settings.ts';
import { makeS3Bucket, openS3Bucket, type S3Options } from './s3Bucket.ts';
import { openS3Usage } from './s3Capacity.ts';
import { createS3Linker } from './s3Links.ts';
import { listS3 } from './s3Listing.ts';
import { openS3Object, statS3Object } from './s3Reading.ts';
import { removeS3Objects } from './s3Removal.ts';
import { openS3Uploads } from './s3Uploads.ts';
import { writeS3Object } from './s3Writing.ts';

/**
 * Opens an object store in a bucket of any S3 service. Connects on first use, and reconnects after an outage. The
 * bucket also holds notes about unfinished writes; their names are no valid keys.
 *
 * The service must keep unfinished multipart uploads for as long as a write in parts may take. Some services abort them
 * after a day unless configured otherwise, in their settings or by a lifecycle rule of the bucket.
 */
export const openS3Store = (settings: S3Settings, log: Log, options: S3Options = {}): ObjectStore => {
  const bucket = openS3Bucket(settings, log, options);
  const uploads = openS3Uploads(bucket);
  const usage = openS3Usage(bucket, settings.capacityBytes);
  const { publicUrl } = settings;
  const linkTo = publicUrl === undefined ? undefined : createS3Linker({ ...settings, publicUrl });
  /** Ids of multipart uploads that a `put` of this process is writing. */
  const running = new Set<string>();

  return {
    isRemote: true,

    async prepare() {
      await makeS3Bucket(bucket, settings);
      usage.refresh();
    },

    // Does nothing: unlike a mounted folder, a bucket is not replaced while the process runs, and a missing one causes
    // errors.
    claim: async () => undefined,

    async put(key, body, { signal } = {}) {
      try {
        checkKey(key);
      } catch (error) {
        body.destroy();
        throw error;
      }
      return writeS3Object(bucket, uploads, running, { key, body, signal });
    },

    async beginParts(key) {
      checkKey(key);
      return uploads.begin(key);
    },

    async putPart(key, writeId, { number }, bytes) {
      checkKey(key);
      return uploads.putPart(key, writeId, number, bytes);
    },

    async finishParts(key, writeId, parts) {
      checkKey(key);
      return uploads.finish(key, writeId, parts);
    },

    async abandonParts(key, writeId) {
      checkKey(key);
      await uploads.abandon(key, writeId);
    },

    link(object) {
      checkKey(object.key);
      return linkTo?.(object);
    },

    async open(key, range) {
      checkKey(key);
      return openS3Object(bucket, key, range);
    },

    async stat(key) {
      checkKey(key);
      return statS3Object(bucket, key);
    },

    async file(key, directory) {
      checkKey(key);
      const stream = await openS3Object(bucket, key);
      const path = join(directory, randomUUID());
      const remove = (): Promise<void> => rm(path, { force: true });
      try {
        await convertStoreErrors(
          `download ${key}`,
          pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 })),
        );
      } catch (error) {
        await remove();
        throw error;
      }
      return { path, [Symbol.asyncDispose]: remove };
    },

    async remove(keys) {
      for (const key of keys) checkKey(key);
      await removeS3Objects(bucket, keys);
    },

    async *list(prefix) {
      if (!canStartKey(prefix)) return;
      for await (const object of listS3(bucket, prefix)) if (isKey(object.key)) yield object;
    },

    removeUnfinished: (before, except = new Set()) =>
      uploads.abandonOld(before, (writeId) => running.has(writeId) || except.has(writeId)),

    capacity: usage.capacity,
  };
};

/** Returns true if a key can start with `prefix`. Some stores reject other prefixes. */
const canStartKey = (prefix: string): boolean => prefix === '' || isKey(prefix) || isKey(prefix.replace(/\/$/, ''));
