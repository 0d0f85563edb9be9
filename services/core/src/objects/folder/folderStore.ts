import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkRange, type ObjectInfo, type ObjectStore } from '../objects.ts';
import { readOpenFile, writeNewFile } from './fileStreams.ts';
import { listFolder } from './folderListing.ts';
import { createPartWriter, partsSuffix } from './folderParts.ts';
import {
  findRoot,
  ifExists,
  makeRoot,
  moveDurably,
  rejectLinks,
  removeEmptyFolders,
  removeFile,
  removeOldFiles,
} from './folders.ts';
import { checkKey } from '../keys.ts';
import { markerKey, parseMarker } from '../marker.ts';
import { convertStoreErrors, hasCode, ObjectNotFoundError, StoreError, toStoreError } from '../objectErrors.ts';
import { toFileSystemSizes } from '../../disk/fileSystem.ts';

/**
 * Opens an object store in a folder. An object is the file at its key, readable by its owner only. Bytes are first
 * written to the folder `.unfinished` and then moved, so unfinished files exist only there. Several processes may share
 * the folder. Symbolic links in the folder are not followed. Creates nothing before `claim`: until then, a missing
 * folder is an empty read-only store.
 * @throws StoreError if the parent folders cannot be read
 */
export const openFolderStore = async (directory: string): Promise<ObjectStore> => {
  const root = await convertStoreErrors(`open object store ${directory}`, findRoot(directory));
  const unfinished = join(root, '.unfinished');
  let isClaimed = false;
  /** The id of the library whose marker the folder must have; undefined before it is known. */
  let library: string | undefined;
  /** Names in `unfinished` that this process is writing. */
  const running = new Set<string>();

  const toPath = (key: string): string => {
    checkKey(key);
    return join(root, key);
  };

  /**
   * Throws if the store is unavailable. Without this check, all objects on an unmounted disk would count as missing or
   * removed.
   */
  const reachStore = async (): Promise<void> => {
    if (isClaimed) await convertStoreErrors(`access object store ${directory}`, lstat(unfinished));
  };

  /** Throws also if the folder belongs to no or another library: an empty mount point, or another disk at this path. */
  const checkStore = async (): Promise<void> => {
    await reachStore();
    if (library === undefined) return;
    const marker = await convertStoreErrors(
      `access object store ${directory}`,
      ifExists(readFile(join(root, markerKey), 'utf8')),
    );
    if (marker === undefined || parseMarker(marker) !== library)
      throw new StoreError(`object store ${directory} has no marker of this library; mount its disk`);
  };

  const find = async (key: string): Promise<ObjectInfo & { readonly path: string }> => {
    const path = toPath(key);
    const found = await convertStoreErrors(`find ${key}`, ifExists(rejectLinks(path).then(() => lstat(path))));
    if (!found?.isFile()) {
      await (key === markerKey ? reachStore() : checkStore());
      throw new ObjectNotFoundError(key);
    }
    return { key, path, sizeBytes: found.size, modifiedAt: found.mtime };
  };

  return {
    isRemote: false,

    async prepare() {
      await checkStore();
    },

    // Creates the folders once: a folder that vanishes later is an unmounted disk.
    async claim(id) {
      if (!isClaimed)
        await convertStoreErrors(`open object store ${directory}`, makeStoreFolders(directory, unfinished));
      isClaimed = true;
      library = id;
    },

    ...createPartWriter({ root, unfinished, toPath, checkStore }),

    // A folder has no public address.
    link: () => undefined,

    async put(key, body, { signal } = {}) {
      const name = randomUUID();
      const staged = join(unfinished, name);
      running.add(name);
      try {
        const path = toPath(key);
        let sizeBytes = 0;
        // Do not await anything before this line: an error of `body` needs a listener at any time.
        await pipeline(
          body,
          async (source: AsyncIterable<Buffer>) => {
            sizeBytes = await writeNewFile(staged, source);
          },
          { ...(signal && { signal }) },
        );
        signal?.throwIfAborted();
        // Checked after the bytes: if the folder is replaced after this check, the file to move is missing, and the
        // move fails.
        if (key !== markerKey) await checkStore();
        await convertStoreErrors(`put ${key}`, moveDurably(staged, path, root));
        return sizeBytes;
      } catch (error) {
        body.destroy();
        // If this fails, too, `removeUnfinished` deletes the file later. The first error is thrown, because it is the
        // cause.
        await rm(staged, { force: true }).catch(() => undefined);
        throw signal?.aborted && hasCode(error, 'ABORT_ERR') ? signal.reason : error;
      } finally {
        running.delete(name);
      }
    },

    async open(key, range) {
      const { path } = await find(key);
      const handle = await convertStoreErrors(
        `open ${key}`,
        ifExists(open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))),
      );
      if (handle === undefined) throw new ObjectNotFoundError(key);
      try {
        // The size of the opened file: the object may have been replaced since `find`.
        const { size } = await convertStoreErrors(`open ${key}`, handle.stat());
        if (range !== undefined) checkRange(key, range, size);
        const { first, last } = range ?? { first: 0, last: size - 1 };
        return readOpenFile(handle, first, last - first + 1);
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async stat(key) {
      const { sizeBytes, modifiedAt } = await find(key);
      return { key, sizeBytes, modifiedAt };
    },

    async file(key) {
      const { path } = await find(key);
      return { path, [Symbol.asyncDispose]: async () => {} };
    },

    async remove(keys) {
      for (const key of keys) checkKey(key);
      await checkStore();
      for (const key of keys) {
        const path = toPath(key);
        await convertStoreErrors(`remove ${key}`, removeFile(path));
        await removeEmptyFolders(dirname(path), root);
      }
    },

    async *list(prefix) {
      await checkStore();
      try {
        yield* listFolder(root, prefix);
      } catch (error) {
        throw toStoreError(`list "${prefix}"`, error);
      }
    },

    async removeUnfinished(before, except = new Set()) {
      const parts = [...except].map((writeId) => writeId + partsSuffix);
      const spared = new Set([...running, ...except, ...parts]);
      const removed = await convertStoreErrors('remove unfinished writes', removeOldFiles(unfinished, before, spared));
      return removed.filter((name) => !name.endsWith(partsSuffix)).length;
    },

    async capacity() {
      const { bsize, frsize, blocks, bfree, bavail } = await convertStoreErrors('read the capacity', statfs(root));
      const toBytes = (free: number) => toFileSystemSizes({ bsize, frsize, blocks, bavail: free });
      return { ...toBytes(bavail), usedBytes: toBytes(blocks - bfree).freeBytes };
    },
  };
};

const makeStoreFolders = async (directory: string, unfinished: string): Promise<void> => {
  await makeRoot(directory);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await rejectLinks(unfinished);
};
