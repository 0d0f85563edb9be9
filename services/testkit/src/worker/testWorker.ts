import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readConfig } from '@hearth/core/config/config.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { insertMediaItem } from '@hearth/api/ingest/insertMediaItem.ts';
import type { MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import type { PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import type { User } from '@hearth/api/accounts/users.ts';
import { openDiskSpace } from '@hearth/core/disk/diskSpace.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { getS3Settings } from '@hearth/core/config/commonConfig.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { openObjects } from '@hearth/core/backEnds/openObjects.ts';
import { components as builtPipeline, listPools } from '@hearth/core/config/pipeline.ts';
import { getInferenceSettings } from '@hearth/inference/inferenceSettings.ts';
import type { ModelStore } from '@hearth/inference/store/modelStore.ts';
import { getPlacesFile } from '@hearth/core/config/placesConfig.ts';
import { openQueues } from '@hearth/core/queue/openQueues.ts';
import { createTestBackEnds } from '../run/backEnds.ts';
import { buildUser, newMediaItem } from '../rows/factories.ts';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { components } from '@hearth/worker/pipeline/components.ts';
import { workerVariables } from '@hearth/core/config/workerConfig.ts';
import type { Deps } from '@hearth/worker/context/deps.ts';
import { openConfinement } from '@hearth/worker/media/sandbox/confinement/confinement.ts';
import { openDecoderPool } from '@hearth/worker/media/decoder/decoderPool.ts';
import { createMemoryBudget } from '@hearth/worker/media/sandbox/processes/memoryBudget.ts';
import { openExiftool } from '@hearth/worker/media/exiftool/exiftool.ts';
import { taskCapabilities, getRequiredTasks } from '@hearth/worker/context/tools.ts';
import { openWorkerModels } from '@hearth/worker/context/workerModels.ts';
import { openPlacesData } from '@hearth/worker/places/placesData.ts';
import { writeTestPlaces } from '../places/testPlaces.ts';
import { runItem, type Components } from '@hearth/worker/pipeline/runPool.ts';

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The parts of a worker, all real, with their own database, object store and queue. */
export interface TestWorker extends AsyncDisposable {
  readonly deps: Deps;
  readonly user: User;
  /** Environment variables for a worker process on the same back ends. */
  readonly env: Readonly<Record<string, string>>;
  /** Stores bytes like an upload, without enqueuing a job. The owner is `user` unless `values` has a `user_id`. */
  store(bytes: Buffer, values?: Partial<NewMediaItem>, pipeline?: PipelineOptions): Promise<MediaItemRow>;
  /** Executes the due runs of an item in every pool, like its jobs, and returns the updated item. */
  process(
    item: MediaItemRow,
    withDeps?: { readonly deps?: Deps; readonly components?: Components },
  ): Promise<MediaItemRow>;
}

/**
 * Opens the parts of a worker. `timeoutMs` limits the decoding of a file. `models` overrides the model store configured by
 * `variables`. Disposing the worker removes everything.
 */
export const openTestWorker = async (
  variables: Readonly<Record<string, string>> = {},
  { timeoutMs = 30_000, models }: { readonly timeoutMs?: number; readonly models?: ModelStore } = {},
): Promise<TestWorker> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-test-worker-'));
  const database = await createMigratedDatabase();
  const backEnds = await createTestBackEnds();
  const env = {
    HEARTH_DATABASE_URL: database.url,
    HEARTH_DATA_DIR: directory,
    HEARTH_TIMEZONE: 'UTC',
    HEARTH_PLACES_FILE: await writeTestPlaces(directory),
    HEARTH_OFFLINE: '1',
    ...backEnds.variables,
    ...variables,
  };
  const config = readConfig(workerVariables(env), env);
  const log = createLog('test', 'error');
  const confinement = await openConfinement({ dataDirectory: directory, scratchDirectory: directory });
  const decoderBudget = createMemoryBudget(config.decodersMemoryBytes);
  const decoding = {
    timeoutMs,
    memoryLimitBytes: Math.min(config.decodeMemoryBytes, config.decodersMemoryBytes),
    budget: decoderBudget,
    maxPixels: config.maxPixels,
    confinement,
  };
  const objects = await openObjects({ dataDirectory: directory, s3: getS3Settings(config) }, log);
  await objects.claim();
  const deps: Deps = {
    config,
    log,
    pipeline: builtPipeline,
    db: database.db,
    objects,
    queues: await openQueues(config, log),
    decoders: openDecoderPool({ ...decoding, size: 2 }),
    spareTools: {
      decoders: openDecoderPool({ ...decoding, size: 1 }),
      exiftool: await openExiftool({ timeoutMs, maxProcs: 1, budget: decoderBudget, confinement }),
    },
    exiftool: await openExiftool({ timeoutMs, maxProcs: 1, budget: decoderBudget, confinement }),
    confinement,
    decoderBudget,
    places: await openPlacesData({ path: getPlacesFile(config), buildIfMissing: false, log }),
    inference: await openWorkerModels({
      settings: { ...getInferenceSettings(config), ...(models && { store: models }) },
      tasks: getRequiredTasks(Object.values(taskCapabilities)),
      log,
    }),
    disk: openDiskSpace({
      folders: [{ name: 'scratch', path: directory }],
      reserveBytes: config.diskReserveBytes,
      log,
    }),
    scratchDirectory: directory,
    stopping: new AbortController().signal,
  };
  const user = await buildUser(deps.db);
  return {
    deps,
    user,
    env,
    store: async (bytes, values, pipeline) => {
      const owner = values?.user_id ?? user.id;
      const item = newMediaItem(owner, { size_bytes: bytes.length, checksum: sha256(bytes), ...values });
      const { id } = await insertMediaItem(deps.db, item, pipeline);
      await deps.objects.put(originalKey(owner, id), Readable.from([bytes]));
      return getMediaItem(deps.db, owner, id);
    },
    process: async ({ id }, { deps: withDeps = deps, components: usedComponents = components } = {}) => {
      for (const { name } of listPools(withDeps.pipeline))
        await runItem(withDeps, name, usedComponents, { mediaItemId: id });
      return getMediaItem(deps.db, user.id, id);
    },
    [Symbol.asyncDispose]: async () => {
      deps.places?.close();
      await deps.inference.close();
      await deps.queues.close();
      for (const { decoders, exiftool } of [deps, deps.spareTools]) {
        await decoders.close();
        await exiftool?.end();
      }
      await database.drop();
      await backEnds.remove();
      await rm(directory, { recursive: true });
    },
  };
};
