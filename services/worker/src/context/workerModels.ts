import type { Log } from '@hearth/core/log/log.ts';
import { openInference, type Inference } from '@hearth/inference/inference.ts';
import { modelOf } from '@hearth/inference/models/models.ts';
import type { ChosenProvider, InferenceSettings, TaskName } from '@hearth/inference/process/inferenceProtocol.ts';
import { supplyModels } from '@hearth/inference/store/supplyModels.ts';
import { modelsOfTask, whyImpossible } from '@hearth/inference/taskModels.ts';
import { taskCapabilities } from './tools.ts';

/** The models of a worker: what they find, and what cannot be found while some of them are missing. */
export interface WorkerModels extends Pick<
  Inference,
  'findFaces' | 'findLabels' | 'glanceForText' | 'findText' | 'embedPicture' | 'childPid'
> {
  /** The capabilities that this worker lacks, because a model is missing. */
  lacking(): readonly string[];
  /** To be called when something needs a capability that is lacking: the missing models are then fetched, where that is allowed. */
  want(): void;
  /** From now on looks for missing models every now and then, and calls `onFound` when some have come, by whatever way. */
  watch(onFound: () => Promise<void>): void;
  /** Stops looking and ends the process of the models. */
  close(): Promise<void>;
}

/** Where models are, and for what this worker needs them. */
export interface WorkerModelsOptions {
  readonly settings: InferenceSettings;
  /** Nothing is looked for, said or fetched for other tasks. */
  readonly tasks: readonly TaskName[];
  readonly log: Log;
  /** Milliseconds between two looks for models that somebody may have put there. */
  readonly lookMs?: number;
}

/** Milliseconds for one picture, the load of models included: the slowest picture takes a few seconds on one slow core. */
const timeoutMs = 120_000;

/** Milliseconds after which idle models give back their memory. Starting again takes half a second. */
const idleMs = 60_000;

/**
 * Resident memory of the process of the models, without that of the search model. All others together took 470 MB at the most, with a square page of text (2026-11); a worker, one decoder at work and they
 * are to stay below 700 MB.
 */
const memoryLimitBytes = 550_000_000;

/** Resident memory of the search model for each byte of its file: onnxruntime lays out its numbers once more. */
const perByte = 2;

/** Opens the models; none is loaded yet. Says which are missing. */
export const openWorkerModels = async ({
  settings,
  tasks,
  log,
  lookMs = 30_000,
}: WorkerModelsOptions): Promise<WorkerModels> => {
  const { store, provider: wanted } = settings;
  const closing = new AbortController();
  let told: string | undefined;
  const tellProvider = ({ name, problem }: ChosenProvider): void => {
    // Each new process tells it again.
    if (told === name) return;
    told = name;
    if (problem === undefined) log.info({ provider: name }, 'what models run on');
    else log.warn({ provider: name, wanted, problem }, 'models do not run on what was asked for');
  };
  const [weights] = modelOf(`${settings.searchModel}-image`).files;
  const inference = openInference({
    settings,
    timeoutMs,
    idleMs,
    memoryLimitBytes: memoryLimitBytes + perByte * weights!.bytes,
    onProvider: tellProvider,
  });
  let missing = await findMissing(settings, tasks);
  let wereFound = false;
  if (missing.size > 0)
    log.info(
      { missing: [...new Set(missing.values())].join(' ') },
      'models are missing: what needs them waits until they are there, and nothing else does',
    );
  const models = tasks.flatMap((task) => modelsOfTask(settings, task));
  const supply = supplyModels({ store, models, log, lookMs, signal: closing.signal });
  if (tasks.length > 0) {
    // The CPU is always there. For anything else the process has to try.
    if (wanted === 'cpu') tellProvider({ name: wanted });
    else
      inference.start().catch((error: unknown) => log.warn({ err: error }, 'the process of the models cannot start'));
  }
  return {
    findFaces: (sizes) => inference.findFaces(sizes),
    findLabels: (sizes) => inference.findLabels(sizes),
    glanceForText: (sizes) => inference.glanceForText(sizes),
    findText: (sizes) => inference.findText(sizes),
    embedPicture: (sizes) => inference.embedPicture(sizes),
    childPid: () => inference.childPid(),
    lacking: () => [...new Set([...missing.keys()].map((task) => taskCapabilities[task]))],
    want: () => supply.want(),
    watch: (onFound) =>
      void supply.watch(async (isWanted) => {
        const before = missing;
        // A file that has gone since the last look is noticed by the run that needs it, which then wants it.
        if (before.size > 0 || isWanted) missing = await findMissing(settings, tasks);
        const areFound = missing.size < before.size || (isWanted && missing.size < tasks.length);
        // Once more at the next look: a run that has just met a missing model may be recorded as blocked only after the others were released.
        if (areFound || wereFound) await onFound();
        wereFound = areFound;
        return missing.size > 0;
      }),
    close: async () => {
      closing.abort();
      await inference.close();
    },
  };
};

/** The tasks that cannot be done, each with the sentences that say why. */
const findMissing = async (
  settings: InferenceSettings,
  tasks: readonly TaskName[],
): Promise<ReadonlyMap<TaskName, string>> => {
  const missing = new Map<TaskName, string>();
  for (const task of tasks) {
    const why = await whyImpossible(settings, task);
    if (why !== undefined) missing.set(task, why);
  }
  return missing;
};
