import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../log/errors.ts';
import type { Log } from '../log/log.ts';
import { metrics } from '../metrics/metrics.ts';
import { ballastMarkBytes, type Ballast } from './ballast.ts';
import { ballastBeside, readFileSystem, reserveOf, type FileSystem, type ReadFileSystem } from './fileSystem.ts';

/** A folder whose file system must not fill up. `objects` receives uploads, and `database` holds the ballast. */
export interface DiskPlace {
  readonly name: 'objects' | 'database' | 'scratch';
  readonly path: string;
}

/** An upload that needs space. */
export interface Incoming {
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
   * Reserves space for an upload. An owner's reservations all fit, together with those of others. But the reservations
   * of one owner take at most half of the space from others, because the announced bytes may never arrive.
   * @throws AppError STORAGE_FULL
   */
  reserve(incoming: Incoming): Promise<SpaceReservation>;
  /** Returns true if a file system has less free space than its reserve. */
  isLow(): Promise<boolean>;
  /** `isLow` as of the last check, until there is clearly more space. For callers that must not wait for a disk. */
  readonly isNearlyFull: boolean;
  /**
   * Checks now: shrinks the ballast, or grows it unless the process is starting. Updates the metrics, and logs a change
   * of `isNearlyFull`.
   */
  look(options?: { readonly isStarting?: boolean }): Promise<void>;
  /** Checks every second until `stop`. */
  watch(): { stop(): Promise<void> };
}

export interface DiskSpaceOptions {
  /** The folders to watch; empty if nothing is written to this machine's disks. */
  readonly places: readonly DiskPlace[];
  /** Bytes to keep free; undefined for a default by the size of the file system. */
  readonly reserveBytes: number | undefined;
  readonly log: Log;
  readonly ballast?: Ballast;
  /** Reads the size of a file system; for tests. */
  readonly read?: ReadFileSystem;
}

const lookMs = 1_000;

/** Interval of checks of active uploads, in ms. */
const checkMs = 250;

/** Space reserved for an upload of unknown size: more than a fast network delivers between two checks. */
const aheadBytes = 64 * 2 ** 20;

/** Opens the disk space. Reads no disk before the first call. */
export const openDiskSpace = (options: DiskSpaceOptions): DiskSpace => {
  const { places, reserveBytes, log, ballast, read: readPlace = readFileSystem } = options;
  const reservations = new Set<Upload>();
  let isNearlyFull = false;
  let checking: NodeJS.Timeout | undefined;

  const lookAtPlaces = async (): Promise<Look> => {
    // Taken before the read: bytes that arrive during the read may be missing from its result.
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
  /**
   * Returns the bytes that uploads may still write: all announced bytes of `ownerId`, and for each other owner at most
   * half of `spaceBytes`.
   */
  const comingInto = (spaceBytes: number, coming: Look['coming'], ownerId: string | undefined): number => {
    const byOwner = new Map<string, number>();
    for (const upload of new Set([...coming.keys(), ...reservations])) {
      const bytes = coming.get(upload) ?? upload.bytes ?? aheadBytes;
      byOwner.set(upload.ownerId, (byOwner.get(upload.ownerId) ?? 0) + bytes);
    }
    const most = Math.max(0, spaceBytes / 2);
    return [...byOwner].reduce((sum, [owner, bytes]) => sum + (owner === ownerId ? bytes : Math.min(bytes, most)), 0);
  };
  /**
   * Returns the free bytes above the reserve, less expected bytes of uploads (as `ownerId` may count them) and missing
   * ballast.
   */
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
    // Hysteresis: the shortage ends at a sixteenth above the reserve, so that a disk at the limit is not logged every
    // second.
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
      // Added without an await before the test, so that no two uploads get the same space.
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

/** The state of the file systems, with the uploads that were active before the read. */
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

/** The error for an upload that does not fit. */
export const storageFull = (cause?: unknown): AppError => new AppError('STORAGE_FULL', undefined, { cause });
