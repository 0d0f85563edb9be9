import { isNotFound, UnknownWriteError, WrongPartsError } from '../objectErrors.ts';
import type { StoredPart } from '../objects.ts';
import { abortS3Upload } from './s3Abort.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import { abortByNote, finishS3Upload } from './s3Finish.ts';
import { listS3UploadsOf } from './s3Listing.ts';
import { openNotes } from './s3Notes.ts';
import { statS3Object } from './s3Reading.ts';
import { isReset } from './s3Transport.ts';

/**
 * Multipart uploads, each with a note in the bucket from its beginning to its end. The notes serve two things. They find uploads that
 * nobody ends: not every store lists the unfinished uploads of a bucket, or still does after a restart. And they tell that an upload has
 * ended: when asked to store a part of a finished or abandoned upload, stores may break the connection, or report a success.
 */
export interface S3Uploads {
  /** `onBegun` gets the id as soon as there is one, before any other request can find the upload. */
  begin(key: string, onBegun?: (writeId: string) => void): Promise<string>;
  /** Answers the tag of the part. @throws UnknownWriteError */
  putPart(key: string, writeId: string, number: number, bytes: Buffer): Promise<string>;
  /**
   * Answers the size of the object in bytes.
   * @throws UnknownWriteError where our note is gone, the object exists, or the parts are known to be gone
   * @throws StoreError where only the store says that there is no such upload, which proves nothing: worth a retry
   */
  finish(key: string, writeId: string, parts: readonly StoredPart[]): Promise<number>;
  /** An upload that is finished or unknown counts as abandoned. */
  abandon(key: string, writeId: string): Promise<void>;
  /**
   * Abandons the uploads that began before `before`, except those that `isSpared` names, and answers how many there were.
   * @throws the first error of an upload that could not be abandoned, after all others are
   */
  abandonOld(before: Date, isSpared: (writeId: string) => boolean): Promise<number>;
}

/** The number of uploads that cannot be abandoned at which the store itself is at fault, so that no further one is tried. */
const maxFailures = 20;

export const openS3Uploads = (bucket: S3Bucket): S3Uploads => {
  const { client, name } = bucket;
  const notes = openNotes(bucket);
  /** Notes of uploads that this process is beginning. */
  const beginnings = new Set<string>();

  const isThere = (name: string): Promise<boolean> => statS3Object(bucket, name).then(() => true, falseIfMissing);

  const isUnfinished = (key: string, writeId: string): Promise<boolean> => isThere(notes.nameOf(key, writeId));

  /**
   * Abandons the upload of a note that has no id yet: every old upload of its key. An upload that has a note of its own is abandoned and
   * counted here too. The note stays while the key has a younger upload, which may be the one of the note.
   */
  const abandonOldOf = async (
    noteName: string,
    key: string,
    before: Date,
    isSpared: (writeId: string) => boolean,
  ): Promise<number> => {
    for (let count = 0; ;) {
      const { uploads, isWhole } = await listS3UploadsOf(bucket, key);
      const mayGo = uploads.filter(({ writeId }) => !isSpared(writeId));
      const old = mayGo.filter(({ begunAt }) => begunAt < before);
      for (const { writeId } of old) {
        await abortS3Upload(bucket, key, writeId);
        await notes.remove(notes.nameOf(key, writeId));
      }
      count += old.length;
      if (isWhole && old.length === mayGo.length) await notes.remove(noteName);
      // A listing may end with the oldest uploads; more may follow once these are gone.
      if (isWhole || old.length === 0) return count;
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
    if (writeId === undefined) return abandonOldOf(noteName, key, before, isSpared);
    if (isSpared(writeId)) return 0;
    await abortByNote(bucket, { ...note, writeId });
    await notes.remove(noteName);
    return 1;
  };

  return {
    async begin(key, onBegun) {
      const beginning = notes.newName();
      beginnings.add(beginning);
      try {
        await notes.write(beginning, { key });
        const writeId = await attemptS3(`begin to write ${key}`, client.initiateNewMultipartUpload(name, key, {}));
        onBegun?.(writeId);
        try {
          await notes.write(notes.nameOf(key, writeId), { key, writeId });
        } catch (error) {
          await abortS3Upload(bucket, key, writeId).catch(() => undefined);
          throw error;
        }
        await notes.remove(beginning);
        return writeId;
      } finally {
        beginnings.delete(beginning);
      }
    },

    async putPart(key, writeId, number, bytes) {
      if (!mayBeId(writeId)) throw new UnknownWriteError(key, writeId);
      const part = { bucketName: name, objectName: key, uploadID: encodeURIComponent(writeId), partNumber: number };
      try {
        const sent = client.uploadPart({ ...part, headers: {} }, bytes);
        return (await attemptS3(`write part ${number} of ${key}`, sent, { key, writeId })).etag;
      } catch (error) {
        // A store may close the connection instead of reading a part that it will refuse.
        if (!isReset((error as Error).cause) || (await isUnfinished(key, writeId))) throw error;
        throw new UnknownWriteError(key, writeId, { cause: error });
      }
    },

    async finish(key, writeId, parts) {
      if (!mayBeId(writeId)) throw new UnknownWriteError(key, writeId);
      if (parts.length === 0) throw new WrongPartsError(key, 'there are none');
      const note = await notes.read(notes.nameOf(key, writeId));
      if (note === undefined) throw new UnknownWriteError(key, writeId);
      return finishS3Upload(bucket, notes, { ...note, writeId }, parts);
    },

    async abandon(key, writeId) {
      if (!mayBeId(writeId)) return;
      const noteName = notes.nameOf(key, writeId);
      await abortByNote(bucket, { key, ...(await notes.read(noteName)), writeId });
      await notes.remove(noteName);
    },

    async abandonOld(before, isSpared) {
      let count = 0;
      const failures: unknown[] = [];
      for await (const { key: noteName, modifiedAt } of notes.list()) {
        if (modifiedAt >= before || beginnings.has(noteName)) continue;
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
 * Whether a text may be the id of an upload. Some stores make a path of the id, and refuse one that leads upwards with an error that does
 * not say “unknown”.
 */
const mayBeId = (writeId: string): boolean => writeId !== '' && !writeId.includes('..');

const falseIfMissing = (error: unknown): false => {
  if (isNotFound(error)) return false;
  throw error;
};
