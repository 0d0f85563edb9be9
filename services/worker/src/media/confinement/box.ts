import { constants, copyFile, link, lstat, opendir, rename, unlink } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from '../childLimits.ts';
import { isNoSpace } from '../noSpace.ts';
import { unreadable } from '../readTrouble.ts';
import { removeTree } from './removeTree.ts';

/** What a child may touch of the files here, one file at a time. */
export interface Box {
  /** The command that runs `command` with this box and without everything else. */
  confine(command: Command): Command;
  /** Puts a file into the box, which the child cannot change; answers the path by which the child finds it. @throws DecodeError UNREADABLE, or an error of a full disk */
  admit(path: string): Promise<string>;
  /** Where the child is to write what is wanted at `target`. */
  place(target: string): string;
  /** Moves what the child has written to `target`, which is out of its reach. @throws Error where it is no plain file */
  collect(target: string): Promise<void>;
  /** Empties the box. @throws Error where the child has left what it has no reason to leave: such a child and its box are done with */
  clear(): Promise<void>;
  /** What the child has in its box of files that it has written; undefined where there is more of them, or of another kind, than any needs. */
  weigh(): Promise<number | undefined>;
  /** Call it when the child is gone. What cannot be removed stays until the worker's next start. */
  remove(): Promise<void>;
  /** How many processes a child in this box consists of, with those that confine it. */
  readonly processes: number;
}

/** The two folders of a box. */
export interface BoxFolders {
  /** What the child is to read; the child may not write here. */
  readonly inside: string;
  /** What the child writes, if it may write at all. */
  readonly outside: string | undefined;
}

/** Whether a child gives its answers to us only, or files too. */
export type BoxUse = 'read' | 'write';

/** A way to bound commands to boxes. */
export interface Confiner {
  readonly confine: (command: Command, folders: BoxFolders) => Command;
  /** How many processes a confined command consists of. */
  readonly processes: number;
}

/** Files that a child has in its box at most: the one that it writes, and one beside it. */
const maxFiles = 2;

/** Makes a box out of new folders in `folder`, to which a confiner bounds commands. */
export function openBox(folder: string, use: BoxUse, { confine, processes }: Confiner): Box {
  const outside = use === 'write' ? join(folder, 'out') : undefined;
  const folders: BoxFolders = { inside: join(folder, 'in'), outside };
  const made = Object.values(folders).filter((each) => each !== undefined);
  for (const each of made) mkdirSync(each, { recursive: true, mode: 0o700 });
  const place = (target: string): string => {
    if (outside === undefined) throw new Error('This box is for reading only.');
    return join(outside, basename(target));
  };
  return {
    confine: (command) => confine(command, folders),
    admit: async (path) => {
      const admitted = join(folders.inside, basename(path));
      await linkOrCopy(path, admitted).catch((error: unknown) => {
        throw isNoSpace(error) ? error : unreadable(error);
      });
      return admitted;
    },
    place,
    collect: async (target) => {
      await rename(place(target), target);
      const made = await lstat(target);
      if (made.isFile() && made.nlink === 1) return;
      // A child that was taken over may leave a link to what it may not read, for us to read in its place.
      await (made.isDirectory() ? removeTree(target) : unlink(target));
      throw new Error('The decoder has left something that is no plain file.');
    },
    clear: async () => {
      for (const each of made) for await (const name of listFew(each)) await unlink(join(each, name));
    },
    weigh: async () => {
      let bytes = 0;
      try {
        for await (const name of outside === undefined ? [] : listFew(outside)) {
          const file = await lstat(join(outside!, name)).catch(ignoreGone);
          if (file !== undefined && !file.isFile()) return undefined;
          bytes += file?.size ?? 0;
        }
      } catch {
        return undefined;
      }
      return bytes;
    },
    remove: () => removeTree(folder).catch(() => {}),
    processes,
  };
}

/** The names in a folder, which a child may have filled without end. @throws Error where there are more than it needs */
async function* listFew(folder: string): AsyncGenerator<string> {
  let count = 0;
  for await (const { name } of await opendir(folder)) {
    count += 1;
    if (count > maxFiles) throw new Error('The decoder has filled its box with files.');
    yield name;
  }
}

const ignoreGone = (error: unknown): undefined => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
};

/** A second name of the same bytes, so that a film of many gigabytes is there at once; a copy where the file system has no such thing. */
async function linkOrCopy(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && withoutLinks.has(error.code))) throw error;
    await copyFile(path, target, constants.COPYFILE_FICLONE);
  }
}

/** Another file system, one that knows no links, or a file with as many names as it may have. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);
