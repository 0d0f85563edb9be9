import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../log/errors.ts';
import type { Log } from '../log/log.ts';
import { metrics } from '../metrics/metrics.ts';
import { ballastMarkBytes, type Ballast } from './ballast.ts';
import { ballastBeside, readFileSystem, reserveOf, type FileSystem, type ReadFileSystem } from './fileSystem.ts';

/** A folder whose file system must not fill up; `objects` is where uploads go, and `database` where the ballast lies. */
export interface DiskPlace {
  readonly name: 'objects' | 'database' | 'scratch';
  readonly path: string;
}

/** An upload that is about to come in. */
export interface Incoming {
  /** The owner of the upload. */
  readonly ownerId: string;
  /** The size of the upload; undefined where the client does not announce it. */
  readonly bytes: number | undefined;
  /** How many bytes have been received so far. */
  readonly received: () => number;
}

/** Disk space that is reserved for an upload until the reservation is disposed of. */
export interface SpaceReservation extends Disposable {
  /** Aborted, with the error to answer, when the space has been taken by others meanwhile. */
  readonly signal: AbortSignal;
}

/** The free space of the installation's disks, less a reserve that stays free for deleting and signing in. */
export interface DiskSpace {
  /**
   * Reserves space for an upload. All reservations of an owner fit together, and beside those of others. But the reservations of one owner take no
   * more than half of the space from the others, since the announced bytes may never come. @throws AppError STORAGE_FULL
   */
  reserve(incoming: Incoming): Promise<SpaceReservation>;
  /** Whether less is free somewhere than should stay free. */
  isLow(): Promise<boolean>;
  /** `isLow` as of the last look, until there is clearly more space: for readers that must not wait for a disk. */
  readonly isNearlyFull: boolean;
  /** Looks now: drops ballast, or grows it unless the process is starting; sets the metrics; logs when `isNearlyFull` has changed. */
  look(options?: { readonly isStarting?: boolean }): Promise<void>;
  /** Looks every second until `stop`. */
  watch(): { stop(): Promise<void> };
}

/** How a `DiskSpace` is opened. */
export interface DiskSpaceOptions {
  /** The folders to watch; none where nothing is written to this machine's disks. */
  readonly places: readonly DiskPlace[];
  /** Bytes that should stay free; undefined: as many as suit the file system. */
  readonly reserveBytes: number | undefined;
  readonly log: Log;
  readonly ballast?: Ballast;
  /** Reads how full a file system is; tests replace it. */
  readonly read?: ReadFileSystem;
}

const lookMs = 1_000;

/** Milliseconds between two checks of the uploads in flight. */
const checkMs = 250;

/** Space reserved for an upload of unknown size: more than a fast network brings between two checks. */
const aheadBytes = 64 * 2 ** 20;

/** Opens the disk space. Nothing is read from a disk before the first call. */
export const openDiskSpace = (options: DiskSpaceOptions): DiskSpace => {
  const { places, reserveBytes, log, ballast, read: readPlace = readFileSystem } = options;
  const reservations = new Set<Upload>();
  let isNearlyFull = false;
  let checking: NodeJS.Timeout | undefined;

  const lookAtPlaces = async (): Promise<Look> => {
    // What comes in, or is finished, while a file system is asked may be missing from its answer.
    const coming = new Map([...reservations].map((upload) => [upload, leftOf(upload)]));
    const read = await Promise.all(places.map(({ path }) => readPlace(path)));
    const seen = places.flatMap(({ name }, index) => {
      const fileSystem = read[index];
      if (fileSystem === undefined) return [];
      const { totalBytes, freeBytes } = fileSystem;
      return [{ name, totalBytes, freeBytes, reserve: reserveOf(fileSystem, reserveBytes) }];
    });
    return { seen, coming };
  };
  /** Bytes that uploads may still write: all announced bytes of `ownerId`, and for each other owner no more than half of `spaceBytes`. */
  const comingInto = (spaceBytes: number, coming: Look['coming'], ownerId: string | undefined): number => {
    const byOwner = new Map<string, number>();
    for (const upload of new Set([...coming.keys(), ...reservations])) {
      const bytes = coming.get(upload) ?? upload.bytes ?? aheadBytes;
      byOwner.set(upload.ownerId, (byOwner.get(upload.ownerId) ?? 0) + bytes);
    }
    const most = Math.max(0, spaceBytes / 2);
    return [...byOwner].reduce((sum, [owner, bytes]) => sum + (owner === ownerId ? bytes : Math.min(bytes, most)), 0);
  };
  /** Free bytes above the reserve, less the bytes that are still to come, as `ownerId` or nobody in particular sees them, and less the missing ballast. */
  const spaceOf = ({ name, freeBytes, reserve }: Seen, coming: Look['coming'], ownerId?: string): number => {
    const spaceBytes = freeBytes - reserve;
    const claimed = {
      objects: () => comingInto(spaceBytes, coming, ownerId),
      database: () => ballast?.missingBytes ?? 0,
      scratch: () => 0,
    };
    return spaceBytes - claimed[name]();
  };

  /** Aborts uploads whose space others have taken meanwhile, those of unknown size first. */
  const check = async (): Promise<void> => {
    const { seen, coming } = await lookAtPlaces();
    const isFull = seen.some(isShort);
    const isTight = (ownerId: string): boolean => seen.some((each) => spaceOf(each, coming, ownerId) < 0);
    const ofUnknownSize = [...reservations].filter(({ bytes }) => bytes === undefined);
    // Computed once for each owner, who may have hundreds of uploads.
    const tight = new Set([...new Set(ofUnknownSize.map(({ ownerId }) => ownerId))].filter(isTight));
    for (const { gone } of isFull ? reservations : ofUnknownSize.filter(({ ownerId }) => tight.has(ownerId)))
      gone.abort(storageFull());
  };

  const tendBallast = async ({ seen, coming }: Look, isStarting: boolean): Promise<void> => {
    const place = seen.find(({ name }) => name === 'database');
    if (ballast === undefined || place === undefined) return;
    ballast.setTarget(ballastBeside(place.reserve));
    if (place.freeBytes < ballastMarkBytes) await ballast.shrink();
    else if (spaceOf(place, coming) >= 0 && !isStarting) await ballast.grow();
  };

  const look = async ({ isStarting = false } = {}): Promise<void> => {
    const looked = await lookAtPlaces();
    const { seen, coming } = looked;
    for (const { name, freeBytes, reserve } of seen) {
      metrics.diskFreeBytes.set({ place: name }, freeBytes);
      metrics.diskReserveBytes.set({ place: name }, reserve);
    }
    await tendBallast(looked, isStarting).catch((error: unknown) =>
      log.debug({ err: error }, 'the ballast is not as it should be'),
    );
    if (ballast !== undefined) metrics.diskBallastBytes.set(ballast.heldBytes);
    // The shortage ends only at a sixteenth more, so that a disk at the mark is not logged every second.
    const margin = (place: Seen): number => (isNearlyFull ? place.reserve / 16 : 0);
    const short = seen.filter((place) => isShort(place) || spaceOf(place, coming) - margin(place) < 0);
    if (short.length > 0 === isNearlyFull) return;
    isNearlyFull = short.length > 0;
    const places = (isNearlyFull ? short : seen).map(({ name, freeBytes, reserve }) => ({ name, freeBytes, reserve }));
    if (isNearlyFull) log.warn({ places }, 'the disk is nearly full: uploads are refused and processing waits');
    else log.warn({ places }, 'the disk has room again: uploads and processing go on');
  };

  return {
    reserve: async (incoming) => {
      const { seen, coming } = await lookAtPlaces();
      // In the same turn of the event loop as the test, so that no two uploads are given the same space.
      const upload = { ...incoming, gone: new AbortController() };
      reservations.add(upload);
      if (seen.some((place) => spaceOf(place, coming, incoming.ownerId) < 0)) {
        reservations.delete(upload);
        throw storageFull();
      }
      if (seen.length > 0) checking ??= setInterval(() => void check(), checkMs).unref();
      return {
        signal: upload.gone.signal,
        [Symbol.dispose]: () => {
          reservations.delete(upload);
          if (reservations.size > 0) return;
          clearInterval(checking);
          checking = undefined;
        },
      };
    },
    isLow: async () => (await lookAtPlaces()).seen.some(isShort),
    get isNearlyFull() {
      return isNearlyFull;
    },
    look,
    watch: () => {
      const stopping = new AbortController();
      const run = async (): Promise<void> => {
        while (!stopping.signal.aborted) {
          await look();
          await sleep(lookMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
        }
      };
      const ended = run();
      return {
        stop: () => {
          stopping.abort();
          return ended;
        },
      };
    },
  };
};

interface Upload extends Incoming {
  readonly gone: AbortController;
}

/** How full the file systems were, and which uploads were in flight then. */
interface Look {
  readonly seen: readonly Seen[];
  readonly coming: ReadonlyMap<Upload, number>;
}

interface Seen extends FileSystem {
  readonly name: DiskPlace['name'];
  readonly reserve: number;
}

const isShort = ({ freeBytes, reserve }: Seen): boolean => freeBytes < reserve;

const leftOf = ({ bytes, received }: Incoming): number =>
  bytes === undefined ? aheadBytes : Math.max(0, bytes - received());

/** The answer to an upload for which there is no space. */
export const storageFull = (cause?: unknown): AppError => new AppError('STORAGE_FULL', undefined, { cause });
