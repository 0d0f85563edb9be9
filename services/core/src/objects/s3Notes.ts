import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { isNotFound } from './objectErrors.ts';
import type { ObjectInfo } from './objects.ts';
import { putS3Buffer, type S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import { listS3 } from './s3Listing.ts';

/** What a note says of an upload. */
export interface Note {
  readonly key: string;
  /** Missing while the upload is being begun: the answer that names it may be lost on its way. */
  readonly writeId?: string;
  /** Since the store has been asked to make the object. */
  readonly completion?: Completion;
}

/** That a store was asked to complete an upload, at which it may be killed. */
export interface Completion {
  /** The tag of the object, by the parts; undefined where those have other tags than S3 makes of their bytes. */
  readonly tag?: string;
  /** When it was asked, in milliseconds since 1970; where it was interrupted, the last time. */
  readonly since: number;
  /** How often it has been interrupted. */
  readonly interruptions: number;
}

/** The notes about unfinished uploads in a bucket. */
export interface Notes {
  readonly newName: () => string;
  /** The write id is in the note and not in its name, since nobody says how long it is and what it consists of. */
  readonly nameOf: (key: string, writeId: string) => string;
  readonly list: () => AsyncIterable<ObjectInfo>;
  /** Undefined where there is none, or nothing that we wrote. */
  read(noteName: string): Promise<Note | undefined>;
  write(noteName: string, note: Note): Promise<void>;
  /** Does not fail: a note left behind does no harm, since what it names is as good as abandoned. */
  remove(noteName: string): Promise<void>;
}

/** No valid key begins like this, so that no object is ever mistaken for a note, or a note for an object. */
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
