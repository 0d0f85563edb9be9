import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { isAnyBlocked, unblockRuns } from '@hearth/core/runs/blockedRuns.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { waitForSchema } from '@hearth/core/db/waitForSchema.ts';
import { openDiskSpace } from '@hearth/core/disk/diskSpace.ts';
import { sendHeartbeats } from '@hearth/core/process/heartbeat.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { createLog, type Log } from '@hearth/core/log/log.ts';
import { claimStore, isClaimRetryable } from '@hearth/core/backEnds/libraryMarker.ts';
import { checkBackEnds } from '@hearth/core/backEnds/checkBackEnds.ts';
import { serveMetrics } from '@hearth/core/metrics/metrics.ts';
import { getS3Settings } from '@hearth/core/config/commonConfig.ts';
import { openObjects } from '@hearth/core/backEnds/openObjects.ts';
import { openQueues } from '@hearth/core/queue/openQueues.ts';
import type { Consumer } from '@hearth/core/queue/queue.ts';
import { getInferenceSettings } from '@hearth/inference/inferenceSettings.ts';
import { getPlacesFile } from '@hearth/core/config/placesConfig.ts';
import { retryUntilDone } from '@hearth/core/process/retryUntilDone.ts';
import { shutDownOnSignals } from '@hearth/core/process/shutdown.ts';
import { components as pipeline, componentsIn } from '@hearth/core/config/pipeline.ts';
import { components } from './pipeline/components.ts';
import { workerVariables, type WorkerConfig } from '@hearth/core/config/workerConfig.ts';
import type { Component } from './context/component.ts';
import type { Deps } from './context/deps.ts';
import { tools, type Tool, getRequiredTasks } from './context/tools.ts';
import { confineDecoders } from './media/sandbox/confinement/confineDecoders.ts';
import { removeTree } from './media/sandbox/confinement/removeTree.ts';
import { openDecoderPool } from './media/decoder/decoderPool.ts';
import { exiftoolBounds } from './media/exiftool/exiftoolBounds.ts';
import { createMemoryBudget } from './media/sandbox/processes/memoryBudget.ts';
import { openExiftool, ToolMissingError, type ExiftoolOptions, type ExiftoolPool } from './media/exiftool/exiftool.ts';
import { openWorkerModels } from './context/workerModels.ts';
import { openPlacesData } from './places/placesData.ts';
import { runPool } from './pipeline/runPool.ts';

/** Maximum number of database connections of one worker, at any concurrency: most of the time a job does not use the database. */
const maxConnections = 16;

/**
 * Processes of exiftool: two for the ordinary slots, because one may be busy with a long video, and one for the
 * spare slot (see `SpareSlot`).
 */
const exiftoolProcesses = { ordinary: 2, spare: 1 } as const;

/** Idle time after which the decoder of the spare slot (see `SpareSlot`) ends, in ms. The spare slot is rarely used. */
const spareDecoderIdleMs = 60_000;

const config = configureProcess('hearth-worker: processes uploaded photos and videos.', workerVariables);
const log = createLog('worker', config.logLevel);
/** Components that run in the pools of this worker. */
const ownComponents = [...new Set(config.pools.flatMap((pool) => componentsIn(pool)))].map(
  ({ name }): Component => components[name],
);
const consumers: Consumer[] = [];
const stopping = new AbortController();
sendHeartbeats();
const deps = await openDeps(config, log, stopping.signal).catch((error: unknown) => {
  log.fatal({ err: error }, `could not start the worker: ${explainFailure(error)}`);
  return process.exit(1);
});
shutDownOnSignals(log, (config.stopTimeoutSeconds + 5) * 1_000, [
  { name: 'long runs', run: async () => stopping.abort() },
  {
    name: 'active items',
    run: () => Promise.all(consumers.map((each) => each.close(config.stopTimeoutSeconds * 1_000))),
  },
  { name: 'queue', run: () => deps.queues.close() },
  { name: 'decoders', run: () => Promise.all([deps.decoders.close(), deps.spareTools.decoders.close()]) },
  { name: 'exiftool', run: () => Promise.all([deps.exiftool?.end(), deps.spareTools.exiftool?.end()]) },
  { name: 'places', run: async () => deps.places?.close() },
  { name: 'models', run: () => deps.inference.close() },
  { name: 'scratch files', run: () => removeTree(deps.scratchDirectory) },
  { name: 'database', run: () => deps.db.destroy() },
]);

void serveMetricsWhenFree(deps);
deps.disk.watch();
// On a cluster everything starts at once, and a new worker may start while the API of the previous version still runs.
await waitForSchema(deps.db, {
  signal: stopping.signal,
  onWaiting: (missing) =>
    log.info(
      { missing },
      missing.length > 0 ? 'waiting for the API to migrate the database' : 'waiting for the database',
    ),
}).catch((error: unknown) => {
  // The shutdown continues and ends this process.
  if (stopping.signal.aborted) return new Promise<never>(() => {});
  log.fatal({ err: error }, `cannot use this database: ${explainFailure(error)}`);
  return process.exit(1);
});
await checkStore();
const hasPlaces = deps.places?.current() !== undefined;
await unblockPossibleRuns();
if (!hasPlaces) void deps.places?.found.then(unblockPossibleRuns);
deps.inference.watch(unblockPossibleRuns);
void requestBlockingModels();
consumers.push(...config.pools.map((pool) => runPool(deps, pool, components)));
log.info({ pools: config.pools, concurrency: config.concurrency }, 'worker started');

/** Waits for the object store, and exits if it belongs to another database. */
async function checkStore(): Promise<void> {
  try {
    await retryUntilDone(log, 'checking the object store', () => claimStore(deps.objects, deps.db), isClaimRetryable);
  } catch (error) {
    // The shutdown continues and ends this process.
    if (stopping.signal.aborted) return new Promise<never>(() => {});
    log.fatal({ err: error }, `cannot use this object store: ${explainFailure(error)}`);
    process.exit(1);
  }
}

/** Unblocks runs that waited for a capability that this worker has. */
async function unblockPossibleRuns(): Promise<void> {
  const missingCapabilities: Readonly<Record<Tool, readonly string[]>> = {
    exiftool: deps.exiftool === undefined ? tools.exiftool : [],
    places: deps.places?.current() === undefined ? tools.places : [],
    inference: deps.inference.listMissingCapabilities(),
  };
  const missing = new Set(Object.values(missingCapabilities).flat());
  const names = ownComponents.flatMap(({ capabilities }) => capabilities).filter((name) => !missing.has(name));
  await retryUntilDone(log, 'resuming blocked runs', () => unblockRuns(deps.db, names));
}

/** Requests models for runs that an earlier worker has blocked: no run of this worker would request them. */
async function requestBlockingModels(): Promise<void> {
  const missingCapabilities = deps.inference.listMissingCapabilities();
  if (missingCapabilities.length === 0) return;
  const isWanted = await retryUntilDone(log, 'checking blocked runs', () => isAnyBlocked(deps.db, missingCapabilities));
  if (isWanted) deps.inference.requestMissing();
}

/** True if a component of this worker's pools needs the tool. */
function needs(tool: Tool): boolean {
  return ownComponents.some(({ tools: opens }) => opens.includes(tool));
}

async function openDeps(config: WorkerConfig, log: Log, stopping: AbortSignal): Promise<Deps> {
  const scratchDirectory = await makeScratchDirectory(config);
  const budget = createMemoryBudget(config.decodersMemoryBytes);
  // Testing the confinement and exiftool takes about 0.1 s each. The other dependencies are opened meanwhile.
  const confinementReady = confineDecoders(config, scratchDirectory, log);
  const openExiftoolProcesses = async (maxProcs: number) =>
    needs('exiftool')
      ? findExiftool({ maxProcs, budget, confinement: await confinementReady }, config, log)
      : undefined;
  const exiftool = openExiftoolProcesses(exiftoolProcesses.ordinary);
  const places = needs('places')
    ? openPlacesData({ path: getPlacesFile(config), buildIfMissing: config.placesFile === undefined, log })
    : undefined;
  const confinement = await confinementReady;
  const decoderOptions = {
    timeoutMs: config.decodeTimeoutSeconds * 1_000,
    memoryLimitBytes: Math.min(config.decodeMemoryBytes, config.decodersMemoryBytes),
    budget,
    maxPixels: config.maxPixels,
    confinement,
  };
  return {
    config,
    log,
    pipeline,
    db: openDatabase({
      url: config.databaseUrl,
      isPooled: config.databaseDirectUrl !== undefined,
      maxConnections: Math.min(config.concurrency + 4, maxConnections),
      onError: (error) => log.debug({ err: error }, 'idle database connection lost'),
    }),
    objects: await openObjects({ dataDirectory: config.dataDirectory, s3: getS3Settings(config) }, log),
    queues: await openQueues(config, log),
    // One decoder is enough for models: while they process a picture, the next one is decoded, which takes less time.
    decoders: openDecoderPool({
      ...decoderOptions,
      size: config.pools.includes('media') ? Math.min(config.concurrency, availableParallelism()) : 1,
    }),
    spareTools: {
      decoders: openDecoderPool({ ...decoderOptions, size: 1, idleMs: spareDecoderIdleMs }),
      exiftool: (await exiftool) && (await openExiftoolProcesses(exiftoolProcesses.spare)),
    },
    exiftool: await exiftool,
    confinement,
    decoderBudget: budget,
    places: await places,
    inference: await openWorkerModels({
      settings: getInferenceSettings(config),
      tasks: needs('inference') ? getRequiredTasks(ownComponents.flatMap(({ capabilities }) => capabilities)) : [],
      log,
    }),
    disk: openDiskSpace({
      folders: [
        ...(config.s3Endpoint === undefined
          ? [{ name: 'objects' as const, path: join(config.dataDirectory, 'objects') }]
          : []),
        { name: 'scratch', path: scratchDirectory },
      ],
      reserveBytes: config.diskReserveBytes,
      log,
    }),
    scratchDirectory,
    stopping,
  };
}

/** Makes the scratch folder, and empties it if a killed worker of the same name has left files. */
async function makeScratchDirectory({ dataDirectory, name }: WorkerConfig): Promise<string> {
  const directory = resolve(dataDirectory, 'scratch', name);
  await removeTree(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return directory;
}

/** Retries while another worker holds the port: it may still finish its jobs after its `npm start` was killed. */
async function serveMetricsWhenFree({ config: { metricsPort, metricsHost }, log, ...deps }: Deps): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      await serveMetrics({
        port: metricsPort,
        host: metricsHost,
        process: 'worker',
        checkBackEnds: () => checkBackEnds(deps),
      });
      return;
    } catch (error) {
      if (isFirst) log.warn({ err: error }, 'metrics port in use; retrying until it is free');
      await sleep(5_000);
    }
  }
}

async function findExiftool(
  options: Omit<ExiftoolOptions, 'timeoutMs' | 'executable'>,
  { exiftool }: WorkerConfig,
  log: Log,
): Promise<ExiftoolPool | undefined> {
  try {
    const { elapsedMs: timeoutMs } = exiftoolBounds;
    return await openExiftool({ ...options, timeoutMs, executable: exiftool });
  } catch (error) {
    if (!(error instanceof ToolMissingError)) throw error;
    log.warn({ err: error }, 'exiftool unavailable, is perl installed? Capture times and places are blocked');
    return undefined;
  }
}
