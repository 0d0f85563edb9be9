import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import { unconfined, type Confinement } from '../sandbox/confinement/confinement.ts';
import type { Box } from '../sandbox/confinement/box.ts';
import { exiftoolEnvironment } from './exiftoolBounds.ts';
import { startExiftool, type ExiftoolTask } from './exiftoolProcess.ts';
import {
  boundTags,
  composeTags,
  jpegReadArguments,
  needsCompositions,
  readArguments,
  videoReadArguments,
  type MediaTags,
} from './mediaTags.ts';
import type { MemoryBudget } from '../sandbox/processes/memoryBudget.ts';
import { openOwnedChildren } from '../sandbox/processes/ownedChildren.ts';
import { unreadable } from '../errors/readTrouble.ts';

/** How exiftool is run. */
export interface ExiftoolOptions {
  /** Milliseconds for one file; then the process is killed and replaced. */
  readonly timeoutMs: number;
  /** Processes at the same time; each holds about 40 MB. */
  readonly maxProcs: number;
  /** The memory that they share with decoders. */
  readonly budget?: MemoryBudget | undefined;
  /** The program to run instead of the one that comes with npm. */
  readonly executable?: string | undefined;
  /** Undefined: exiftool may do whatever this process may. */
  readonly confinement?: Confinement;
}

/** Reads the metadata of untrusted files of one owner, in processes that are kept running and see no file of another owner. */
export interface Exiftool {
  /**
   * The tags of a file, for `readMetadata`; next to none for a file that exiftool does not understand. With the type, a JPEG is read with
   * less CPU, and a video also behind its pictures.
   * @throws DecodeError UNREADABLE for a file that cannot be opened, CORRUPT for one that makes exiftool fail altogether, TOO_LARGE for one
   * that exceeds `exiftoolBounds`; TIMED_OUT, OUT_OF_MEMORY or CRASHED, which may be retried
   */
  read(path: string, mimeType?: string): Promise<MediaTags>;
  /** What exiftool answers to these arguments. @throws DecodeError as `read` does */
  readTags(path: string, readArgs: readonly string[]): Promise<MediaTags>;
  /** Writes the value of a tag, named with its group, into a file. @throws DecodeError as `read` does */
  extract(path: string, tag: string, target: string): Promise<void>;
}

/** The exiftools of all owners. */
export interface ExiftoolPool {
  /** Returns the exiftool of one owner. `patience` multiplies the time limit of each file. */
  of(ownerId: string, patience?: number): Exiftool;
  /** The processes now alive, for kill drills. */
  childPids(): number[];
  /** Ends every process; reads under way are finished first. */
  end(): Promise<void>;
}

/** A program or a system package is missing; runs that need it are `BLOCKED` until it is there. */
export class ToolMissingError extends Error {
  readonly tool: string;

  constructor(tool: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ToolMissingError';
    this.tool = tool;
  }
}

/**
 * Opens exiftool, having run it once.
 * @throws ToolMissingError when it or perl is not there (exiftool-vendored would end our process instead).
 */
export async function openExiftool(options: ExiftoolOptions): Promise<ExiftoolPool> {
  const { timeoutMs, maxProcs, budget, confinement } = options;
  const executable = options.executable ?? (await exiftoolPath());
  const newBox = (): Box => confinement?.openBox('write') ?? unconfined;
  await tryExiftool(executable, newBox());
  const processes = openOwnedChildren({
    open: () => startExiftool(executable, { budget, box: newBox() }),
    size: maxProcs,
    most: maxProcs + sparedProcesses,
  });
  return {
    of: (ownerId, patience = 1) =>
      ownersExiftool((path, task) => processes.use(ownerId, (each) => each.run(path, task, timeoutMs * patience))),
    childPids: () => processes.list().flatMap((each) => each.childPids()),
    end: () => processes.close('idle'),
  };
}

/** Idle processes that are kept while several owners have files in turn. */
const sparedProcesses = 2;

/** @throws ToolMissingError */
async function tryExiftool(executable: string, box: Box): Promise<void> {
  const [file, ...args] = box.confine([executable, '-ver']);
  try {
    await promisify(execFile)(file, args, { env: exiftoolEnvironment, timeout: 30_000 });
  } catch (cause) {
    throw new ToolMissingError('exiftool', `exiftool cannot be run (is perl installed?): ${executable}`, { cause });
  } finally {
    await box.remove();
  }
}

function ownersExiftool(run: <Result>(path: string, task: ExiftoolTask<Result>) => Promise<Result>): Exiftool {
  const read = async (path: string, readArgs: string[]): Promise<MediaTags> =>
    boundTags(
      refuseUnopened(
        await run(path, (exiftool, admitted) => exiftool.readRaw<MediaTags>(admitted, { readArgs, useMWG: false })),
      ),
    );
  return {
    async read(path, mimeType) {
      if (mimeType?.startsWith('video/')) return read(path, videoReadArguments);
      if (mimeType !== 'image/jpeg') return read(path, readArguments);
      const tags = composeTags(await read(path, jpegReadArguments));
      return needsCompositions(tags) ? read(path, readArguments) : tags;
    },
    readTags: (path, readArgs) => read(path, [...readArgs]),
    extract: (path, tag, target) =>
      run(path, async (exiftool, admitted, box) => {
        // The file is there already.
        const options = { ignoreMinorErrors: true, forceWrite: true };
        await exiftool.extractBinaryTag(tag, admitted, box.place(target), options);
        await box.copyOut(target);
      }),
  };
}

/** Throws where exiftool answers no tags and one of these messages, as it does for a file that it cannot open or read. @throws DecodeError UNREADABLE */
function refuseUnopened<Tags extends MediaTags>(tags: Tags): Tags {
  const errors = Array.isArray(tags['errors']) ? tags['errors'].map(String) : [];
  const trouble = errors.find((error) => /Error (opening|reading) file/.test(error));
  if (trouble !== undefined) throw unreadable(new Error(trouble));
  return tags;
}
