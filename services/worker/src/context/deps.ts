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

/** All that the worker's code is given; `main.ts` makes it once. */
export interface Deps {
  readonly config: WorkerConfig;
  readonly log: Log;
  readonly pipeline: Pipeline;
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly queues: Queues;
  readonly decoders: DecoderPool;
  /** The tools of the spare slot: they open the photo of an owner while others keep all other tools busy. */
  readonly spare: Pick<Deps, 'decoders' | 'exiftool'>;
  /** Confines the processes that open untrusted files. */
  readonly confinement: Confinement;
  /** The memory of all decoders, exiftool and the transcoder. */
  readonly decoderBudget: MemoryBudget;
  /** Undefined where perl is missing, or no component needs it. */
  readonly exiftool: ExiftoolPool | undefined;
  /** Undefined where no component needs it. */
  readonly places: PlacesData | undefined;
  /** The models. None is looked for, fetched or loaded where no component needs it. */
  readonly inference: WorkerModels;
  readonly disk: DiskSpace;
  /** A folder for files that tools need for a moment. */
  readonly scratchDirectory: string;
  /** Aborted when this process is asked to end. Runs that take long are then released at once, and another worker begins them again. */
  readonly stopping: AbortSignal;
}

/** What a component is given for one item. The tools that open files are those of the item's owner. */
export interface ItemDeps extends Omit<Deps, 'decoders' | 'exiftool'> {
  readonly decoders: Decoders;
  readonly exiftool: Exiftool | undefined;
  /** Multiplies the time limits of tools: more than 1 after a timeout. */
  readonly patience: number;
}

/** The deps with the tools that open the files of one owner. */
export const ownersDeps = (deps: Deps, ownerId: string, patience = 1): ItemDeps => ({
  ...deps,
  decoders: deps.decoders.of(ownerId, patience),
  exiftool: deps.exiftool?.of(ownerId, patience),
  patience,
});
