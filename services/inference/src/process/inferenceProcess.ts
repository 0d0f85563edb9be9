import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { readProcessUsage } from '@hearth/core/process/processUsage.ts';
import { MissingModelError } from '../store/missingModel.ts';
import { InferenceError } from './inferenceError.ts';
import type { ChosenProvider, InferenceMessage, InferenceRequest, InferenceSettings } from './inferenceProtocol.ts';

/** An inference child. It processes one picture at a time. */
export interface InferenceProcess {
  pid(): number | undefined;
  /** Returns false as soon as the child has exited or was killed. */
  isAlive(): boolean;
  /** Resolves when the child has reported its execution provider. @throws InferenceError */
  ready(): Promise<void>;
  /** @throws MissingModelError; InferenceError, after which the child has ended unless the code is FAILED */
  request(request: InferenceRequest, timeoutMs: number): Promise<unknown>;
  /** Kills the child. Resolves when it has exited. */
  end(): Promise<void>;
}

export interface InferenceProcessOptions {
  readonly settings: InferenceSettings;
  /** Maximum resident memory of the child, including 85 MB for Node and onnxruntime. */
  readonly memoryLimitBytes: number;
  readonly onProvider: (provider: ChosenProvider) => void;
}

/** Timeout until the child sends `'ready'`, in ms. It takes half a second. */
const startTimeoutMs = 30_000;

/** Interval of memory checks, in ms. A model allocates at most some 100 MB in this time. */
const watchMs = 50;

/**
 * Starts an inference child. It inherits no environment variables except the compile cache, and exits with this
 * process.
 */
export function startInference(options: InferenceProcessOptions): InferenceProcess {
  const { settings, memoryLimitBytes, onProvider } = options;
  const child = fork(fileURLToPath(new URL('inferenceChild.ts', import.meta.url)), [JSON.stringify(settings)], {
    // Pixels lie outside of the JavaScript heap. A small young generation makes the garbage collector run soon, which
    // frees them.
    execArgv: ['--max-semi-space-size=1'],
    env: { MALLOC_ARENA_MAX: '2', ...compileCache },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let ended: InferenceError | undefined;
  let response = Promise.withResolvers<InferenceMessage>();
  const end = (reason: InferenceError): void => {
    ended ??= reason;
    child.kill('SIGKILL');
    response.reject(ended);
  };
  child.on('message', (message: InferenceMessage) => response.resolve(message));
  child.on('error', (cause) => end(new InferenceError('CRASHED', 'The model process is unavailable.', { cause })));
  child.on('exit', (code, signal) =>
    end(new InferenceError('CRASHED', `The model process exited unexpectedly (${signal ?? `exit code ${code}`}).`)),
  );
  const next = (timeoutMs: number): Promise<InferenceMessage> => {
    response = Promise.withResolvers();
    // Prevents an unhandled rejection. The next request reports the error.
    response.promise.catch(() => undefined);
    if (ended !== undefined) response.reject(ended);
    const timer = setTimeout(
      () => end(new InferenceError('TIMED_OUT', `The model process timed out after ${timeoutMs / 1000} seconds.`)),
      timeoutMs,
    );
    const watch = watchMemory(child, memoryLimitBytes, () =>
      end(
        new InferenceError(
          'OUT_OF_MEMORY',
          `The model process exceeded ${Math.round(memoryLimitBytes / 1e6)} MB of memory.`,
        ),
      ),
    );
    return response.promise.finally(() => {
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
    async request(request, timeoutMs) {
      await ready;
      const reply = next(timeoutMs);
      // The `exit` event reports a child that is gone.
      child.send(request, () => undefined);
      const message = await reply;
      if (message.kind === 'found') return message.value;
      if (message.kind === 'missing') throw new MissingModelError(message.text);
      throw new InferenceError(
        'FAILED',
        message.kind === 'failure' ? message.text : 'The model process sent no result.',
      );
    },
    async end() {
      const exited = hasExited(child) ? undefined : once(child, 'exit');
      end(new InferenceError('CRASHED', 'The model process was shut down.'));
      await exited;
    },
  };
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const watchMemory = ({ pid }: ChildProcess, limitBytes: number, onExcess: () => void): NodeJS.Timeout =>
  setInterval(() => {
    if (pid !== undefined && (readProcessUsage(pid)?.residentBytes ?? 0) > limitBytes) onExcess();
  }, watchMs).unref();
