import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { ExifTool, exiftoolPath } from 'exiftool-vendored';
import { DecodeError } from './decodeError.ts';
import {
  composeTags,
  jpegReadArguments,
  needsCompositions,
  readArguments,
  videoReadArguments,
  type MediaTags,
} from './mediaTags.ts';

/** How exiftool is run. */
export interface ExiftoolOptions {
  /** For one file; past it the process is killed and replaced. */
  readonly timeoutMs: number;
  /** Processes at the same time; each holds about 40 MB. */
  readonly maxProcs: number;
  /** The program to run instead of the one that comes with npm. */
  readonly executable?: string;
}

/** Reads the metadata of untrusted files, in processes of its own that are kept running. */
export interface Exiftool {
  /**
   * The tags of a file, for `readMetadata`; of a file that exiftool does not understand, next to none. By the type, where it is known, a
   * JPEG is read cheaper, and a video also behind its pictures.
   * @throws DecodeError CORRUPT for a file on which exiftool gives up altogether; TIMED_OUT or CRASHED, which may be retried
   */
  read(path: string, mimeType?: string): Promise<MediaTags>;
  /** What exiftool answers to these arguments. @throws DecodeError TIMED_OUT or CRASHED; both may be retried. */
  readTags(path: string, readArgs: readonly string[]): Promise<MediaTags>;
  /** Writes the value of a tag, named with its group, into a file that is not there yet. @throws DecodeError TIMED_OUT or CRASHED */
  extract(path: string, tag: string, target: string): Promise<void>;
  /** The processes now alive, for kill drills. */
  childPids(): number[];
  /** Ends every process; reads under way are finished first. */
  end(): Promise<void>;
}

/** A program or a package of the system is missing; what needs it is `BLOCKED` until it is there. */
export class ToolMissingError extends Error {
  readonly tool: string;

  constructor(tool: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ToolMissingError';
    this.tool = tool;
  }
}

/** Nothing of our own environment is handed on; without `LANG` perl complains about the locale. */
const environment = { LANG: 'C' };

/**
 * Opens exiftool, having run it once.
 * @throws ToolMissingError when it or perl is not there (exiftool-vendored would end our process instead).
 */
export async function openExiftool(options: ExiftoolOptions): Promise<Exiftool> {
  const executable = options.executable ?? (await exiftoolPath());
  await promisify(execFile)(executable, ['-ver'], { env: environment, timeout: 30_000 }).catch((cause: unknown) => {
    throw new ToolMissingError('exiftool', `exiftool cannot be run (is perl installed?): ${executable}`, { cause });
  });
  const exiftool = new ExifTool({
    maxProcs: options.maxProcs,
    taskTimeoutMillis: options.timeoutMs,
    // Retries are decided, counted and spaced out by the database.
    taskRetries: 0,
    // A process group of its own, so that Ctrl-C does not break off reads that the worker still wants to finish.
    // When the worker dies it reads the end of its input and ends too.
    processFactory: () =>
      spawn(executable, ['-stay_open', 'True', '-@', '-'], { detached: true, env: environment, stdio: 'pipe' }),
  });
  const read = async (path: string, readArgs: string[]): Promise<MediaTags> => {
    try {
      return await exiftool.readRaw<MediaTags>(path, { readArgs, useMWG: false });
    } catch (cause) {
      if (isTimeout(cause) || !(await givesUp(executable, [...readArgs, '-j', path], options.timeoutMs))) {
        throwReadable(cause);
      }
      throw new DecodeError('CORRUPT', 'The metadata is damaged.', { cause });
    }
  };
  return {
    async read(path, mimeType) {
      if (mimeType?.startsWith('video/')) return read(path, videoReadArguments);
      if (mimeType !== 'image/jpeg') return read(path, readArguments);
      const tags = composeTags(await read(path, jpegReadArguments));
      return needsCompositions(tags) ? read(path, readArguments) : tags;
    },
    readTags: (path, readArgs) => read(path, [...readArgs]),
    extract: (path, tag, target) => exiftool.extractBinaryTag(tag, path, target).catch(throwReadable),
    childPids: () => exiftool.pids,
    async end() {
      await exiftool.end();
    },
  };
}

function throwReadable(cause: unknown): never {
  if (isTimeout(cause)) throw new DecodeError('TIMED_OUT', 'Reading the metadata took too long.', { cause });
  throw new DecodeError('CRASHED', 'The metadata could not be read.', { cause });
}

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === 'TaskTimeoutError';

/**
 * Whether exiftool ends by itself, with an error of its own code, over a file: some mutilated RAF and others do that to it. Asked
 * of a process of its own after one has vanished, since that one may also have been killed from outside.
 */
const givesUp = async (executable: string, readArgs: string[], timeout: number): Promise<boolean> =>
  promisify(execFile)(executable, readArgs, { env: environment, timeout, maxBuffer: maxOutputBytes }).then(
    () => false,
    ({ code, signal, stdout, stderr }: { code?: unknown; signal?: unknown; stdout?: string; stderr?: string }) =>
      typeof code === 'number' && !signal && !stdout && / at \S+ line \d+/.test(stderr ?? ''),
  );

/** The tags asked for are some kilobytes; a comment may be long. */
const maxOutputBytes = 16 * 1024 * 1024;
