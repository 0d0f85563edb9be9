import { isNotFound, UnknownWriteError, WrongPartsError } from '../objectErrors.ts';
import type { StoredPart } from '../objects.ts';
import { abortS3Upload } from './s3Abort.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { convertS3Errors } from './s3Errors.ts';
import { abortByNote, finishS3Upload } from './s3Finish.ts';
import { listS3Uploads } from './s3Listing.ts';
import { openNotes } from './s3Notes.ts';
import { statS3Object } from './s3Reading.ts';
import { isReset } from './s3Transport.ts';

/**
 * Multipart uploads, each with a note in the bucket from start to end. The notes find uploads that are never ended: not
 * every store lists the unfinished uploads of a bucket, or still does so after a restart. They also show that an upload
 * has ended: for a part of a finished or abandoned upload, stores may close the connection or report success.
 */
export interface S3Uploads {
  /** Calls `onStarted` with the id as soon as it is known, before another request can find the upload. */
  begin(key: string, onStarted?: (writeId: string) => void): Promise<string>;
  /** Returns the tag of the part. @throws UnknownWriteError */
  putPart(key: string, writeId: string, number: number, bytes: Buffer): Promise<string>;
  /**
   * Returns the size of the object in bytes.
   * @throws UnknownWriteError if the note is gone, the object exists, or the parts are known to be gone
   * @throws StoreError if the note exists but the store does not know the upload; a retry may help
   */
  finish(key: string, writeId: string, parts: readonly StoredPart[]): Promise<number>;
  /** Ignores a finished or unknown upload. */
  abandon(key: string, writeId: string): Promise<void>;
  /**
   * Abandons uploads that started before `before`, unless `isSpared` returns true, and returns their number.
   * @throws the first error of an upload that could not be abandoned, after trying the others
   */
  abandonOld(before: Date, isSpared: (writeId: string) => boolean): Promise<number>;
}

/** After this many failures the store itself is assumed to fail, and no further uploads are tried. */
const maxFailures = 20;

export const openS3Uploads = (bucket: S3Bucket): S3Uploads => {
  const { client, name } = bucket;
  const notes = openNotes(bucket);
  /** Notes of uploads that this process is starting. */
  const starting = new Set<string>();

  const exists = (name: string): Promise<boolean> => statS3Object(bucket, name).then(() => true, falseIfMissing);

  const isUnfinished = (key: string, writeId: string): Promise<boolean> => exists(notes.getName(key, writeId));

  /**
   * Handles a note without an id: abandons every old upload of its key. This includes uploads with their own note.
   * Keeps the note while the key has a younger upload, which may be the one of the note.
   */
  const abandonOldUploads = async (
    noteName: string,
    key: string,
    before: Date,
    isSpared: (writeId: string) => boolean,
  ): Promise<number> => {
    for (let count = 0; ;) {
      const { uploads, isComplete } = await listS3Uploads(bucket, key);
      const canAbandon = uploads.filter(({ writeId }) => !isSpared(writeId));
      const oldIds = canAbandon.filter(({ startedAt }) => startedAt < before);
      for (const { writeId } of oldIds) {
        await abortS3Upload(bucket, key, writeId);
        await notes.remove(notes.getName(key, writeId));
      }
      count += oldIds.length;
      if (isComplete && oldIds.length === canAbandon.length) await notes.remove(noteName);
      // A listing may end after the oldest uploads. More may follow once these are gone.
      if (isComplete || oldIds.length === 0) return count;
    }
  };

  const abandonNoted = async (
    noteName: string,
    before: Date,
    isSpared: (writeId: string) => boolean,
  ): Promise<number> => {
    const note = await notes.read(noteName);
    // The upload has ended meanwhile.
    if (note === undefined) return 0;
    const { key, writeId } = note;
    if (writeId === undefined) return abandonOldUploads(noteName, key, before, isSpared);
    if (isSpared(writeId)) return 0;
    await abortByNote(bucket, { ...note, writeId });
    await notes.remove(noteName);
    return 1;
  };

  return {
    async begin(key, onStarted) {
      const startNote = notes.newName();
      starting.add(startNote);
      try {
        await notes.write(startNote, { key });
        const writeId = await convertS3Errors(`start writing ${key}`, client.initiateNewMultipartUpload(name, key, {}));
        onStarted?.(writeId);
        try {
          await notes.write(notes.getName(key, writeId), { key, writeId });
        } catch (error) {
          await abortS3Upload(bucket, key, writeId).catch(() => undefined);
          throw error;
        }
        await notes.remove(startNote);
        return writeId;
      } finally {
        starting.delete(startNote);
      }
    },

    async putPart(key, writeId, number, bytes) {
      if (!isPossibleId(writeId)) throw new UnknownWriteError(key, writeId);
      const part = { bucketName: name, objectName: key, uploadID: encodeURIComponent(writeId), partNumber: number };
      try {
        const sent = client.uploadPart({ ...part, headers: {} }, bytes);
        return (await convertS3Errors(`write part ${number} of ${key}`, sent, { key, writeId })).etag;
      } catch (error) {
        // A store may close the connection instead of reading a part that it rejects.
        if (!isReset((error as Error).cause) || (await isUnfinished(key, writeId))) throw error;
        throw new UnknownWriteError(key, writeId, { cause: error });
      }
    },

    async finish(key, writeId, parts) {
      if (!isPossibleId(writeId)) throw new UnknownWriteError(key, writeId);
      if (parts.length === 0) throw new WrongPartsError(key, 'it has no parts');
      const note = await notes.read(notes.getName(key, writeId));
      if (note === undefined) throw new UnknownWriteError(key, writeId);
      return finishS3Upload(bucket, notes, { ...note, writeId }, parts);
    },

    async abandon(key, writeId) {
      if (!isPossibleId(writeId)) return;
      const noteName = notes.getName(key, writeId);
      await abortByNote(bucket, { key, ...(await notes.read(noteName)), writeId });
      await notes.remove(noteName);
    },

    async abandonOld(before, isSpared) {
      let count = 0;
      const failures: unknown[] = [];
      for await (const { key: noteName, modifiedAt } of notes.list()) {
        if (modifiedAt >= before || starting.has(noteName)) continue;
        try {
          count += await abandonNoted(noteName, before, isSpared);
        } catch (error) {
          failures.push(error);
          if (failures.length === maxFailures) break;
        }
      }
      if (failures.length > 0) throw failures[0];
      return count;
    },
  };
};

/**
 * Returns false for a text that cannot be an upload id. Some stores use the id as a path, and reject one with `..` by
 * an error other than “unknown”.
 */
const isPossibleId = (writeId: string): boolean => writeId !== '' && !writeId.includes('..');

const falseIfMissing = (error: unknown): false => {
  if (isNotFound(error)) return false;
  throw error;
};
