import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, copyFile, link, readdir, rename, rm, stat, truncate, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from './childLimits.ts';
import { isNoSpaceError } from '../../errors/noSpace.ts';
import { toUnreadableError } from '../../errors/readErrors.ts';

/** Sandbox: the files that a child can access, one input file at a time. */
export interface Sandbox {
  /** Wraps a command so that it can access only this sandbox. */
  confine(command: Command): Command;
  /** Puts a file into the sandbox, read-only for the child, and returns its path there. @throws DecodeError UNREADABLE, or an error of a full disk */
  addFile(path: string): Promise<string>;
  /** Returns the path where the child must write the file for `target`. */
  getOutputPath(target: string): string;
  /** Moves the child's file to `target`. Call it after the child has ended. */
  moveOutput(target: string): Promise<void>;
  /** Copies the child's file to `target`, for a child that continues to run and keeps its one file. */
  copyOutput(target: string): Promise<void>;
  /** Deletes the input files, and empties the output file. */
  clear(): Promise<void>;
  /**
   * True if the child must be replaced because it got too many bytes: files that it keeps open or mapped use disk space even after they are deleted.
   */
  isSpent(): boolean;
  /** Deletes the sandbox. Call it after the child has ended. Files that cannot be deleted stay until the worker's next start. */
  remove(): Promise<void>;
  /** Maximum number of processes of a child, including those of the sandbox program. */
  readonly maxProcesses: number;
}

/** Paths of a sandbox. */
export interface SandboxPaths {
  /** Folder with the input file. Read-only for the child. */
  readonly inputFolder: string;
  /**
   * Output file of the child, if it may write at all. The child can create, delete or rename no files, and the system limits the length of this one.
   * So its disk usage is limited, even with open, mapped or deleted files.
   */
  readonly outputFile: string | undefined;
}

/** `read`: the child only sends messages. `write`: it also writes a file. */
export type SandboxUse = 'read' | 'write';

/** Runs commands in sandboxes. */
export interface Confiner {
  readonly confine: (command: Command, paths: SandboxPaths) => Command;
  /** Number of processes of a confined command. */
  readonly processes: number;
}

/** Maximum total size of the input files of a child; the last file may exceed it. At this size the cost of a new process is negligible. */
const maxAddedBytes = 4 * 1024 ** 3;

/** Makes a sandbox in a new folder. */
export function createSandbox(
  folder: string,
  use: SandboxUse,
  { confine, processes: maxProcesses }: Confiner,
): Sandbox {
  const inputFolder = join(folder, 'in');
  const outputFile = use === 'write' ? join(folder, 'out') : undefined;
  mkdirSync(inputFolder, { recursive: true, mode: 0o700 });
  if (outputFile !== undefined) writeFileSync(outputFile, '', { mode: 0o600 });
  let addedBytes = 0;
  const getOutput = (): string => {
    if (outputFile === undefined) throw new Error('This sandbox is read-only.');
    return outputFile;
  };
  return {
    confine: (command) => confine(command, { inputFolder, outputFile }),
    addFile: async (path) => {
      const copy = join(inputFolder, basename(path));
      await linkOrCopy(path, copy).catch((error: unknown) => {
        throw isNoSpaceError(error) ? error : toUnreadableError(error);
      });
      addedBytes += (await stat(copy)).size;
      return copy;
    },
    getOutputPath: getOutput,
    moveOutput: (target) => rename(getOutput(), target),
    copyOutput: (target) => copyFile(getOutput(), target, constants.COPYFILE_FICLONE),
    clear: async () => {
      for (const name of await readdir(inputFolder)) await unlink(join(inputFolder, name));
      if (outputFile !== undefined) await truncate(outputFile);
    },
    isSpent: () => addedBytes > maxAddedBytes,
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}),
    maxProcesses,
  };
}

/** Links a file, to avoid copying videos of many gigabytes. Copies it if the file system supports no links. */
async function linkOrCopy(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && linkErrors.has(error.code))) throw error;
    await copyFile(path, target, constants.COPYFILE_FICLONE);
  }
}

/** Errors of links across file systems, on file systems without links, and beyond the maximum number of links. */
const linkErrors: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);
