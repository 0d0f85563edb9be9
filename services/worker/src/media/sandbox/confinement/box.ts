import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, copyFile, link, readdir, rename, rm, stat, truncate, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from './childLimits.ts';
import { isNoSpace } from '../../errors/noSpace.ts';
import { unreadable } from '../../errors/readTrouble.ts';

/** Sandbox: the files that a child can access, one input file at a time. */
export interface Box {
  /** Wraps a command so that it can access only this sandbox. */
  confine(command: Command): Command;
  /** Puts a file into the sandbox, read-only for the child, and returns its path there. @throws DecodeError UNREADABLE, or an error of a full disk */
  admit(path: string): Promise<string>;
  /** Returns the path where the child must write the file for `target`. */
  place(target: string): string;
  /** Moves the child's file to `target`. Call it after the child has ended. */
  collect(target: string): Promise<void>;
  /** Copies the child's file to `target`, for a child that continues to run and keeps its one file. */
  copyOut(target: string): Promise<void>;
  clear(): Promise<void>;
  /**
   * True if the child must be replaced because it got too many bytes: files that it keeps open or mapped use disk space even after they are deleted.
   */
  isSpent(): boolean;
  /** Deletes the sandbox. Call it after the child has ended. Files that cannot be deleted stay until the worker's next start. */
  remove(): Promise<void>;
  /** Maximum number of processes of a child, including those of the sandbox program. */
  readonly processes: number;
}

/** Paths of a sandbox. */
export interface BoxPaths {
  /** Folder with the input file. Read-only for the child. */
  readonly inside: string;
  /**
   * Output file of the child, if it may write at all. The child can create, delete or rename no files, and the system limits the length of this one.
   * So its disk usage is limited, even with open, mapped or deleted files.
   */
  readonly outside: string | undefined;
}

/** `read`: the child only sends messages. `write`: it also writes a file. */
export type BoxUse = 'read' | 'write';

/** Runs commands in sandboxes. */
export interface Confiner {
  readonly confine: (command: Command, paths: BoxPaths) => Command;
  /** Number of processes of a confined command. */
  readonly processes: number;
}

/** Maximum total size of the input files of a child; the last file may exceed it. At this size the cost of a new process is negligible. */
const mostAdmitted = 4 * 1024 ** 3;

/** Makes a sandbox in a new folder. */
export function openBox(folder: string, use: BoxUse, { confine, processes }: Confiner): Box {
  const inside = join(folder, 'in');
  const outside = use === 'write' ? join(folder, 'out') : undefined;
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  if (outside !== undefined) writeFileSync(outside, '', { mode: 0o600 });
  let admittedBytes = 0;
  const made = (): string => {
    if (outside === undefined) throw new Error('This sandbox is read-only.');
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

/** Links a file, to avoid copying videos of many gigabytes. Copies it if the file system supports no links. */
async function linkOrCopy(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && withoutLinks.has(error.code))) throw error;
    await copyFile(path, target, constants.COPYFILE_FICLONE);
  }
}

/** Errors of links across file systems, on file systems without links, and beyond the maximum number of links. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);
