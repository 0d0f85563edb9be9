import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, copyFile, link, readdir, rename, rm, stat, truncate, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from './childLimits.ts';
import { isNoSpace } from '../../errors/noSpace.ts';
import { unreadable } from '../../errors/readTrouble.ts';

/** The files that a child may touch, one file at a time. */
export interface Box {
  /** The command that runs `command` with access to this box and to nothing else. */
  confine(command: Command): Command;
  /**
   * Puts a file into the box, where the child cannot change it; answers the path under which the child finds it. @throws DecodeError
   * UNREADABLE, or an error of a full disk
   */
  admit(path: string): Promise<string>;
  /** The path to which the child has to write the file for `target`. */
  place(target: string): string;
  /** Moves the child's file to `target`. Call it when the child is gone. */
  collect(target: string): Promise<void>;
  /** Copies the child's file to `target`, for a child that goes on and keeps its one file. */
  copyOut(target: string): Promise<void>;
  /** Empties the box. */
  clear(): Promise<void>;
  /**
   * Whether the child has got so many bytes that it has to be replaced: files that it keeps open or mapped take disk space even after they
   * are removed.
   */
  isSpent(): boolean;
  /** Removes the box. Call it when the child is gone. What cannot be removed stays until the worker's next start. */
  remove(): Promise<void>;
  /** How many processes a child in this box consists of, with those that confine it. */
  readonly processes: number;
}

/** The two parts of a box. */
export interface BoxPaths {
  /** A folder with the file for the child; the child may not write here. */
  readonly inside: string;
  /**
   * The file that the child writes, if it may write at all. The child can make no other file, remove or rename none, and make this one no
   * longer than the system allows. That bounds the disk space that it takes, whatever it keeps open, mapped or hidden.
   */
  readonly outside: string | undefined;
}

/** Whether a child only sends answers, or also writes a file. */
export type BoxUse = 'read' | 'write';

/** A way to confine commands to boxes. */
export interface Confiner {
  readonly confine: (command: Command, paths: BoxPaths) => Command;
  /** How many processes a confined command consists of. */
  readonly processes: number;
}

/**
 * Bytes of files that a child gets in its life; the last file may have any size. Compared with the work on so many bytes, a new start costs
 * nothing.
 */
const mostAdmitted = 4 * 1024 ** 3;

/** Makes a box in a new folder, to which a confiner confines commands. */
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

/** Links a file, so that a film of many gigabytes is in the box at once; copies it where the file system cannot. */
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
