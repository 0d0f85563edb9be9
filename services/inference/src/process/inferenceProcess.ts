import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { readProcessUsage } from '@hearth/core/process/processUsage.ts';
import { MissingModelError } from '../store/missingModel.ts';
import { InferenceError } from './inferenceError.ts';
import type { ChosenProvider, InferenceMessage, InferenceRequest, InferenceSettings } from './inferenceProtocol.ts';

/** One inference child; it takes one picture at a time. */
export interface InferenceProcess {
  pid(): number | undefined;
  /** False as soon as the end of the child is certain. */
  isAlive(): boolean;
  /** Resolves when the child has told what models run on. @throws InferenceError */
  ready(): Promise<void>;
  /** @throws MissingModelError, or InferenceError, after which the child has ended unless its code is FAILED */
  ask(request: InferenceRequest, timeoutMs: number): Promise<unknown>;
  /** Kills the child. Resolves when it is gone. */
  end(): Promise<void>;
}

/** The program of a child, and its limits. */
export interface InferenceProcessOptions {
  readonly settings: InferenceSettings;
  /** Resident memory of the whole child, its 85 MB of Node and onnxruntime included. */
  readonly memoryLimitBytes: number;
  readonly onProvider: (provider: ChosenProvider) => void;
}

/** A child that has not said `'ready'` after this time counts as hung; it takes half a second. */
const startTimeoutMs = 30_000;

/** Milliseconds between two checks of memory: a model takes no more than some 100 MB in this time. */
const watchMs = 50;

/** Starts an inference child. It holds nothing of the environment, and dies with this process. */
export function startInference(options: InferenceProcessOptions): InferenceProcess {
  const { settings, memoryLimitBytes, onProvider } = options;
  const child = fork(fileURLToPath(new URL('inferenceChild.ts', import.meta.url)), [JSON.stringify(settings)], {
    // Pixels lie outside of JavaScript's heap, so only a small young generation makes the garbage collector free them soon.
    execArgv: ['--max-semi-space-size=1'],
    env: { MALLOC_ARENA_MAX: '2', ...compileCache },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let ended: InferenceError | undefined;
  let answer = Promise.withResolvers<InferenceMessage>();
  const end = (reason: InferenceError): void => {
    ended ??= reason;
    child.kill('SIGKILL');
    answer.reject(ended);
  };
  child.on('message', (message: InferenceMessage) => answer.resolve(message));
  child.on('error', (cause) =>
    end(new InferenceError('CRASHED', 'The process of the models could not be reached.', { cause })),
  );
  child.on('exit', (code, signal) =>
    end(
      new InferenceError('CRASHED', `The process of the models ended unexpectedly (${signal ?? `exit code ${code}`}).`),
    ),
  );
  const next = (timeoutMs: number): Promise<InferenceMessage> => {
    answer = Promise.withResolvers();
    // Whoever has not asked yet learns it by asking.
    answer.promise.catch(() => undefined);
    if (ended !== undefined) answer.reject(ended);
    const timer = setTimeout(
      () => end(new InferenceError('TIMED_OUT', `The models took longer than ${timeoutMs / 1000} seconds.`)),
      timeoutMs,
    );
    const watch = watchMemory(child, memoryLimitBytes, () =>
      end(
        new InferenceError(
          'OUT_OF_MEMORY',
          `The models took more than ${Math.round(memoryLimitBytes / 1e6)} MB of memory.`,
        ),
      ),
    );
    return answer.promise.finally(() => {
      clearTimeout(timer);
      clearInterval(watch);
    });
  };
  const start = async (): Promise<void> => {
    const message = await next(startTimeoutMs);
    if (message.kind === 'ready') onProvider(message.provider);
  };
  const ready = start();
  ready.catch(() => undefined);
  return {
    pid: () => child.pid,
    isAlive: () => ended === undefined,
    ready: () => ready,
    async ask(request, timeoutMs) {
      await ready;
      const reply = next(timeoutMs);
      // A child that is gone is told by its `exit`.
      child.send(request, () => undefined);
      const message = await reply;
      if (message.kind === 'found') return message.value;
      if (message.kind === 'missing') throw new MissingModelError(message.text);
      throw new InferenceError('FAILED', message.kind === 'failure' ? message.text : 'The models answered nothing.');
    },
    async end() {
      const gone = hasExited(child) ? undefined : once(child, 'exit');
      end(new InferenceError('CRASHED', 'The process of the models was shut down.'));
      await gone;
    },
  };
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const watchMemory = ({ pid }: ChildProcess, limitBytes: number, onExcess: () => void): NodeJS.Timeout =>
  setInterval(() => {
    if (pid !== undefined && (readProcessUsage(pid)?.residentBytes ?? 0) > limitBytes) onExcess();
  }, watchMs).unref();
