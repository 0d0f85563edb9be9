import { foundFile, isClutter, type FoundFile, type Root } from './foundFile.ts';
import { inPairs } from './inPairs.ts';

/** How many files are asked for at once, and handed on together. */
const sliceLength = 64;

/** Hands on the files of a folder and all folders in it, some at a time, so that the page stays responsive with any number of them. */
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
  yield* inSlices(inPairs(files), async (file) => {
    const filePath = `${path}/${file.name}`;
    // Not its own handle: a tab with 20,000 of them is hundreds of megabytes larger.
    const source = { folder: root as FileSystemDirectoryHandle, names: filePath.split('/').slice(1) };
    return foundFile(filePath, await file.getFile(), source, root);
  });
  for (const folder of inPairs(folders)) yield* walkHandle(folder, root, `${path}/${folder.name}`);
};

/** The same for browsers that keep no handles. */
export const walkEntry = async function* (entry: FileSystemEntry): AsyncGenerator<FoundFile[]> {
  if (isFileEntry(entry)) {
    yield [await openEntry(entry)];
    return;
  }
  const children = (await readAll((entry as FileSystemDirectoryEntry).createReader())).filter(
    ({ name }) => !isClutter(name),
  );
  yield* inSlices(inPairs(children.filter(isFileEntry)), openEntry);
  for (const folder of inPairs(children.filter(({ isDirectory }) => isDirectory))) yield* walkEntry(folder);
};

async function* inSlices<T>(items: readonly T[], open: (item: T) => Promise<FoundFile>): AsyncGenerator<FoundFile[]> {
  for (let from = 0; from < items.length; from += sliceLength) {
    const opened = await Promise.allSettled(items.slice(from, from + sliceLength).map(open));
    // One that went away meanwhile, or that may not be read, keeps none of the others from being taken.
    yield opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }
}

const isFileHandle = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file';

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const openEntry = async (entry: FileSystemFileEntry): Promise<FoundFile> => {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return foundFile(entry.fullPath.replace(/^\//, ''), file, file);
};

/** A reader answers some of a folder's entries at a time, and none at its end. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
