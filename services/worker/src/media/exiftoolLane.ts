import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExifTool } from 'exiftool-vendored';
import { limitCommand } from './childLimits.ts';
import type { Box } from './confinement/box.ts';
import { DecodeError } from './decodeError.ts';
import { exiftoolBounds, exiftoolEnvironment, exiftoolLimits } from './exiftoolBounds.ts';
import { endChild } from './endChild.ts';
import type { OwnedChild } from './ownedChildren.ts';
import { innermostProcess, readProcessUsage } from './processUsage.ts';
import { watchChild, type Excess } from './watchChild.ts';

/** A process of exiftool that is kept for many files, one file at a time. */
export interface ExiftoolLane extends OwnedChild {
  /**
   * Runs a task for one file, which gets the path by which exiftool finds it.
   * @throws DecodeError TOO_LARGE for a file that takes more than exiftool may have, CORRUPT for one on which it gives up; TIMED_OUT or CRASHED,
   * which may be retried
   */
  run<Result>(path: string, task: (exiftool: ExifTool, path: string, box: Box) => Promise<Result>): Promise<Result>;
  childPids(): number[];
}

/** What is known of the process that works on a file. */
interface Work {
  child: ChildProcess | undefined;
  /** Of its output for this file. */
  outputBytes: number;
  /** The last that it has complained of, for this file. */
  complaint: string;
  /** Why it was ended by us. */
  excess: Excess | 'output' | undefined;
}

const excesses = {
  memory: 'Reading the metadata takes too much memory.',
  time: 'Reading the metadata takes too long.',
  output: 'There is too much metadata.',
} as const;

/** How a lane is run. */
export interface LaneOptions {
  /** For one file. */
  readonly timeoutMs: number;
  /** In which its process is, and which goes with it. */
  readonly box: Box;
}

/** Opens a lane; its process starts with the first file. */
export function openExiftoolLane(executable: string, { timeoutMs, box }: LaneOptions): ExiftoolLane {
  const work: Work = { child: undefined, outputBytes: 0, complaint: '', excess: undefined };
  let isSpent = false;
  const giveUp = (excess: NonNullable<Work['excess']>): void => {
    work.excess ??= excess;
    if (work.child !== undefined) void endChild(work.child);
  };
  const start = (): ChildProcess => {
    const [file, ...args] = limitCommand(box.confine([executable, '-stay_open', 'True', '-@', '-']), exiftoolLimits);
    // A process group of its own, so that Ctrl-C does not break off reads that the worker still wants to finish.
    // When the worker dies it reads the end of its input and ends too.
    const child = spawn(file, args, { detached: true, env: exiftoolEnvironment, stdio: 'pipe' });
    child.stdout.on('data', (bytes: Buffer) => {
      work.outputBytes += bytes.length;
      if (work.outputBytes > exiftoolBounds.outputBytes) giveUp('output');
    });
    child.stderr.on('data', (bytes: Buffer) => {
      work.complaint = (work.complaint + bytes.toString()).slice(-maxComplaint);
    });
    work.child = child;
    return child;
  };
  const exiftool = new ExifTool({
    maxProcs: 1,
    taskTimeoutMillis: timeoutMs,
    // Retries are decided, counted and spaced out by the database.
    taskRetries: 0,
    processFactory: start,
  });
  return {
    async run(path, task) {
      const admitted = await box.admit(path);
      Object.assign(work, { outputBytes: 0, complaint: '', excess: undefined });
      using _ = watchChild(() => work.child, box, exiftoolBounds, giveUp);
      try {
        return await task(exiftool, admitted, box);
      } catch (cause) {
        throw await explain(cause, work);
      } finally {
        isSpent ||= hasGrown(work);
        await box.clear().catch(() => {
          isSpent = true;
        });
      }
    },
    isAlive: () => !isSpent && !box.isSpent() && (work.child === undefined || isRunning(work.child)),
    childPids: () => exiftool.pids.map(innermostProcess),
    async end() {
      isSpent = true;
      if (work.child !== undefined) await endChild(work.child);
      await exiftool.end(false);
      await box.remove();
    },
  };
}

/** Characters of what exiftool complains of. */
const maxComplaint = 4_096;

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Perl gives memory back to the system only when it ends, and the system bounds the processor time of its whole life. */
function hasGrown({ child }: Work): boolean {
  const usage = child?.pid === undefined ? undefined : readProcessUsage(innermostProcess(child.pid));
  const { retiredBytes, retiredCpuSeconds } = exiftoolBounds;
  return usage !== undefined && (usage.residentBytes >= retiredBytes || usage.cpuSeconds >= retiredCpuSeconds);
}

async function explain(cause: unknown, work: Work): Promise<DecodeError> {
  const isTimeout = cause instanceof Error && cause.name === 'TaskTimeoutError';
  if (!isTimeout) await ended(work.child);
  const { excess, complaint, child } = work;
  // The processes that are too many may be the work of an earlier file, so this one is not blamed.
  if (excess === 'processes') return new DecodeError('CRASHED', 'The metadata could not be read.', { cause });
  if (excess !== undefined) return new DecodeError('TOO_LARGE', excesses[excess], { cause });
  if (isTimeout) return new DecodeError('TIMED_OUT', 'Reading the metadata took too long.', { cause });
  // Perl's own words; one that was killed from outside has none.
  if (/^Out of memory/m.test(complaint)) return new DecodeError('TOO_LARGE', excesses.memory, { cause });
  // Some mutilated RAF and others do that to exiftool.
  if (child?.exitCode && / at \S+ line \d+/.test(complaint))
    return new DecodeError('CORRUPT', 'The metadata is damaged.', { cause });
  return new DecodeError('CRASHED', 'The metadata could not be read.', { cause });
}

/** Waits until a process that is about to end has said why; one that goes on has failed by something else. */
async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || !isRunning(child)) return;
  const waiting = new AbortController();
  await Promise.race([
    once(child, 'close', { signal: waiting.signal }),
    sleep(exiftoolBounds.endMs, undefined, { signal: waiting.signal }),
  ]).finally(() => waiting.abort());
}
