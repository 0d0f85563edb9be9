import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../log/errors.ts';
import type { Log } from '../log/log.ts';
import { metrics } from '../metrics/metrics.ts';
import { ballastMarkBytes, type Ballast } from './ballast.ts';
import {
  computeBallastBytes,
  readFileSystem,
  computeReserveBytes,
  type FileSystem,
  type ReadFileSystem,
} from './fileSystem.ts';

/** A folder whose file system must not fill up: for originals, the ballast, or the temporary files of workers. */
export interface DiskPlace {
  readonly name: 'objects' | 'database' | 'scratch';
  readonly path: string;
}

/** An upload that needs space. */
export interface IncomingUpload {
  readonly ownerId: string;
  /** The announced size; undefined if the client does not announce it. */
  readonly bytes: number | undefined;
  /** Returns the number of bytes received so far. */
  readonly received: () => number;
}

/** Disk space reserved for an upload until disposal. */
export interface SpaceReservation extends Disposable {
  /** Aborted with the error for the client when others have taken the space meanwhile. */
  readonly signal: AbortSignal;
}

/** The free space of the disks, less a reserve for deleting and signing in. */
export interface DiskSpace {
  /**
   * Reserves space for an upload. All reservations of one owner must fit. For other owners, they count as at most half
   * of the space, because the announced bytes may never arrive.
   * @throws AppError STORAGE_FULL
   */
  reserve(incoming: IncomingUpload): Promise<SpaceReservation>;
  /** Returns true if a file system has less free space than its reserve. */
  isLow(): Promise<boolean>;
  /** The result of the last check, for callers that must not wait for a disk. Stays true until there is clearly more space. */
  readonly isNearlyFull: boolean;
  /**
   * Checks now: shrinks or grows the ballast if needed, but does not grow it while the process starts. Updates
   * the metrics, and logs a change of `isNearlyFull`.
   */
  check(options?: { readonly isStarting?: boolean }): Promise<void>;
  /** Checks every second until `stop`. */
  watch(): { stop(): Promise<void> };
}

export interface DiskSpaceOptions {
  /** The folders to watch; empty if nothing is written to this machine's disks. */
  readonly folders: readonly DiskPlace[];
  /** Bytes to keep free; undefined for a default by the size of the file system. */
  readonly reserveBytes: number | undefined;
  readonly log: Log;
  readonly ballast?: Ballast;
  /** Reads the size of a file system; for tests. */
  readonly read?: ReadFileSystem;
}

const watchIntervalMs = 1_000;

/** Interval of checks of active uploads, in ms. */
const uploadCheckMs = 250;

/** Space reserved for an upload of unknown size: more than a fast network delivers between two checks. */
const unknownSizeBytes = 64 * 2 ** 20;

/** Opens the disk space. Reads no disk before the first call. */
export const openDiskSpace = (options: DiskSpaceOptions): DiskSpace => {
  const { folders, reserveBytes, log, ballast, read: readPlace = readFileSystem } = options;
  const reservations = new Set<Upload>();
  let isNearlyFull = false;
  let checkTimer: NodeJS.Timeout | undefined;

  const readState = async (): Promise<DiskState> => {
    // Taken before the read: bytes that arrive during the read may be missing from its result.
    const expectedBytes = new Map([...reservations].map((upload) => [upload, getRemainingBytes(upload)]));
    const read = await Promise.all(folders.map(({ path }) => readPlace(path)));
    const placeStates = folders.flatMap(({ name }, index) => {
      const fileSystem = read[index];
      if (fileSystem === undefined) return [];
      const { totalBytes, freeBytes } = fileSystem;
      return [{ name, totalBytes, freeBytes, reserve: computeReserveBytes(fileSystem, reserveBytes) }];
    });
    return { placeStates, expectedBytes };
  };
  /**
   * Returns the bytes that uploads may still write: all announced bytes of `ownerId`, and for each other owner at most
   * half of `spaceBytes`.
   */
  const sumExpectedBytes = (
    spaceBytes: number,
    expectedBytes: DiskState['expectedBytes'],
    ownerId: string | undefined,
  ): number => {
    const byOwner = new Map<string, number>();
    for (const upload of new Set([...expectedBytes.keys(), ...reservations])) {
      const bytes = expectedBytes.get(upload) ?? upload.bytes ?? unknownSizeBytes;
      byOwner.set(upload.ownerId, (byOwner.get(upload.ownerId) ?? 0) + bytes);
    }
    const maxBytes = Math.max(0, spaceBytes / 2);
    return [...byOwner].reduce(
      (sum, [owner, bytes]) => sum + (owner === ownerId ? bytes : Math.min(bytes, maxBytes)),
      0,
    );
  };
  /**
   * Returns the free bytes above the reserve, less expected bytes of uploads (as counted for `ownerId`) and missing
   * ballast.
   */
  const getSpace = (
    { name, freeBytes, reserve }: PlaceState,
    expectedBytes: DiskState['expectedBytes'],
    ownerId?: string,
  ): number => {
    const spaceBytes = freeBytes - reserve;
    const claimed = {
      objects: () => sumExpectedBytes(spaceBytes, expectedBytes, ownerId),
      database: () => ballast?.missingBytes ?? 0,
      scratch: () => 0,
    };
    return spaceBytes - claimed[name]();
  };

  /** Aborts uploads of unknown size whose owners lack space, or all uploads if a file system is below its reserve. */
  const checkUploads = async (): Promise<void> => {
    const { placeStates, expectedBytes } = await readState();
    const isFull = placeStates.some(isBelowReserve);
    const lacksSpace = (ownerId: string): boolean =>
      placeStates.some((each) => getSpace(each, expectedBytes, ownerId) < 0);
    const ofUnknownSize = [...reservations].filter(({ bytes }) => bytes === undefined);
    // Computed once for each owner, who may have hundreds of uploads.
    const ownersWithoutSpace = new Set([...new Set(ofUnknownSize.map(({ ownerId }) => ownerId))].filter(lacksSpace));
    for (const { controller } of isFull
      ? reservations
      : ofUnknownSize.filter(({ ownerId }) => ownersWithoutSpace.has(ownerId)))
      controller.abort(createStorageFullError());
  };

  const adjustBallast = async ({ placeStates, expectedBytes }: DiskState, isStarting: boolean): Promise<void> => {
    const place = placeStates.find(({ name }) => name === 'database');
    if (ballast === undefined || place === undefined) return;
    ballast.setTarget(computeBallastBytes(place.reserve));
    if (place.freeBytes < ballastMarkBytes) await ballast.shrink();
    else if (getSpace(place, expectedBytes) >= 0 && !isStarting) await ballast.grow();
  };

  const check = async ({ isStarting = false } = {}): Promise<void> => {
    const state = await readState();
    const { placeStates, expectedBytes } = state;
    for (const { name, freeBytes, reserve } of placeStates) {
      metrics.diskFreeBytes.set({ place: name }, freeBytes);
      metrics.diskReserveBytes.set({ place: name }, reserve);
    }
    await adjustBallast(state, isStarting).catch((error: unknown) =>
      log.debug({ err: error }, 'could not adjust the reserved disk space'),
    );
    if (ballast !== undefined) metrics.diskBallastBytes.set(ballast.heldBytes);
    // Hysteresis: the shortage ends at a sixteenth above the reserve, so that a disk at the limit is not logged every
    // second.
    const margin = (place: PlaceState): number => (isNearlyFull ? place.reserve / 16 : 0);
    const shortPlaces = placeStates.filter(
      (place) => isBelowReserve(place) || getSpace(place, expectedBytes) - margin(place) < 0,
    );
    if (shortPlaces.length > 0 === isNearlyFull) return;
    isNearlyFull = shortPlaces.length > 0;
    const places = (isNearlyFull ? shortPlaces : placeStates).map(({ name, freeBytes, reserve }) => ({
      name,
      freeBytes,
      reserve,
    }));
    if (isNearlyFull) log.warn({ places }, 'disk nearly full; uploads are rejected and processing waits');
    else log.warn({ places }, 'disk space available again; uploads and processing resume');
  };

  return {
    reserve: async (incoming) => {
      const { placeStates, expectedBytes } = await readState();
      // Added without an await before the test, so that no two uploads get the same space.
      const upload = { ...incoming, controller: new AbortController() };
      reservations.add(upload);
      if (placeStates.some((place) => getSpace(place, expectedBytes, incoming.ownerId) < 0)) {
        reservations.delete(upload);
        throw createStorageFullError();
      }
      if (placeStates.length > 0) checkTimer ??= setInterval(() => void checkUploads(), uploadCheckMs).unref();
      return {
        signal: upload.controller.signal,
        [Symbol.dispose]: () => {
          reservations.delete(upload);
          if (reservations.size > 0) return;
          clearInterval(checkTimer);
          checkTimer = undefined;
        },
      };
    },
    isLow: async () => (await readState()).placeStates.some(isBelowReserve),
    get isNearlyFull() {
      return isNearlyFull;
    },
    check,
    watch: () => {
      const stopping = new AbortController();
      const run = async (): Promise<void> => {
        while (!stopping.signal.aborted) {
          await check();
          await sleep(watchIntervalMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
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

interface Upload extends IncomingUpload {
  readonly controller: AbortController;
}

/** The state of the file systems, with the uploads that were active before the read. */
interface DiskState {
  readonly placeStates: readonly PlaceState[];
  readonly expectedBytes: ReadonlyMap<Upload, number>;
}

interface PlaceState extends FileSystem {
  readonly name: DiskPlace['name'];
  readonly reserve: number;
}

const isBelowReserve = ({ freeBytes, reserve }: PlaceState): boolean => freeBytes < reserve;

const getRemainingBytes = ({ bytes, received }: IncomingUpload): number =>
  bytes === undefined ? unknownSizeBytes : Math.max(0, bytes - received());

/** The error for an upload that does not fit. */
export const createStorageFullError = (cause?: unknown): AppError => new AppError('STORAGE_FULL', undefined, { cause });
