import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import { unconfined, type Confinement } from '../sandbox/confinement/confinement.ts';
import type { Sandbox } from '../sandbox/confinement/sandbox.ts';
import { exiftoolEnvironment } from './exiftoolBounds.ts';
import { startExiftool, type ExiftoolTask } from './exiftoolProcess.ts';
import {
  limitTags,
  composeTags,
  jpegReadArguments,
  needsCompositeTags,
  readArguments,
  videoReadArguments,
  type MediaTags,
} from './mediaTags.ts';
import type { MemoryBudget } from '../sandbox/processes/memoryBudget.ts';
import { openOwnedChildren } from '../sandbox/processes/ownedChildren.ts';
import { toUnreadableError } from '../errors/readErrors.ts';

export interface ExiftoolOptions {
  /** Timeout per file. The process is then killed and replaced. */
  readonly timeoutMs: number;
  /** Maximum number of parallel processes, of about 40 MB each. */
  readonly maxProcs: number;
  /** Memory limit shared with the decoders. */
  readonly budget?: MemoryBudget | undefined;
  /** Program to run instead of the one installed by npm. */
  readonly executable?: string | undefined;
  /** Sandboxes of the processes. Without this field, exiftool has all rights of this process. */
  readonly confinement?: Confinement;
}

/** Reads the metadata of untrusted files of one owner, in long-running processes that open no file of another owner. */
export interface Exiftool {
  /**
   * Returns the tags of a file, for `readMetadata`; hardly any for unknown formats. `mimeType` saves CPU time for a JPEG, and for a video includes
   * tags stored after the pictures.
   * @throws DecodeError UNREADABLE for a file that cannot be opened, CORRUPT for one that crashes exiftool, TOO_LARGE for one that exceeds
   * `exiftoolBounds`; TIMED_OUT, OUT_OF_MEMORY or CRASHED, which may be retried
   */
  read(path: string, mimeType?: string): Promise<MediaTags>;
  /** Runs exiftool with these arguments and returns the tags. @throws DecodeError as `read` does */
  readTags(path: string, readArgs: readonly string[]): Promise<MediaTags>;
  /** Writes the value of a tag, named with its group, into a file. @throws DecodeError as `read` does */
  extract(path: string, tag: string, target: string): Promise<void>;
}

export interface ExiftoolPool {
  /** Returns the exiftool of one owner. `timeoutFactor` multiplies the timeout per file. */
  forOwner(ownerId: string, timeoutFactor?: number): Exiftool;
  /** Returns the pids of all processes, for fault tests. */
  childPids(): number[];
  /** Ends all processes after their active reads. */
  end(): Promise<void>;
}

/** A program or a system package is missing. Runs that need it are `BLOCKED` until it is installed. */
export class ToolMissingError extends Error {
  readonly tool: string;

  constructor(tool: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ToolMissingError';
    this.tool = tool;
  }
}

/**
 * Opens exiftool and runs it once as a test.
 * @throws ToolMissingError if exiftool or perl is missing (exiftool-vendored would exit this process instead)
 */
export async function openExiftool(options: ExiftoolOptions): Promise<ExiftoolPool> {
  const { timeoutMs, maxProcs, budget, confinement } = options;
  const executable = options.executable ?? (await exiftoolPath());
  const openSandbox = (): Sandbox => confinement?.createSandbox('write') ?? unconfined;
  await testExiftool(executable, openSandbox());
  const processes = openOwnedChildren({
    open: () => startExiftool(executable, { budget, sandbox: openSandbox() }),
    size: maxProcs,
    maxChildren: maxProcs + extraIdleProcesses,
  });
  return {
    forOwner: (ownerId, timeoutFactor = 1) =>
      createOwnerExiftool((path, task) =>
        processes.use(ownerId, (each) => each.run(path, task, timeoutMs * timeoutFactor)),
      ),
    childPids: () => processes.list().flatMap((each) => each.childPids()),
    end: () => processes.close('idle'),
  };
}

/** Number of extra idle processes that are kept when several owners alternate. */
const extraIdleProcesses = 2;

/** @throws ToolMissingError */
async function testExiftool(executable: string, sandbox: Sandbox): Promise<void> {
  const [file, ...args] = sandbox.confine([executable, '-ver']);
  try {
    await promisify(execFile)(file, args, { env: exiftoolEnvironment, timeout: 30_000 });
  } catch (cause) {
    throw new ToolMissingError('exiftool', `cannot run exiftool (is perl installed?): ${executable}`, { cause });
  } finally {
    await sandbox.remove();
  }
}

function createOwnerExiftool(run: <Result>(path: string, task: ExiftoolTask<Result>) => Promise<Result>): Exiftool {
  const read = async (path: string, readArgs: string[]): Promise<MediaTags> =>
    limitTags(
      throwIfUnopened(
        await run(path, (exiftool, admitted) => exiftool.readRaw<MediaTags>(admitted, { readArgs, useMWG: false })),
      ),
    );
  return {
    async read(path, mimeType) {
      if (mimeType?.startsWith('video/')) return read(path, videoReadArguments);
      if (mimeType !== 'image/jpeg') return read(path, readArguments);
      const tags = composeTags(await read(path, jpegReadArguments));
      return needsCompositeTags(tags) ? read(path, readArguments) : tags;
    },
    readTags: (path, readArgs) => read(path, [...readArgs]),
    extract: (path, tag, target) =>
      run(path, async (exiftool, admitted, sandbox) => {
        // `sandbox.getOutputPath` has already created the file.
        const options = { ignoreMinorErrors: true, forceWrite: true };
        await exiftool.extractBinaryTag(tag, admitted, sandbox.getOutputPath(target), options);
        await sandbox.copyOutput(target);
      }),
  };
}

/** Throws if exiftool returns an error instead of tags because it cannot open or read the file. @throws DecodeError UNREADABLE */
function throwIfUnopened<Tags extends MediaTags>(tags: Tags): Tags {
  const errors = Array.isArray(tags['errors']) ? tags['errors'].map(String) : [];
  const openError = errors.find((error) => /Error (opening|reading) file/.test(error));
  if (openError !== undefined) throw toUnreadableError(new Error(openError));
  return tags;
}
