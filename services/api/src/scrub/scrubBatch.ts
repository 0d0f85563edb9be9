import { checkLibraryMarker } from '@hearth/core/backEnds/libraryMarker.ts';
import type { Database } from '@hearth/core/db/connection/database.ts';
import {
  fillSizes,
  recordResults,
  redoRenditions,
  type OriginalResult,
} from '@hearth/core/db/originals/scrubResults.ts';
import type { Rendition, ScrubItem } from '@hearth/core/db/originals/scrubItems.ts';
import { noteRepaired, preciseTime } from '@hearth/core/db/originals/scrubState.ts';
import { checkOriginalBytes, findObject } from '@hearth/core/objects/checkOriginal.ts';
import { isRenditionKey, mediaItemPrefix, parseKey } from '@hearth/core/objects/keys.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectInfo, ObjectStore } from '@hearth/core/objects/objects.ts';
import { refuseMassFailure } from './massFailure.ts';
import type { Throttle } from './throttle.ts';

/** Options of `scrubBatch`. */
export interface ScrubOptions {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly throttle: Throttle;
  readonly signal: AbortSignal;
  /** Runs writes in a transaction; the housekeeper's commits only under its lease. */
  readonly write: <Result>(work: (trx: Database) => Promise<Result>) => Promise<Result>;
  /** Called after each original, with the bytes that were read. */
  readonly onRead?: (bytes: number) => void;
}

/** The outcome of a batch. */
export interface BatchResult {
  /** The recorded results. */
  readonly results: readonly OriginalResult[];
  /** Renditions whose runs were made due again. */
  readonly repaired: number;
  /** Items whose objects the store could not read while it worked otherwise. Nothing of them was recorded. */
  readonly unread: readonly UnreadItem[];
}

/** An item that the store could not read, and why. */
export interface UnreadItem {
  readonly item: ScrubItem;
  readonly error: StoreError;
}

/** With this many unread items in one batch the store itself is at fault. */
const maxUnread = 20;

/** Originals that are fine are recorded whenever this many bytes were read, so that a restart repeats little. */
const recordEveryBytes = 256 * 2 ** 20;

/**
 * Checks the objects of some items and records the results. Originals that are fine are recorded on the way. Damaged and missing ones are
 * recorded at the end, once it is clear that the store is still that of the database and not at fault itself. Ends early when the signal is
 * aborted, and keeps what is done. Skips an item that the store cannot read, such as a file without the right to read it.
 * @throws StoreError, WrongStoreError or MassFailureError: then nothing was marked as damaged or missing; what `write` throws
 */
export const scrubBatch = async (items: readonly ScrubItem[], options: ScrubOptions): Promise<BatchResult> => {
  const { db, objects, write, signal } = options;
  await checkLibraryMarker(objects, db);
  const since = await preciseTime(db);
  const fine: OriginalResult[] = [];
  const faults: OriginalResult[] = [];
  const checked: CheckedRenditions[] = [];
  const unread: UnreadItem[] = [];
  const recorded: OriginalResult[] = [];
  let unreadable = 0;
  let unrecordedBytes = 0;
  const record = async (results: OriginalResult[]): Promise<void> => {
    const taken = results.splice(0);
    if (taken.length === 0) return;
    const ids = await write((trx) => recordResults(trx, taken, since));
    recorded.push(...taken.filter(({ item }) => ids.has(item.id)));
  };
  for (const item of items) {
    if (signal.aborted) break;
    const found = await checkItem(item, options).catch(async (error: unknown) => {
      await record(fine);
      if (signal.aborted) return undefined;
      if (!(error instanceof StoreError)) throw error;
      // Throws if the store is unavailable or another one.
      await checkLibraryMarker(objects, db);
      unread.push({ item, error });
      if (unread.length === maxUnread) throw error;
      return undefined;
    });
    if (found === undefined) continue;
    const { original, renditions, bytes } = found;
    if (original.isUnreadable) unreadable += 1;
    (original.state === 'OK' ? fine : faults).push({ item, state: original.state, modifiedAt: original.modifiedAt });
    checked.push(renditions);
    unrecordedBytes += bytes;
    if (unrecordedBytes < recordEveryBytes) continue;
    await record(fine);
    unrecordedBytes = 0;
  }
  await record(fine);
  await checkLibraryMarker(objects, db);
  const missing = faults.filter(({ state }) => state === 'MISSING').length;
  await refuseMassFailure(options, missing + unreadable, items.length);
  await record(faults);
  return { results: recorded, repaired: await repair(recorded, checked, options), unread };
};

const checkItem = async (item: ScrubItem, options: ScrubOptions) => {
  const original = await checkBytes(item, options);
  const bytes = original.state === 'MISSING' ? 0 : item.sizeBytes;
  options.onRead?.(bytes);
  return { original, bytes, renditions: await checkRenditions(item, options) };
};

const checkBytes = async (
  { id, userId, sizeBytes, checksum }: ScrubItem,
  { objects, throttle, signal }: ScrubOptions,
) =>
  checkOriginalBytes(
    objects,
    { id, user_id: userId, size_bytes: sizeBytes, checksum },
    { signal, onRead: (bytes) => throttle(bytes, signal) },
  );

interface CheckedRenditions {
  readonly item: ScrubItem;
  readonly broken: readonly Rendition[];
  /** Renditions whose size was not recorded, with the size found. */
  readonly unsized: readonly Rendition[];
}

/** Compares the item's own renditions with what the store holds. One listing has all sizes; an object that it lacks is looked up once more. */
const checkRenditions = async (item: ScrubItem, { objects }: ScrubOptions): Promise<CheckedRenditions> => {
  const { id, userId } = item;
  const renditions = item.renditions.filter(({ key }) => isRenditionKey(key) && parseKey(key)?.mediaItemId === id);
  if (renditions.length === 0) return { item, broken: [], unsized: [] };
  const stored = new Map<string, ObjectInfo>();
  for await (const info of objects.list(mediaItemPrefix(userId, id))) stored.set(info.key, info);
  const broken: Rendition[] = [];
  const unsized: Rendition[] = [];
  for (const rendition of renditions) {
    const sizeBytes = (stored.get(rendition.key) ?? (await findObject(objects, rendition.key)))?.sizeBytes;
    if (sizeBytes === undefined || sizeBytes === 0) broken.push(rendition);
    else if (rendition.sizeBytes === null) unsized.push({ ...rendition, sizeBytes });
    else if (rendition.sizeBytes !== sizeBytes) broken.push(rendition);
  }
  return { item, broken, unsized };
};

/** Makes broken renditions due again whose originals are fine, fills in sizes, and returns the number of renditions made due. */
const repair = async (
  recorded: readonly OriginalResult[],
  checked: readonly CheckedRenditions[],
  { write }: ScrubOptions,
): Promise<number> => {
  const whole = new Set(recorded.filter(({ state }) => state === 'OK').map(({ item }) => item.id));
  let repaired = 0;
  for (const { item, broken, unsized } of checked) {
    const isBack = item.lastState === 'DAMAGED' || item.lastState === 'MISSING';
    const isRedone = whole.has(item.id) && (broken.length > 0 || isBack);
    if (!isRedone && unsized.length === 0) continue;
    repaired += await write(async (trx) => {
      const redone = isRedone ? await redoRenditions(trx, item, broken) : 0;
      if (redone > 0) await noteRepaired(trx, redone);
      await fillSizes(trx, item.id, unsized);
      return redone;
    });
  }
  return repaired;
};
