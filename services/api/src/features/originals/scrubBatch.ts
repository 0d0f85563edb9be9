import { checkLibraryMarker } from '@hearth/core/backEnds/libraryMarker.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { fillSizes, recordResults, redoRenditions, type OriginalResult } from './scrubResults.ts';
import type { Rendition, ScrubItem } from './scrubItems.ts';
import { noteRepaired, preciseTime } from './scrubState.ts';
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
 * Checks the objects of some items, records the results and makes broken renditions due again. Originals that are fine are recorded on the way.
 * Damaged and missing ones are recorded at the end, once it is clear that the store is still that of the database and not at fault itself. Ends
 * early when the signal is aborted, and keeps what is done. Skips an item that the store cannot read, such as a file without the right to read it.
 * @throws StoreError, WrongStoreError or MassFailureError: then nothing was marked as damaged or missing; what `write` throws
 */
export const scrubBatch = async (items: readonly ScrubItem[], options: ScrubOptions): Promise<BatchResult> => {
  const { db, objects, write, signal } = options;
  await checkLibraryMarker(objects, db);
  const since = await preciseTime(db);
  const fine: CheckedItem[] = [];
  const faults: CheckedItem[] = [];
  const unread: UnreadItem[] = [];
  const recorded: OriginalResult[] = [];
  let repaired = 0;
  let unreadable = 0;
  let unrecordedBytes = 0;
  // One transaction: an item that was recorded without its repair would not be repaired before the next pass.
  const record = async (checked: CheckedItem[]): Promise<void> => {
    const taken = checked.splice(0);
    if (taken.length === 0) return;
    const { done, redone } = await write(async (trx) => {
      const ids = await recordResults(trx, taken, since);
      const done = taken.filter(({ item }) => ids.has(item.id));
      return { done, redone: await repair(trx, done) };
    });
    recorded.push(...done);
    repaired += redone;
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
    if (found.isUnreadable) unreadable += 1;
    (found.state === 'OK' ? fine : faults).push(found);
    unrecordedBytes += found.state === 'MISSING' ? 0 : item.sizeBytes;
    if (unrecordedBytes < recordEveryBytes) continue;
    await record(fine);
    unrecordedBytes = 0;
  }
  await record(fine);
  await checkLibraryMarker(objects, db);
  // Originals that an earlier check found missing are no sign of a store that has just gone away.
  const missing = faults.filter(({ item, state }) => state === 'MISSING' && item.lastState !== 'MISSING').length;
  const expected = items.filter(({ lastState }) => lastState !== 'MISSING').length;
  await refuseMassFailure(options, missing + unreadable, expected);
  await record(faults);
  return { results: recorded, repaired, unread };
};

interface CheckedItem extends OriginalResult, CheckedRenditions {
  readonly isUnreadable?: true;
}

const checkItem = async (item: ScrubItem, options: ScrubOptions): Promise<CheckedItem> => {
  const original = await checkBytes(item, options);
  options.onRead?.(original.state === 'MISSING' ? 0 : item.sizeBytes);
  return { item, ...original, ...(await checkRenditions(item, options)) };
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
  readonly broken: readonly Rendition[];
  /** Renditions whose size was not recorded, with the size found. */
  readonly unsized: readonly Rendition[];
}

/** Compares the item's own renditions with what the store holds. One listing has all sizes; an object that it lacks is looked up once more. */
const checkRenditions = async (item: ScrubItem, { objects }: ScrubOptions): Promise<CheckedRenditions> => {
  const { id, userId } = item;
  const renditions = item.renditions.filter(({ key }) => isRenditionKey(key) && parseKey(key)?.mediaItemId === id);
  if (renditions.length === 0) return { broken: [], unsized: [] };
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
  return { broken, unsized };
};

/** Makes broken renditions due again whose originals are fine, fills in sizes, and returns the number of renditions made due. */
const repair = async (trx: Database, checked: readonly CheckedItem[]): Promise<number> => {
  let repaired = 0;
  for (const { item, state, broken, unsized } of checked) {
    const isBack = item.lastState === 'DAMAGED' || item.lastState === 'MISSING';
    if (state === 'OK' && (broken.length > 0 || isBack)) repaired += await redoRenditions(trx, item, broken);
    await fillSizes(trx, item.id, unsized);
  }
  if (repaired > 0) await noteRepaired(trx, repaired);
  return repaired;
};
