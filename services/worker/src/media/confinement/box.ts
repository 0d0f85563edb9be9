import { constants, copyFile, link, lstat, readdir, rename, rm } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from '../childLimits.ts';
import { isNoSpace } from '../noSpace.ts';
import { unreadable } from '../readTrouble.ts';

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
  /** Empties the box. */
  clear(): Promise<void>;
  /** Call it when the child is gone. */
  remove(): Promise<void>;
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

/** Bounds a command to a box. */
export type Confine = (command: Command, folders: BoxFolders) => Command;

/** Makes a box out of new folders in `folder`; `confine` bounds a command to them. */
export function openBox(folder: string, use: BoxUse, confine: Confine): Box {
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
      await rm(target, { recursive: true });
      throw new Error('The decoder has left something that is no plain file.');
    },
    clear: async () => {
      for (const each of made) for (const name of await readdir(each)) await rm(join(each, name), { recursive: true });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

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
