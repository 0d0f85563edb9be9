import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, copyFile, link, readdir, rename, rm, stat, truncate, unlink } from 'node:fs/promises';
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
  /** Moves what the child has written to `target`. Call it when the child is gone. */
  collect(target: string): Promise<void>;
  /** Copies what the child has written to `target`, for a child that goes on: it keeps its one file. */
  copyOut(target: string): Promise<void>;
  /** Empties the box. */
  clear(): Promise<void>;
  /**
   * Whether the child has been given so many bytes that it has to be replaced: files that it keeps open or mapped take room on the disk even after
   * they are removed.
   */
  isSpent(): boolean;
  /** Call it when the child is gone. What cannot be removed stays until the worker's next start. */
  remove(): Promise<void>;
  /** How many processes a child in this box consists of, with those that confine it. */
  readonly processes: number;
}

/** The two parts of a box. */
export interface BoxPaths {
  /** A folder with what the child is to read; the child may not write here. */
  readonly inside: string;
  /**
   * The file that the child writes, if it may write at all. The child can make no other, remove or rename none, and make this one no longer than the system
   * lets it: that bounds what it takes of the disk, whatever it keeps open, mapped or hidden.
   */
  readonly outside: string | undefined;
}

/** Whether a child gives its answers to us only, or a file too. */
export type BoxUse = 'read' | 'write';

/** A way to bound commands to boxes. */
export interface Confiner {
  readonly confine: (command: Command, paths: BoxPaths) => Command;
  /** How many processes a confined command consists of. */
  readonly processes: number;
}

/** Bytes of files that a child is given in its life; the last file may be of any size. Beside the work on so many bytes a start costs nothing. */
const mostAdmitted = 4 * 1024 ** 3;

/** Makes a box in a new folder, to which a confiner bounds commands. */
export function openBox(folder: string, use: BoxUse, { confine, processes }: Confiner): Box {
  const inside = join(folder, 'in');
  const outside = use === 'write' ? join(folder, 'out') : undefined;
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  if (outside !== undefined) writeFileSync(outside, '', { mode: 0o600 });
  let admittedBytes = 0;
  const made = (): string => {
    if (outside === undefined) throw new Error('This box is for reading only.');
    return outside;
  };
  return {
    confine: (command) => confine(command, { inside, outside }),
    admit: async (path) => {
      const admitted = join(inside, basename(path));
      await linkOrCopy(path, admitted).catch((error: unknown) => {
        throw isNoSpace(error) ? error : unreadable(error);
      });
      admittedBytes += (await stat(admitted)).size;
      return admitted;
    },
    place: made,
    collect: (target) => rename(made(), target),
    copyOut: (target) => copyFile(made(), target, constants.COPYFILE_FICLONE),
    clear: async () => {
      for (const name of await readdir(inside)) await unlink(join(inside, name));
      if (outside !== undefined) await truncate(outside);
    },
    isSpent: () => admittedBytes > mostAdmitted,
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}),
    processes,
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

/** The errors of a link to another file system, on a file system without links, or to a file with as many names as it may have. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);
