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
 * Every function throws MissingModelError if a model is missing, and InferenceError if it fails. The next call starts a
 * new process if the last one has ended, and finds models that were fetched meanwhile.
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

/** Creates the interface. Starts and loads nothing yet. */
export function openInference({ timeoutMs, idleMs, ...options }: InferenceOptions): Inference {
  let child: InferenceProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const living = (): InferenceProcess => {
    clearTimeout(idle);
    // It may have been closed while this picture waited.
    if (isClosed) throw new InferenceError('CRASHED', 'The model process was shut down.');
    if (child?.isAlive() !== true) child = startInference(options);
    return child;
  };
  const rest = (): void => {
    waiting -= 1;
    if (waiting === 0 && !isClosed) idle = setTimeout(() => void child?.end(), idleMs).unref();
  };
  const queue = <Result>(use: (child: InferenceProcess) => Promise<Result>): Promise<Result> => {
    waiting += 1;
    const result = last.then(() => use(living())).finally(rest);
    last = result.catch(() => undefined);
    return result;
  };
  const look = <Name extends TaskName>(task: Name, subject: Subject<Name>): Promise<Findings[Name]> =>
    queue((child) => child.request({ task, subject } as InferenceRequest, timeoutMs) as Promise<Findings[Name]>);
  return {
    findFaces: (sizes) => look('faces', sizes),
    findLabels: (sizes) => look('labels', sizes),
    glanceForText: (sizes) => look('glance', sizes),
    findText: (sizes) => look('text', sizes),
    embedPicture: (sizes) => look('meaning', sizes),
    embedText: (model, text) => look('query', { model, text }),
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
