import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExifTool } from 'exiftool-vendored';
import { limitCommand } from './childLimits.ts';
import type { Box } from './confinement/box.ts';
import { DecodeError } from './decodeError.ts';
import { exiftoolBounds, exiftoolEnvironment, exiftoolLimits } from './exiftoolBounds.ts';
import { innermostProcess, readProcessUsage } from './processUsage.ts';

/** One process of exiftool after another, each kept for many files, one file at a time. */
export interface ExiftoolLane {
  /**
   * Runs a task for one file, which gets the path by which exiftool finds it.
   * @throws DecodeError TOO_LARGE for a file that takes more than exiftool may have, CORRUPT for one on which it gives up; TIMED_OUT or CRASHED,
   * which may be retried
   */
  run<Result>(path: string, task: (exiftool: ExifTool, path: string, box: Box) => Promise<Result>): Promise<Result>;
  childPids(): number[];
  end(): Promise<void>;
}

/** What is known of the process that works on a file. */
interface Work {
  child: ChildProcess | undefined;
  /** Of its output for this file. */
  outputBytes: number;
  /** The last that it has complained of, for this file. */
  complaint: string;
  /** Why it was ended by us. */
  excess: keyof typeof excesses | undefined;
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
  /** In which its processes are, one after another. */
  readonly box: Box;
}

/** Opens a lane; its process starts with the first file. */
export function openExiftoolLane(executable: string, { timeoutMs, box }: LaneOptions): ExiftoolLane {
  const work: Work = { child: undefined, outputBytes: 0, complaint: '', excess: undefined };
  const giveUp = (excess: NonNullable<Work['excess']>): void => {
    work.excess ??= excess;
    work.child?.kill('SIGKILL');
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
      using _ = watchProcess(work, giveUp);
      try {
        return await task(exiftool, admitted, box);
      } catch (cause) {
        throw await explain(cause, work);
      } finally {
        await retireGrown(work);
        await box.clear();
      }
    },
    childPids: () => exiftool.pids.map(innermostProcess),
    async end() {
      await exiftool.end();
      await box.remove();
    },
  };
}

/** Characters of what exiftool complains of. */
const maxComplaint = 4_096;

/** Ends the process of a file that takes too much of the processor or of memory; ordinary files are read before the first look. */
function watchProcess(work: Work, giveUp: (excess: 'time' | 'memory') => void): Disposable {
  let first: { readonly child: ChildProcess; readonly cpuSeconds: number } | undefined;
  const look = async (): Promise<void> => {
    const { child } = work;
    const usage = child?.pid === undefined ? undefined : await readProcessUsage(innermostProcess(child.pid));
    if (child === undefined || usage === undefined) return;
    if (first?.child !== child) first = { child, cpuSeconds: usage.cpuSeconds };
    if (usage.cpuSeconds - first.cpuSeconds > exiftoolBounds.cpuSeconds) giveUp('time');
    if (usage.residentBytes > exiftoolBounds.residentBytes) giveUp('memory');
  };
  const timer = setInterval(() => void look(), exiftoolBounds.watchMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Perl gives memory back to the system only by ending; and its bound on processor time is one on its whole life. */
async function retireGrown({ child }: Work): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const usage = await readProcessUsage(innermostProcess(child.pid));
  if (usage === undefined) return;
  const { retiredBytes, retiredCpuSeconds } = exiftoolBounds;
  if (usage.residentBytes < retiredBytes && usage.cpuSeconds < retiredCpuSeconds) return;
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function explain(cause: unknown, work: Work): Promise<DecodeError> {
  const isTimeout = cause instanceof Error && cause.name === 'TaskTimeoutError';
  if (!isTimeout) await ended(work.child);
  const { excess, complaint, child } = work;
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
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const waiting = new AbortController();
  await Promise.race([
    once(child, 'close', { signal: waiting.signal }),
    sleep(exiftoolBounds.endMs, undefined, { signal: waiting.signal }),
  ]).finally(() => waiting.abort());
}
