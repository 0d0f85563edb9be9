import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import { unconfined, type Confinement } from './confinement/confinement.ts';
import type { Box } from './confinement/box.ts';
import { exiftoolEnvironment } from './exiftoolBounds.ts';
import { openExiftoolLane, type ExiftoolLane } from './exiftoolLane.ts';
import {
  boundTags,
  composeTags,
  jpegReadArguments,
  needsCompositions,
  readArguments,
  videoReadArguments,
  type MediaTags,
} from './mediaTags.ts';
import { unreadable } from './readTrouble.ts';

/** How exiftool is run. */
export interface ExiftoolOptions {
  /** For one file; past it the process is killed and replaced. */
  readonly timeoutMs: number;
  /** Processes at the same time; each holds about 40 MB. */
  readonly maxProcs: number;
  /** The program to run instead of the one that comes with npm. */
  readonly executable?: string | undefined;
  /** Without it, exiftool may do what this process may. */
  readonly confinement?: Confinement;
}

/** Reads the metadata of untrusted files, in processes of its own that are kept running. */
export interface Exiftool {
  /**
   * The tags of a file, for `readMetadata`; of a file that exiftool does not understand, next to none. By the type, where it is known, a
   * JPEG is read cheaper, and a video also behind its pictures.
   * @throws DecodeError UNREADABLE for a file that cannot be opened, CORRUPT for a file on which exiftool gives up altogether, TOO_LARGE for one that takes more than `exiftoolBounds`; TIMED_OUT
   * or CRASHED, which may be retried
   */
  read(path: string, mimeType?: string): Promise<MediaTags>;
  /** What exiftool answers to these arguments. @throws DecodeError as `read` does */
  readTags(path: string, readArgs: readonly string[]): Promise<MediaTags>;
  /** Writes the value of a tag, named with its group, into a file that is not there yet. @throws DecodeError as `read` does */
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

/**
 * Opens exiftool, having run it once.
 * @throws ToolMissingError when it or perl is not there (exiftool-vendored would end our process instead).
 */
export async function openExiftool(options: ExiftoolOptions): Promise<Exiftool> {
  const executable = options.executable ?? (await exiftoolPath());
  const newBox = (): Box => options.confinement?.openBox('write') ?? unconfined;
  const boxes = Array.from({ length: options.maxProcs }, newBox);
  const [file, ...args] = (boxes[0] ?? unconfined).confine([executable, '-ver']);
  await promisify(execFile)(file, args, { env: exiftoolEnvironment, timeout: 30_000 }).catch((cause: unknown) => {
    throw new ToolMissingError('exiftool', `exiftool cannot be run (is perl installed?): ${executable}`, { cause });
  });
  const free = boxes.map((box) => openExiftoolLane(executable, { timeoutMs: options.timeoutMs, box }));
  const lanes = [...free];
  const waiting: ((lane: ExiftoolLane) => void)[] = [];
  /** Files wait for a process in the order of the calls. */
  const run: ExiftoolLane['run'] = async (path, task) => {
    const lane = free.pop() ?? (await new Promise<ExiftoolLane>((resolve) => waiting.push(resolve)));
    return lane.run(path, task).finally(() => {
      const next = waiting.shift();
      if (next === undefined) free.push(lane);
      else next(lane);
    });
  };
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
        await exiftool.extractBinaryTag(tag, admitted, box.place(target));
        await box.collect(target);
      }),
    childPids: () => lanes.flatMap((lane) => lane.childPids()),
    async end() {
      await Promise.all(lanes.map((lane) => lane.end()));
    },
  };
}

/** To a file that it cannot open or read exiftool answers with no tags and these words, which are no answer. */
function refuseUnopened<Tags extends MediaTags>(tags: Tags): Tags {
  const errors = Array.isArray(tags['errors']) ? tags['errors'].map(String) : [];
  const trouble = errors.find((error) => /Error (opening|reading) file/.test(error));
  if (trouble !== undefined) throw unreadable(new Error(trouble));
  return tags;
}
