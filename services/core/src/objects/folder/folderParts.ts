import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ifExists, moveDurably, syncFolder } from './folders.ts';
import { convertStoreErrors, hasCode, UnknownWriteError, WrongPartsError } from '../objectErrors.ts';
import type { ObjectStore, StoredPart } from '../objects.ts';

/*
 * Writes in parts for the folder store. A write consists of two files in `.unfinished`, and any process that shares the
 * folder may continue it:
 *
 *  <write id>          the bytes, each part at its offset
 *  <write id>.parts    48 bytes per part, in order: offset and length (8 bytes each), SHA-256; zeros for a missing part
 *
 * The record of a part is cleared before its bytes are written, and set once they are on disk. So an interrupted part
 * counts as missing. Store no part while a write is being finished: its bytes would get into the object.
 */

/** The suffix of the file with the part records, after the id of the write. */
export const partsSuffix = '.parts';

const recordBytes = 48;

/** Bytes to hash and write at once. They block the process for about a millisecond. */
const sliceBytes = 2 ** 20;

export interface FolderPaths {
  readonly root: string;
  readonly unfinished: string;
  readonly toPath: (key: string) => string;
  /** @throws StoreError if the folder is missing or has another library's marker or none, such as an unmounted disk */
  readonly checkStore: () => Promise<unknown>;
}

/** Returns the methods of a folder store for writes in parts. */
export const createPartWriter = ({
  root,
  unfinished,
  toPath,
  checkStore,
}: FolderPaths): Pick<ObjectStore, 'beginParts' | 'putPart' | 'finishParts' | 'abandonParts'> => {
  /** Opens both files of a write for `work`, and closes them afterwards. */
  const withWrite = async <Result>(
    key: string,
    writeId: string,
    what: string,
    work: (write: Write) => Promise<Result>,
  ): Promise<Result> => {
    const path = getWritePath(unfinished, writeId);
    if (path === undefined) throw new UnknownWriteError(key, writeId);
    await using bytes = await convertStoreErrors(what, ifExists(open(path, writable)));
    await using records = await convertStoreErrors(what, ifExists(open(path + partsSuffix, writable)));
    // Awaited here, because the files are closed when this function returns.
    if (bytes !== undefined && records !== undefined) return await work({ path, bytes, records });
    await checkStore();
    throw new UnknownWriteError(key, writeId);
  };

  return {
    async beginParts(key) {
      toPath(key);
      await checkStore();
      const writeId = randomUUID();
      for (const name of [writeId + partsSuffix, writeId]) {
        await convertStoreErrors(`begin ${key}`, writeFile(join(unfinished, name), '', { flag: 'wx', mode: 0o600 }));
      }
      await convertStoreErrors(`begin ${key}`, syncFolder(unfinished));
      return writeId;
    },

    async putPart(key, writeId, { number, offset }, part) {
      toPath(key);
      const what = `put part ${number} of ${key}`;
      return withWrite(key, writeId, what, async ({ bytes, records }) => {
        const at = (number - 1) * recordBytes;
        await convertStoreErrors(what, writeAll(records, Buffer.alloc(recordBytes), at));
        const hash = createHash('sha256');
        for (let start = 0; start < part.length; start += sliceBytes) {
          const slice = part.subarray(start, start + sliceBytes);
          hash.update(slice);
          await convertStoreErrors(what, writeAll(bytes, slice, offset + start));
        }
        await convertStoreErrors(what, bytes.datasync());
        const checksum = hash.digest();
        await convertStoreErrors(what, writeAll(records, encodeRecord(offset, part.length, checksum), at));
        await convertStoreErrors(what, records.datasync());
        return checksum.toString('hex');
      });
    },

    async finishParts(key, writeId, parts) {
      const target = toPath(key);
      const what = `finish ${key}`;
      return withWrite(key, writeId, what, async ({ path, bytes, records }) => {
        const sizeBytes = checkParts(key, parts, await convertStoreErrors(what, records.readFile()));
        await convertStoreErrors(what, bytes.truncate(sizeBytes));
        await convertStoreErrors(what, bytes.sync());
        await checkStore();
        try {
          await moveDurably(path, target, root);
        } catch (error) {
          // Another process has finished or abandoned the write meanwhile.
          const isGone = hasCode(error, 'ENOENT') && (await ifExists(open(path, writable))) === undefined;
          return convertStoreErrors(
            what,
            Promise.reject(isGone ? new UnknownWriteError(key, writeId) : (error as Error)),
          );
        }
        // The object is stored already. If this fails, `removeUnfinished` deletes the file later.
        await rm(path + partsSuffix, { force: true }).catch(() => undefined);
        return sizeBytes;
      });
    },

    async abandonParts(key, writeId) {
      toPath(key);
      await checkStore();
      const path = getWritePath(unfinished, writeId);
      if (path === undefined) return;
      for (const file of [path, path + partsSuffix])
        await convertStoreErrors(`abandon ${key}`, rm(file, { force: true }));
    },
  };
};

interface Write {
  readonly path: string;
  readonly bytes: FileHandle;
  readonly records: FileHandle;
}

const writable = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

/**
 * Returns the path of a write. Undefined for an id that `beginParts` cannot have created, so that no other text becomes
 * a path.
 */
const getWritePath = (unfinished: string, writeId: string): string | undefined =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(writeId) ? join(unfinished, writeId) : undefined;

/** Needed because `FileHandle.write` may write less than requested. */
const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length;) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
};

const encodeRecord = (offset: number, length: number, checksum: Buffer): Buffer => {
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64BE(BigInt(offset), 0);
  numbers.writeBigUInt64BE(BigInt(length), 8);
  return Buffer.concat([numbers, checksum]);
};

/** Returns the total size of the parts in bytes. @throws WrongPartsError */
const checkParts = (key: string, parts: readonly StoredPart[], records: Buffer): number => {
  if (parts.length === 0) throw new WrongPartsError(key, 'it has no parts');
  let sizeBytes = 0;
  for (const [index, { number, tag }] of parts.entries()) {
    const record = records.subarray(index * recordBytes, (index + 1) * recordBytes);
    if (number !== index + 1) throw new WrongPartsError(key, `part ${index + 1} is not listed`);
    if (record.length < recordBytes || record.subarray(16).toString('hex') !== tag) {
      throw new WrongPartsError(key, `part ${number} is missing or was replaced`);
    }
    if (record.readBigUInt64BE(0) !== BigInt(sizeBytes)) {
      throw new WrongPartsError(key, `part ${number} does not start at byte ${sizeBytes}`);
    }
    sizeBytes += Number(record.readBigUInt64BE(8));
  }
  return sizeBytes;
};
