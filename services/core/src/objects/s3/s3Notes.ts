import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { isNotFound } from '../objectErrors.ts';
import type { ObjectInfo } from '../objects.ts';
import { putS3Buffer, type S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import { listS3 } from './s3Listing.ts';

/** What a note says about an upload. */
export interface Note {
  readonly key: string;
  /** Missing while the upload is being begun: the answer with the id may be lost on its way. */
  readonly writeId?: string;
  /** Present once the store has been asked to make the object. */
  readonly completion?: Completion;
}

/** A request to complete an upload, during which the store may be killed. */
export interface Completion {
  /** The tag of the object, derived from the tags of the parts; undefined where these are no MD5s. */
  readonly tag?: string;
  /** When the store was last asked, in milliseconds since 1970. */
  readonly since: number;
  /** How many completions were interrupted. */
  readonly interruptions: number;
}

/** The notes about unfinished uploads in a bucket. */
export interface Notes {
  readonly newName: () => string;
  /** The name of an upload's note. It does not contain the write id, whose length and characters are not known. */
  readonly nameOf: (key: string, writeId: string) => string;
  readonly list: () => AsyncIterable<ObjectInfo>;
  /** Undefined where there is no such note, or one that we did not write. */
  read(noteName: string): Promise<Note | undefined>;
  write(noteName: string, note: Note): Promise<void>;
  /** Does not fail: a note that stays does no harm, since its upload counts as abandoned. */
  remove(noteName: string): Promise<void>;
}

/** No valid key begins like this, so an object is never taken for a note, nor a note for an object. */
const notePrefix = '.unfinished/';

export const openNotes = (bucket: S3Bucket): Notes => {
  const { client, name, log } = bucket;
  return {
    newName: () => `${notePrefix}${randomUUID()}`,

    nameOf: (key, writeId) => notePrefix + createHash('sha256').update(`${key} ${writeId}`).digest('hex'),

    list: () => listS3(bucket, notePrefix),

    async read(noteName) {
      try {
        const stream = await attemptS3('read a note', client.getObject(name, noteName), { key: noteName });
        return JSON.parse(await attemptS3('read a note', text(stream))) as Note;
      } catch (error) {
        if (isNotFound(error) || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },

    write: async (noteName, note) =>
      attemptS3(`note the write of ${note.key}`, putS3Buffer(bucket, noteName, Buffer.from(JSON.stringify(note)))),

    async remove(noteName) {
      await client
        .removeObject(name, noteName)
        .catch((error: unknown) => log.debug({ err: error, noteName }, 'the note of an ended upload stays for now'));
    },
  };
};
