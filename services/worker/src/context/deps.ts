import type { Database } from '@hearth/core/db/database.ts';
import type { DiskSpace } from '@hearth/core/disk/diskSpace.ts';
import type { Log } from '@hearth/core/log/log.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Pipeline } from '@hearth/core/config/pipeline.ts';
import type { Queues } from '@hearth/core/queue/queue.ts';
import type { WorkerConfig } from '@hearth/core/config/workerConfig.ts';
import type { Confinement } from '../media/sandbox/confinement/confinement.ts';
import type { DecoderPool, Decoders } from '../media/decoder/decoderPool.ts';
import type { MemoryBudget } from '../media/sandbox/processes/memoryBudget.ts';
import type { Exiftool, ExiftoolPool } from '../media/exiftool/exiftool.ts';
import type { WorkerModels } from './workerModels.ts';
import type { PlacesData } from '../places/placesData.ts';

/** Dependencies of the worker's code. `main.ts` makes them once. */
export interface Deps {
  readonly config: WorkerConfig;
  readonly log: Log;
  readonly pipeline: Pipeline;
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly queues: Queues;
  readonly decoders: DecoderPool;
  /** Tools of the spare slot: it processes a photo while the files of other owners occupy all normal slots. */
  readonly spareTools: Pick<Deps, 'decoders' | 'exiftool'>;
  /** Sandbox of the processes that open untrusted files. */
  readonly confinement: Confinement;
  /** Memory limit that all decoders, exiftool and the transcoder share. */
  readonly decoderBudget: MemoryBudget;
  /** Undefined if perl is missing or no component needs exiftool. */
  readonly exiftool: ExiftoolPool | undefined;
  /** Undefined if no component needs it. */
  readonly places: PlacesData | undefined;
  /** Machine learning models. Looked up, downloaded and loaded only if a component needs them. */
  readonly inference: WorkerModels;
  readonly disk: DiskSpace;
  /** Folder for temporary files of tools. */
  readonly scratchDirectory: string;
  /** Aborted at shutdown. Long runs are then released at once, and another worker restarts them. */
  readonly stopping: AbortSignal;
}

/** Dependencies of a component for one item. The tools that open files are those of the item's owner. */
export interface ItemDeps extends Omit<Deps, 'decoders' | 'exiftool'> {
  readonly decoders: Decoders;
  readonly exiftool: Exiftool | undefined;
  /** Multiplier of the time limits of tools: more than 1 after a timeout. */
  readonly timeoutFactor: number;
}

/** Returns the dependencies with the tools that open the files of one owner. */
export const getItemDeps = (deps: Deps, ownerId: string, timeoutFactor = 1): ItemDeps => ({
  ...deps,
  decoders: deps.decoders.forOwner(ownerId, timeoutFactor),
  exiftool: deps.exiftool?.forOwner(ownerId, timeoutFactor),
  timeoutFactor,
});
