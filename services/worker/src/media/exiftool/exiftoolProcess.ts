import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExifTool } from 'exiftool-vendored';
import { limitCommand } from '../sandbox/confinement/childLimits.ts';
import type { Sandbox } from '../sandbox/confinement/sandbox.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { exiftoolBounds, exiftoolEnvironment, exiftoolLimits } from './exiftoolBounds.ts';
import { endChild } from '../sandbox/processes/endChild.ts';
import type { MemoryBudget } from '../sandbox/processes/memoryBudget.ts';
import type { OwnedChild } from '../sandbox/processes/ownedChildren.ts';
import { findInnermostProcess, readProcessUsage } from '@hearth/core/process/processUsage.ts';
import { watchChild, type Excess } from '../sandbox/processes/watchChild.ts';

/** Work on one file. `path` is its path in the sandbox. */
export type ExiftoolTask<Result> = (exiftool: ExifTool, path: string, sandbox: Sandbox) => Promise<Result>;

/** A long-running exiftool process, which reads one file at a time. */
export interface ExiftoolProcess extends OwnedChild {
  /**
   * Runs a task for one file.
   * @throws DecodeError TOO_LARGE for a file that exceeds `exiftoolBounds`, CORRUPT for one that crashes exiftool; TIMED_OUT, OUT_OF_MEMORY or
   * CRASHED, which may be retried
   */
  run<Result>(path: string, task: ExiftoolTask<Result>, timeoutMs: number): Promise<Result>;
  childPids(): number[];
}

/** State of the process for the active file. */
interface ActiveTask {
  child: ChildProcess | undefined;
  /** Output of the process for this file. */
  outputBytes: number;
  /** End of the error output of the process for this file. */
  errorOutput: string;
  /** Exceeded limit that made this worker end the process. */
  excess: Excess | 'output' | undefined;
}

const excessMessages = {
  memory: 'Reading the metadata exceeded the memory limit.',
  time: 'Reading the metadata timed out.',
  output: 'Too much metadata.',
} as const;

export interface ExiftoolProcessOptions {
  /** Memory limit shared with the decoders. */
  readonly budget?: MemoryBudget | undefined;
  /** Sandbox of the process. Removed with the process. */
  readonly sandbox: Sandbox;
}

/** Makes an exiftool process, which starts with the first file. */
export function startExiftool(executable: string, { budget, sandbox }: ExiftoolProcessOptions): ExiftoolProcess {
  const activeTask: ActiveTask = { child: undefined, outputBytes: 0, errorOutput: '', excess: undefined };
  let isSpent = false;
  let idleWatch: Disposable | undefined;
  const kill = (excess: NonNullable<ActiveTask['excess']>): void => {
    activeTask.excess ??= excess;
    if (activeTask.child !== undefined) void endChild(activeTask.child);
  };
  const start = (): ChildProcess => {
    const [file, ...args] = limitCommand(
      sandbox.confine([executable, '-stay_open', 'True', '-@', '-']),
      exiftoolLimits,
    );
    // In its own process group, so that Ctrl-C does not interrupt reads that the worker still finishes. When the worker dies, the process reads the
    // end of its input and ends, too.
    const child = spawn(file, args, { detached: true, env: exiftoolEnvironment, stdio: 'pipe' });
    child.stdout.on('data', (bytes: Buffer) => {
      activeTask.outputBytes += bytes.length;
      if (activeTask.outputBytes > exiftoolBounds.outputBytes) kill('output');
    });
    child.stderr.on('data', (bytes: Buffer) => {
      activeTask.errorOutput = (activeTask.errorOutput + bytes.toString()).slice(-maxErrorOutput);
    });
    activeTask.child = child;
    return child;
  };
  const exiftool = new ExifTool({
    maxProcs: 1,
    // Retries are counted and scheduled in the database.
    taskRetries: 0,
    processFactory: start,
  });
  return {
    async run(path, task, timeoutMs) {
      const admitted = await sandbox.addFile(path);
      idleWatch?.[Symbol.dispose]();
      Object.assign(activeTask, { outputBytes: 0, errorOutput: '', excess: undefined });
      using _ = watchChild(() => activeTask.child, sandbox, { ...exiftoolBounds, budget }, kill);
      // Applies from the next task on.
      exiftool.batchCluster.options.taskTimeoutMillis = timeoutMs;
      try {
        return await task(exiftool, admitted, sandbox);
      } catch (cause) {
        throw await explainFailure(cause, activeTask);
      } finally {
        isSpent ||= mustBeReplaced(activeTask);
        await sandbox.clear().catch(() => {
          isSpent = true;
        });
        if (!isSpent) idleWatch = watchChild(() => activeTask.child, sandbox, { ...idleBounds, budget }, kill);
      }
    },
    isAlive: () => !isSpent && !sandbox.isSpent() && (activeTask.child === undefined || isRunning(activeTask.child)),
    childPids: () => exiftool.pids.map(findInnermostProcess),
    async end() {
      isSpent = true;
      idleWatch?.[Symbol.dispose]();
      if (activeTask.child !== undefined) await endChild(activeTask.child);
      await exiftool.end(false);
      await sandbox.remove();
    },
  };
}

/** Limits of an idle process, which also counts towards the memory limit shared with the decoders. */
const idleBounds = { residentBytes: exiftoolBounds.residentBytes, isIdle: true };

/** Maximum length of the kept error output, in characters. */
const maxErrorOutput = 4_096;

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** True if a process must be replaced: perl never returns memory to the system, and CPU time is limited for the whole life of a process. */
function mustBeReplaced({ child }: ActiveTask): boolean {
  const usage = child?.pid === undefined ? undefined : readProcessUsage(findInnermostProcess(child.pid));
  const { retiredBytes, retiredCpuSeconds } = exiftoolBounds;
  return usage !== undefined && (usage.residentBytes >= retiredBytes || usage.cpuSeconds >= retiredCpuSeconds);
}

async function explainFailure(cause: unknown, activeTask: ActiveTask): Promise<DecodeError> {
  const isTimeout = cause instanceof Error && cause.name === 'TaskTimeoutError';
  if (!isTimeout) await waitForExit(activeTask.child);
  const { excess, errorOutput, child } = activeTask;
  // An earlier file may have started the extra processes, so this file is not blamed.
  if (excess === 'processes') return new DecodeError('CRASHED', 'The metadata could not be read.', { cause });
  if (excess === 'sharedMemory')
    return new DecodeError('OUT_OF_MEMORY', 'Not enough memory left to read the metadata.', { cause });
  if (excess !== undefined) return new DecodeError('TOO_LARGE', excessMessages[excess], { cause });
  if (isTimeout) return new DecodeError('TIMED_OUT', 'Reading the metadata timed out.', { cause });
  // Perl reports a failed allocation itself. A process that was killed from outside reports nothing.
  if (/^Out of memory/m.test(errorOutput)) return new DecodeError('TOO_LARGE', excessMessages.memory, { cause });
  // Some damaged RAF and other files crash exiftool like this.
  if (child?.exitCode && / at \S+ line \d+/.test(errorOutput))
    return new DecodeError('CORRUPT', 'The metadata is damaged.', { cause });
  return new DecodeError('CRASHED', 'The metadata could not be read.', { cause });
}

/** Waits up to `endMs` for a failing process to write its error message. A process that continues to run has failed in another way. */
async function waitForExit(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || !isRunning(child)) return;
  const waiting = new AbortController();
  await Promise.race([
    once(child, 'close', { signal: waiting.signal }),
    sleep(exiftoolBounds.endMs, undefined, { signal: waiting.signal }),
  ]).finally(() => waiting.abort());
}
