import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { isNotFound } from '../objectErrors.ts';
import type { ObjectInfo } from '../objects.ts';
import { putS3Buffer, type S3Bucket } from './s3Bucket.ts';
import { convertS3Errors } from './s3Errors.ts';
import { listS3 } from './s3Listing.ts';

/** The content of a note about an upload. */
export interface Note {
  readonly key: string;
  /** Missing while the upload is being started, because the response with the id may be lost. */
  readonly writeId?: string;
  /** Present once completion was requested. */
  readonly completion?: Completion;
}

/** A request to complete an upload. The store may be killed during it. */
export interface Completion {
  /** The ETag of the object, derived from those of the parts; undefined if these are no MD5s. */
  readonly tag?: string;
  /** The time of the last request, in ms since 1970. */
  readonly since: number;
  /** Number of interrupted completions. */
  readonly interruptions: number;
}

/** The notes about unfinished uploads in a bucket. */
export interface Notes {
  readonly newName: () => string;
  /** Returns the name of an upload's note. Hashed, because the write id may have any length and characters. */
  readonly getName: (key: string, writeId: string) => string;
  readonly list: () => AsyncIterable<ObjectInfo>;
  /** Returns undefined for a missing note, and for one that Hearth did not write. */
  read(noteName: string): Promise<Note | undefined>;
  write(noteName: string, note: Note): Promise<void>;
  /** Never fails: a note that stays is harmless, because its upload then counts as abandoned. */
  remove(noteName: string): Promise<void>;
}

/** Not a valid start of a key, so objects and notes cannot be confused. */
const notePrefix = '.unfinished/';

export const openNotes = (bucket: S3Bucket): Notes => {
  const { client, name, log } = bucket;
  return {
    newName: () => `${notePrefix}${randomUUID()}`,

    getName: (key, writeId) => notePrefix + createHash('sha256').update(`${key} ${writeId}`).digest('hex'),

    list: () => listS3(bucket, notePrefix),

    async read(noteName) {
      try {
        const stream = await convertS3Errors('read a note', client.getObject(name, noteName), { key: noteName });
        return JSON.parse(await convertS3Errors('read a note', text(stream))) as Note;
      } catch (error) {
        if (isNotFound(error) || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },

    write: async (noteName, note) =>
      convertS3Errors(
        `record the write of ${note.key}`,
        putS3Buffer(bucket, noteName, Buffer.from(JSON.stringify(note))),
      ),

    async remove(noteName) {
      await client
        .removeObject(name, noteName)
        .catch((error: unknown) =>
          log.debug({ err: error, noteName }, 'could not delete the record of a finished upload'),
        );
    },
  };
};
