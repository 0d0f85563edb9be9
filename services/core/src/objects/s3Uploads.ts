import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { isNotFound, StoreError, UnknownWriteError, WrongPartsError } from './objectErrors.ts';
import type { StoredPart } from './parts.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3, s3Code } from './s3Errors.ts';
import { completeS3Upload } from './s3Completion.ts';
import { listS3, listS3UploadsOf } from './s3Listing.ts';
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
   * @throws UnknownWriteError where our note is gone, or the object is there
   * @throws StoreError where the store alone says that there is no such upload, which proves nothing: it is worth a retry
   */
  finish(key: string, writeId: string, parts: readonly StoredPart[]): Promise<number>;
  /** One that is finished or unknown is as good as abandoned. */
  abandon(key: string, writeId: string): Promise<void>;
  /** Abandons what was begun before `before`, except what `isSpared` names, and answers how many there were. */
  abandonOld(before: Date, isSpared: (writeId: string) => boolean): Promise<number>;
}

/** What a note says. */
interface Note {
  readonly key: string;
  /** Missing while the upload is being begun: the answer that names it may be lost on its way. */
  readonly writeId?: string;
}

/** No valid key begins like this, so that no object is ever mistaken for a note, or a note for an object. */
const notePrefix = '.unfinished/';

/** The write id is in the note and not in its name, since nobody says how long it is and what it consists of. */
const noteNameOf = (key: string, writeId: string): string =>
  notePrefix + createHash('sha256').update(`${key} ${writeId}`).digest('hex');

export const openS3Uploads = (bucket: S3Bucket): S3Uploads => {
  const { client, name, log } = bucket;
  /** Notes of uploads that this process is just beginning. */
  const beginnings = new Set<string>();

  const writeNote = async (noteName: string, note: Note): Promise<void> =>
    attemptS3(`begin to write ${note.key}`, putS3Buffer(bucket, noteName, Buffer.from(JSON.stringify(note))));

  /** A note left behind does no harm: what it names is as good as abandoned. */
  const removeNote = async (noteName: string): Promise<void> => {
    await client
      .removeObject(name, noteName)
      .catch((error: unknown) => log.debug({ err: error, noteName }, 'the note of an ended upload stays for now'));
  };

  const abort = async (key: string, writeId: string): Promise<void> => {
    await client.abortMultipartUpload(name, key, encodeURIComponent(writeId)).catch((error: unknown) => {
      if (s3Code(error) !== 'NoSuchUpload') throw error;
    });
  };

  const isThere = (name: string): Promise<boolean> => statS3Object(bucket, name).then(() => true, falseIfMissing);

  const isUnfinished = (key: string, writeId: string): Promise<boolean> => isThere(noteNameOf(key, writeId));

  const readNote = async (noteName: string): Promise<Note | undefined> => {
    try {
      const stream = await attemptS3('read a note', client.getObject(name, noteName), { key: noteName });
      return JSON.parse(await attemptS3('read a note', text(stream))) as Note;
    } catch (error) {
      // Ended meanwhile, or nothing that we wrote.
      if (isNotFound(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  };

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
    const uploads = (await listS3UploadsOf(bucket, key)).filter(({ writeId }) => !isSpared(writeId));
    const old = uploads.filter(({ begunAt }) => begunAt < before);
    for (const { writeId } of old) {
      await attemptS3(`abandon ${key}`, abort(key, writeId));
      await removeNote(noteNameOf(key, writeId));
    }
    if (old.length === uploads.length) await removeNote(noteName);
    return old.length;
  };

  return {
    async begin(key, onBegun) {
      const beginning = `${notePrefix}${randomUUID()}`;
      beginnings.add(beginning);
      try {
        await writeNote(beginning, { key });
        const writeId = await attemptS3(`begin to write ${key}`, client.initiateNewMultipartUpload(name, key, {}));
        onBegun?.(writeId);
        try {
          await writeNote(noteNameOf(key, writeId), { key, writeId });
        } catch (error) {
          await abort(key, writeId).catch(() => undefined);
          throw error;
        }
        await removeNote(beginning);
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
      if (!(await isUnfinished(key, writeId))) throw new UnknownWriteError(key, writeId);
      try {
        const sizeBytes = await completeS3Upload(bucket, key, writeId, parts);
        await removeNote(noteNameOf(key, writeId));
        return sizeBytes;
      } catch (error) {
        if (!(error instanceof UnknownWriteError) || (await isThere(key)) || !(await isUnfinished(key, writeId)))
          throw error;
        // A store says so of an upload, too, that another request is just making an object of, or has failed to (VersityGW, tried with 1.8.0).
        throw new StoreError(`finish ${key}: the store knows neither the upload nor the object`, { cause: error });
      }
    },

    async abandon(key, writeId) {
      if (!mayBeId(writeId)) return;
      await attemptS3(`abandon ${key}`, abort(key, writeId));
      await removeNote(noteNameOf(key, writeId));
    },

    async abandonOld(before, isSpared) {
      let count = 0;
      for await (const { key: noteName, modifiedAt } of listS3(bucket, notePrefix)) {
        if (modifiedAt >= before || beginnings.has(noteName)) continue;
        const note = await readNote(noteName);
        if (note === undefined) continue;
        const { key, writeId } = note;
        if (writeId === undefined) {
          count += await abandonOldOf(noteName, key, before, isSpared);
        } else if (!isSpared(writeId)) {
          await this.abandon(key, writeId);
          count += 1;
        }
      }
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

/** Writes an object in one request: whole or not at all. */
export const putS3Buffer = async ({ client, name }: S3Bucket, objectName: string, bytes: Buffer): Promise<void> => {
  await client.makeRequestAsyncOmit({ method: 'PUT', bucketName: name, objectName }, bytes);
};
