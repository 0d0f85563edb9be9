import { foundFile, isClutter, type FoundFile, type Root } from './foundFile.ts';
import { sortByPairs } from './sortByPairs.ts';

/** Files read in parallel and returned per slice. */
const sliceLength = 64;

/** Lists all files of a folder recursively, in slices, so that the page stays responsive. */
export const walkHandle = async function* (
  handle: FileSystemHandle,
  root: Root = handle as Root,
  path = handle.name,
): AsyncGenerator<FoundFile[]> {
  if (isFileHandle(handle)) {
    yield [foundFile(path, await handle.getFile(), handle, root)];
    return;
  }
  const files: FileSystemFileHandle[] = [];
  const folders: FileSystemHandle[] = [];
  for await (const child of (handle as FileSystemDirectoryHandle).values()) {
    if (isClutter(child.name)) continue;
    if (isFileHandle(child)) files.push(child);
    else folders.push(child);
  }
  yield* mapInSlices(sortByPairs(files), async (file) => {
    const filePath = `${path}/${file.name}`;
    // References the file through its folder: 20,000 file handles would take hundreds of megabytes.
    const source = { folder: root as FileSystemDirectoryHandle, names: filePath.split('/').slice(1) };
    return foundFile(filePath, await file.getFile(), source, root);
  });
  for (const folder of sortByPairs(folders)) yield* walkHandle(folder, root, `${path}/${folder.name}`);
};

/** Like `walkHandle`, for browsers without file handles. */
export const walkEntry = async function* (entry: FileSystemEntry): AsyncGenerator<FoundFile[]> {
  if (isFileEntry(entry)) {
    yield [await openEntry(entry)];
    return;
  }
  const children = (await readAll((entry as FileSystemDirectoryEntry).createReader())).filter(
    ({ name }) => !isClutter(name),
  );
  yield* mapInSlices(sortByPairs(children.filter(isFileEntry)), openEntry);
  for (const folder of sortByPairs(children.filter(({ isDirectory }) => isDirectory))) yield* walkEntry(folder);
};

async function* mapInSlices<T>(
  items: readonly T[],
  open: (item: T) => Promise<FoundFile>,
): AsyncGenerator<FoundFile[]> {
  for (let from = 0; from < items.length; from += sliceLength) {
    const opened = await Promise.allSettled(items.slice(from, from + sliceLength).map(open));
    // Skips files that are missing or unreadable.
    yield opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }
}

const isFileHandle = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file';

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const openEntry = async (entry: FileSystemFileEntry): Promise<FoundFile> => {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return foundFile(entry.fullPath.replace(/^\//, ''), file, file);
};

/** Reads all entries. A reader returns them in parts, and an empty list at the end. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
