import { StoreError, UnknownWriteError } from '../objectErrors.ts';
import type { StoredPart } from '../objects.ts';
import { abortS3Upload, hasS3Upload } from './s3Abort.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { completeS3Upload, findS3Version, multipartTag } from './s3Completion.ts';
import type { Note, Notes } from './s3Notes.ts';

/** The note of an upload that has started. */
export type UploadNote = Note & { readonly writeId: string };

/**
 * Returns the ids under which the store may have parts of an upload. Only VersityGW (tested with 1.8.0) has more than
 * one: it moves the parts under a new id while it assembles the object. If it is killed meanwhile, only the new id
 * finds them. The new id consists of the old one and the tag of the object. Other stores do not know these ids.
 */
const listPossibleIds = ({ writeId, completion }: UploadNote): string[] =>
  completion?.tag === undefined
    ? [writeId]
    : Array.from(
        { length: completion.interruptions + 2 },
        (_, n) => writeId + `.${completion.tag}.inprogress`.repeat(n),
      );

/** Aborts an upload under each possible id. @throws StoreError */
export const abortByNote = async (bucket: S3Bucket, note: UploadNote): Promise<void> => {
  for (const id of listPossibleIds(note)) await abortS3Upload(bucket, note.key, id);
};

/**
 * Completes an upload, returns the object's size in bytes, and deletes the note. Records the completion before the
 * request: if the store is killed meanwhile, the next request to finish or abandon the upload knows where the parts may
 * be.
 * @throws UnknownWriteError if the object exists, or the parts are known to be gone
 * @throws StoreError if the store may still be assembling the object
 */
export const finishS3Upload = async (
  bucket: S3Bucket,
  notes: Notes,
  note: UploadNote,
  parts: readonly StoredPart[],
): Promise<number> => {
  const { key, writeId } = note;
  const noteName = notes.getName(key, writeId);
  const tag = multipartTag(parts);
  if (note.completion !== undefined && note.completion.tag === tag) {
    const sizeBytes = await resume(bucket, notes, note, parts);
    // If the object was complete before the store was killed, some of its parts may be left.
    await abortByNote(bucket, note);
    await notes.remove(noteName);
    return sizeBytes;
  }
  const completion = { ...(tag !== undefined && { tag }), since: Date.now(), interruptions: 0 };
  await notes.write(noteName, { key, writeId, completion });
  const sizeBytes = await complete(bucket, notes, note, writeId, parts);
  await notes.remove(noteName);
  return sizeBytes;
};

/** Continues a completion that failed or got no response. */
const resume = async (
  bucket: S3Bucket,
  notes: Notes,
  note: UploadNote,
  parts: readonly StoredPart[],
): Promise<number> => {
  const { key, writeId, completion } = note;
  const { tag, since = 0, interruptions = 0 } = completion ?? {};
  const found = await findS3Version(bucket, key);
  if (tag !== undefined && found?.tag === tag) return found.sizeBytes;
  // Gives the store time to finish, twice as much after each interruption: a new completion moves the parts away from
  // the one in progress, so the store would have to start again.
  const isOverdue = Date.now() - since > bucket.completionMs * 2 ** interruptions;
  const ids = listPossibleIds(note);
  const id = await findUpload(bucket, key, ids);
  if (id === undefined) {
    // A store that failed puts the parts back, and one that succeeded creates the object before it deletes the parts.
    // So if neither is found after the deadline, the parts are gone.
    const isGone =
      isOverdue && !(await objectExists(bucket, key)) && (await findUpload(bucket, key, ids)) === undefined;
    if (isGone || (await objectExists(bucket, key))) throw new UnknownWriteError(key, writeId);
    throw new StoreError(`finish ${key}: neither the upload nor the object exists`);
  }
  if (id === ids[interruptions + 1]) {
    if (!isOverdue) throw new StoreError(`finish ${key}: the store may still be assembling it`);
    const interrupted = { ...completion, since: Date.now(), interruptions: interruptions + 1 };
    await notes.write(notes.getName(key, writeId), { ...note, completion: interrupted });
  }
  return complete(bucket, notes, note, id, parts);
};

/** Returns the first id with parts in the store, or undefined. */
const findUpload = async (bucket: S3Bucket, key: string, ids: readonly string[]): Promise<string | undefined> => {
  for (const id of ids) if (await hasS3Upload(bucket, key, id)) return id;
  return undefined;
};

const complete = async (
  bucket: S3Bucket,
  notes: Notes,
  { key, writeId }: UploadNote,
  id: string,
  parts: readonly StoredPart[],
): Promise<number> => {
  try {
    return await completeS3Upload(bucket, key, id, parts);
  } catch (error) {
    if (!(error instanceof UnknownWriteError) || (await objectExists(bucket, key))) throw error;
    // Another request has finished or abandoned the upload.
    if ((await notes.read(notes.getName(key, writeId))) === undefined) throw error;
    // VersityGW (tested with 1.8.0) also returns this error while another request completes the upload, and after such
    // a request has failed.
    throw new StoreError(`finish ${key}: neither the upload nor the object exists`, { cause: error });
  }
};

const objectExists = async (bucket: S3Bucket, key: string): Promise<boolean> =>
  (await findS3Version(bucket, key)) !== undefined;
