import type { QueryEmbedding, SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Face } from './faces/findFaces.ts';
import type { Labels } from './labels/findLabels.ts';
import type { PictureSizes } from './pixels/rgbPixels.ts';
import { InferenceError } from './process/inferenceError.ts';
import { startInference, type InferenceProcess, type InferenceProcessOptions } from './process/inferenceProcess.ts';
import type { Findings, InferenceRequest, Subject, TaskName } from './process/inferenceProtocol.ts';
import type { TextLine } from './text/findText.ts';

/**
 * Finds what pictures show, one picture at a time in the order of the calls. Runs in a child process that starts on
 * first use and loads each model on first use. A size that a picture lacks is scaled down from the next larger one.
 * Every function throws MissingModelError if a model is missing, and InferenceError on failure. If the process has
 * ended, the next call starts a new one. Models that were fetched meanwhile are found.
 */
export interface Inference {
  findFaces(sizes: PictureSizes): Promise<readonly Face[]>;
  findLabels(sizes: PictureSizes): Promise<Labels>;
  /** Returns true if a small copy of the picture may show text. */
  glanceForText(sizes: PictureSizes): Promise<boolean>;
  findText(sizes: PictureSizes): Promise<readonly TextLine[]>;
  /** Returns the picture's embedding by the configured search model: [512], normalized to length 1. */
  embedPicture(sizes: PictureSizes): Promise<Float32Array>;
  /** Returns the text's embedding by a search model, for comparison with its embeddings of pictures. */
  embedText(model: SearchModelName, text: string): Promise<QueryEmbedding>;
  /** Starts the process without loading a model. It reports the execution provider (`onProvider`). */
  start(): Promise<void>;
  /** Returns the id of the running process, for tests that kill it. */
  childPid(): number | undefined;
  /** Kills the process and waits for its end. Unfinished calls reject with `CRASHED`. */
  close(): Promise<void>;
}

export interface InferenceOptions extends InferenceProcessOptions {
  /** Timeout of one picture including loading of models, without the time in the queue, in ms. */
  readonly timeoutMs: number;
  /** An idle process is ended after this time, in ms. This frees the memory of all models. */
  readonly idleMs: number;
}

/** Opens the models. Starts no process and loads no model until the first use. */
export function openInference({ timeoutMs, idleMs, ...options }: InferenceOptions): Inference {
  let child: InferenceProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const getLiveChild = (): InferenceProcess => {
    clearTimeout(idle);
    // `close` may have been called while this picture waited.
    if (isClosed) throw new InferenceError('CRASHED', 'The model process was shut down.');
    if (child?.isAlive() !== true) child = startInference(options);
    return child;
  };
  const scheduleEnd = (): void => {
    waiting -= 1;
    if (waiting === 0 && !isClosed) idle = setTimeout(() => void child?.end(), idleMs).unref();
  };
  const queue = <Result>(use: (child: InferenceProcess) => Promise<Result>): Promise<Result> => {
    waiting += 1;
    const result = last.then(() => use(getLiveChild())).finally(scheduleEnd);
    last = result.catch(() => undefined);
    return result;
  };
  const runTask = <Name extends TaskName>(task: Name, subject: Subject<Name>): Promise<Findings[Name]> =>
    queue((child) => child.request({ task, subject } as InferenceRequest, timeoutMs) as Promise<Findings[Name]>);
  return {
    findFaces: (sizes) => runTask('faces', sizes),
    findLabels: (sizes) => runTask('labels', sizes),
    glanceForText: (sizes) => runTask('glance', sizes),
    findText: (sizes) => runTask('text', sizes),
    embedPicture: (sizes) => runTask('meaning', sizes),
    embedText: (model, text) => runTask('query', { model, text }),
    start: () => queue((child) => child.ready()),
    childPid: () => (child?.isAlive() === true ? child.pid() : undefined),
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await child?.end();
      await last;
    },
  };
}
