import type { MeaningVector, SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Face } from './faces/findFaces.ts';
import type { Labels } from './labels/findLabels.ts';
import type { PictureSizes } from './pixels/rgbPixels.ts';
import { InferenceError } from './process/inferenceError.ts';
import { startInference, type InferenceProcess, type InferenceProcessOptions } from './process/inferenceProcess.ts';
import type { Findings, InferenceRequest, Subject, TaskName } from './process/inferenceProtocol.ts';
import type { TextLine } from './text/findText.ts';

/**
 * Finds what pictures show. Pictures are looked at one at a time, in the order of the calls, in a child process that starts when it is first
 * needed; a model is loaded when it is first needed there. A size that a task does not find among those of a picture is made of the next larger one.
 * Every function throws MissingModelError where a model is not here, and InferenceError where it fails; the next call starts a new process
 * where the last one has ended, and finds models that have been fetched meanwhile.
 */
export interface Inference {
  findFaces(sizes: PictureSizes): Promise<readonly Face[]>;
  findLabels(sizes: PictureSizes): Promise<Labels>;
  /** Whether there may be text, by a look at a small copy. */
  glanceForText(sizes: PictureSizes): Promise<boolean>;
  findText(sizes: PictureSizes): Promise<readonly TextLine[]>;
  /** What a picture means to the search model of the installation: [512], of length 1 together. */
  embedPicture(sizes: PictureSizes): Promise<Float32Array>;
  /** What a text means to a search model, to be compared with its pictures. */
  embedText(model: SearchModelName, text: string): Promise<MeaningVector>;
  /** Starts the process, which tells what models run on (`onProvider`), and loads no model. */
  start(): Promise<void>;
  /** The process now alive, for kill drills. */
  childPid(): number | undefined;
  /** Kills the process and waits until it is gone; what is unfinished rejects as `CRASHED`. */
  close(): Promise<void>;
}

/** The models, and the limits of one picture. */
export interface InferenceOptions extends InferenceProcessOptions {
  /** Milliseconds for one picture, without the wait for those before it, and with the load of models. */
  readonly timeoutMs: number;
  /** Milliseconds after which an idle process is ended: that gives back its memory and all models. */
  readonly idleMs: number;
}

/** Opens the models; nothing is started or loaded yet. */
export function openInference({ timeoutMs, idleMs, ...options }: InferenceOptions): Inference {
  let child: InferenceProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const living = (): InferenceProcess => {
    clearTimeout(idle);
    // It may have been closed while this picture waited.
    if (isClosed) throw new InferenceError('CRASHED', 'The models were shut down.');
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
    queue((child) => child.ask({ task, subject } as InferenceRequest, timeoutMs) as Promise<Findings[Name]>);
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
