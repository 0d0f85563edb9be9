import { isNotFound, UnknownWriteError, WrongPartsError } from './objectErrors.ts';
import type { StoredPart } from './parts.ts';
import { abortS3Upload } from './s3Abort.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import { abortByNote, finishS3Upload } from './s3Finish.ts';
import { listS3UploadsOf } from './s3Listing.ts';
import { openNotes } from './s3Notes.ts';
import { statS3Object } from './s3Reading.ts';
import { isReset } from './s3Transport.ts';

/**
 * Multipart uploads, each with a note in the bucket from its beginning to its end. By the notes those that nobody ends are found again:
 * not every store lists the unfinished uploads of a bucket, or does so after a restart. And by them an upload is known to be ended: stores
 * answer for one that is finished or abandoned with a connection that breaks, or that all went well.
 */
export interface S3Uploads {
  /** `onBegun` is told the id as soon as there is one, before anything else can come upon the upload. */
  begin(key: string, onBegun?: (writeId: string) => void): Promise<string>;
  /** Answers the tag of the part. @throws UnknownWriteError */
  putPart(key: string, writeId: string, number: number, bytes: Buffer): Promise<string>;
  /**
   * Answers the bytes of the object.
   * @throws UnknownWriteError where our note is gone, the object is there, or the parts are known to be gone
   * @throws StoreError where the store alone says that there is no such upload, which proves nothing: it is worth a retry
   */
  finish(key: string, writeId: string, parts: readonly StoredPart[]): Promise<number>;
  /** One that is finished or unknown is as good as abandoned. */
  abandon(key: string, writeId: string): Promise<void>;
  /**
   * Abandons what was begun before `before`, except what `isSpared` names, and answers how many there were.
   * @throws what has kept the first of those that stay, when the others are gone
   */
  abandonOld(before: Date, isSpared: (writeId: string) => boolean): Promise<number>;
}

/** Uploads that cannot be abandoned beyond which it is the store that is at fault, so that no further one is tried. */
const maxFailures = 20;

export const openS3Uploads = (bucket: S3Bucket): S3Uploads => {
  const { client, name } = bucket;
  const notes = openNotes(bucket);
  /** Notes of uploads that this process is just beginning. */
  const beginnings = new Set<string>();

  const isThere = (name: string): Promise<boolean> => statS3Object(bucket, name).then(() => true, falseIfMissing);

  const isUnfinished = (key: string, writeId: string): Promise<boolean> => isThere(notes.nameOf(key, writeId));

  /**
   * Abandons what a note stands for that does not name it: everything old of its key. What has a note of its own too is counted here as
   * well. The note stays while there is something younger, which may be what it stands for.
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
      // Behind the oldest ones that a listing gave there may be more as soon as those are gone.
      if (isWhole || old.length === 0) return count;
    }
  };

  const abandonNoted = async (
    noteName: string,
    before: Date,
    isSpared: (writeId: string) => boolean,
  ): Promise<number> => {
    const note = await notes.read(noteName);
    // Ended meanwhile.
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
        // A store may close the connection on a part that it does not want to hear to its end.
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

/** Some stores take an id for a part of a path, and refuse one that leads upwards with another error than that it is unknown. */
const mayBeId = (writeId: string): boolean => writeId !== '' && !writeId.includes('..');

const falseIfMissing = (error: unknown): false => {
  if (isNotFound(error)) return false;
  throw error;
};
