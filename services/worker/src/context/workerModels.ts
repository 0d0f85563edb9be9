import type { Log } from '@hearth/core/log/log.ts';
import { openInference, type Inference } from '@hearth/inference/inference.ts';
import { getModel } from '@hearth/inference/models/models.ts';
import type { ChosenProvider, InferenceSettings, TaskName } from '@hearth/inference/process/inferenceProtocol.ts';
import { supplyModels } from '@hearth/inference/store/supplyModels.ts';
import { listTaskModels, explainUnavailable } from '@hearth/inference/taskModels.ts';
import { taskCapabilities } from './tools.ts';

/** Machine learning models of a worker. Some may be missing. */
export interface WorkerModels extends Pick<
  Inference,
  'findFaces' | 'findLabels' | 'glanceForText' | 'findText' | 'embedPicture' | 'childPid'
> {
  /** Returns the capabilities whose models are missing. */
  listMissingCapabilities(): readonly string[];
  /** Requests the missing models. Call it when a run needs one. They are then downloaded, if allowed. */
  requestMissing(): void;
  /** Starts to look for missing models periodically. Calls `onFound` when some were found, downloaded or not. */
  watch(onFound: () => Promise<void>): void;
  /** Stops looking, and ends the model process. */
  close(): Promise<void>;
}

/** Location of the models, and their use in this worker. */
export interface WorkerModelsOptions {
  readonly settings: InferenceSettings;
  /** Models of other tasks are ignored. */
  readonly tasks: readonly TaskName[];
  readonly log: Log;
  /** Interval of looking for missing models, in ms. */
  readonly checkIntervalMs?: number;
}

/** Timeout per picture, in ms, including the load of models. The slowest picture takes a few seconds on one slow core. */
const timeoutMs = 120_000;

/** Idle time after which models are unloaded, in ms. Starting again takes half a second. */
const idleMs = 60_000;

/**
 * Resident memory limit of the model process, without the search model. All other models together took at most 470 MB, with a square page of text
 * (2026-11). A worker, one busy decoder and the models should stay below 700 MB.
 */
const memoryLimitBytes = 550_000_000;

/** Resident memory of the search model per byte of its file: onnxruntime makes a second copy of the weights. */
const residentBytesPerByte = 2;

/** Opens the models without loading them. Logs which are missing. */
export const openWorkerModels = async ({
  settings,
  tasks,
  log,
  checkIntervalMs = 30_000,
}: WorkerModelsOptions): Promise<WorkerModels> => {
  const { store, provider: requestedProvider } = settings;
  const closing = new AbortController();
  let reportedProvider: string | undefined;
  const reportProvider = ({ name, problem }: ChosenProvider): void => {
    // Each new process reports the provider again.
    if (reportedProvider === name) return;
    reportedProvider = name;
    if (problem === undefined) log.info({ provider: name }, 'execution provider of the models');
    else
      log.warn(
        { provider: name, wanted: requestedProvider, problem },
        'the configured execution provider is unavailable',
      );
  };
  const [weights] = getModel(`${settings.searchModel}-image`).files;
  const inference = openInference({
    settings,
    timeoutMs,
    idleMs,
    memoryLimitBytes: memoryLimitBytes + residentBytesPerByte * weights!.bytes,
    onProvider: reportProvider,
  });
  let missing = await findMissing(settings, tasks);
  let wereFound = false;
  if (missing.size > 0)
    log.info({ missing: [...new Set(missing.values())].join(' ') }, 'models missing; dependent components are blocked');
  const models = tasks.flatMap((task) => listTaskModels(settings, task));
  const supply = supplyModels({ store, models, log, lookMs: checkIntervalMs, signal: closing.signal });
  if (tasks.length > 0) {
    // The CPU is always available. Other providers can only be checked by starting the process.
    if (requestedProvider === 'cpu') reportProvider({ name: requestedProvider });
    else inference.start().catch((error: unknown) => log.warn({ err: error }, 'could not start the model process'));
  }
  return {
    findFaces: (sizes) => inference.findFaces(sizes),
    findLabels: (sizes) => inference.findLabels(sizes),
    glanceForText: (sizes) => inference.glanceForText(sizes),
    findText: (sizes) => inference.findText(sizes),
    embedPicture: (sizes) => inference.embedPicture(sizes),
    childPid: () => inference.childPid(),
    listMissingCapabilities: () => [...new Set([...missing.keys()].map((task) => taskCapabilities[task]))],
    requestMissing: () => supply.want(),
    watch: (onFound) =>
      void supply.watch(async (isWanted) => {
        const before = missing;
        // A file deleted since the last check is noticed by the run that needs it, which then requests it.
        if (before.size > 0 || isWanted) missing = await findMissing(settings, tasks);
        const areFound = missing.size < before.size || (isWanted && missing.size < tasks.length);
        // Called again after the next check: a run that has just missed a model may be recorded as blocked after the others were unblocked.
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

/** Returns the tasks that cannot run, each with the reason as a sentence. */
const findMissing = async (
  settings: InferenceSettings,
  tasks: readonly TaskName[],
): Promise<ReadonlyMap<TaskName, string>> => {
  const missing = new Map<TaskName, string>();
  for (const task of tasks) {
    const reason = await explainUnavailable(settings, task);
    if (reason !== undefined) missing.set(task, reason);
  }
  return missing;
};
