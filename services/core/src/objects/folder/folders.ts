import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, opendir, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { hasCode, StoreError } from '../objectErrors.ts';

/** Awaits `work`. Returns undefined if its path does not exist. */
export const ifExists = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
};

/** Returns the real path of a folder that may be missing. */
export const findRoot = async (path: string): Promise<string> =>
  (await ifExists(realpath(path))) ?? join(await findRoot(dirname(resolve(path))), basename(path));

/** Creates the folder and its missing parents durably, for this user only. Returns the real path. */
export const makeRoot = async (path: string): Promise<string> => {
  const outermost = await mkdir(path, { recursive: true, mode: 0o700 });
  const root = await realpath(path);
  await syncFolders(root, outermost === undefined ? root : dirname(await realpath(outermost)));
  return root;
};

/** Returns `path`, which is below a real path, unless a part of it is a symbolic link. @throws StoreError */
export const rejectLinks = async (path: string): Promise<string> => {
  if ((await realpath(path)) === path) return path;
  throw new StoreError(`${path} is or contains a symbolic link, which the store does not follow`);
};

/**
 * Moves the file `from` to `to`, below `root`, in one step, and creates missing folders. A folder that is already at
 * `to` is renamed first. When the promise resolves, the new name survives a power loss.
 */
export const moveDurably = async (from: string, to: string, root: string): Promise<void> => {
  // Retried because a concurrent removal may delete an empty folder between two of these steps.
  for (let attemptsLeft = 100; ; attemptsLeft--) {
    try {
      await makeFolders(dirname(to), root);
      await rename(from, to);
      break;
    } catch (error) {
      if (attemptsLeft === 0 || !hasCode(error, 'ENOENT', 'EISDIR')) throw error;
      if (hasCode(error, 'ENOENT')) await lstat(from);
      else if (isFolderOfStore(to, root)) throw error;
      else await moveFolderAside(to);
    }
  }
  await syncFolders(dirname(to), root);
};

/** Returns true for folders of users and items, the first two levels below `root`. */
const isFolderOfStore = (path: string, root: string): boolean => relative(root, path).split(sep).length <= 2;

/** Renames a folder to a name that is no key. The store then ignores it, and its files are kept. */
const moveFolderAside = async (path: string): Promise<void> => {
  if ((await lstat(path)).isDirectory()) await rename(path, join(dirname(path), `.${basename(path)}-${randomUUID()}`));
};

/** Removes `folder` and its parents up to `root` while they are empty. Leaving an empty folder does no harm. */
export const removeEmptyFolders = async (folder: string, root: string): Promise<void> => {
  if (folder === root) return;
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) return;
  }
  await removeEmptyFolders(dirname(folder), root);
};

/** Deletes the file or link `path` if it exists and no parent is a symbolic link. Keeps folders. @throws StoreError */
export const removeFile = async (path: string): Promise<void> => {
  try {
    await rejectLinks(dirname(path));
    await unlink(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) throw error;
  }
};

/**
 * Deletes the files in `folder` that were last written before `before`, except those in `spared`. Returns their names.
 * Each write updates the modification time, so an active file is never deleted.
 */
export const removeOldFiles = async (folder: string, before: Date, spared: ReadonlySet<string>): Promise<string[]> => {
  const removed: string[] = [];
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const found = await ifExists(lstat(path));
    if (!found?.isFile() || found.mtime >= before || spared.has(name)) continue;
    await rm(path, { force: true });
    removed.push(name);
  }
  return removed;
};

/**
 * Makes new names in `folder` durable. Ignores a missing folder, which a removal has deleted, and systems that cannot
 * sync folders, such as Windows.
 */
export const syncFolder = async (folder: string): Promise<void> => {
  try {
    await using handle = await open(folder);
    await handle.sync();
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EISDIR', 'EPERM', 'EINVAL')) throw error;
  }
};

/** Creates folders one by one from the top: a recursive `mkdir` would also create folders behind a symbolic link. */
const makeFolders = async (folder: string, root: string): Promise<void> => {
  if (folder === root) return;
  await makeFolders(dirname(folder), root);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    if (!(await lstat(folder)).isDirectory()) throw new StoreError(`${folder} is not a folder`);
  }
};

/** Also syncs folders that already existed: another write may have just created one without syncing it yet. */
const syncFolders = async (inner: string, outer: string): Promise<void> => {
  await syncFolder(inner);
  if (inner !== outer) await syncFolders(dirname(inner), outer);
};
