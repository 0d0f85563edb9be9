import { checkLibraryMarker } from '@hearth/core/backEnds/libraryMarker.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { fillSizes, recordResults, recreateRenditions, type OriginalResult } from './scrubResults.ts';
import type { Rendition, ScrubItem } from './scrubItems.ts';
import { recordRepaired, preciseTime } from './scrubState.ts';
import { checkOriginalBytes, findObject } from '@hearth/core/objects/checkOriginal.ts';
import { isRenditionKey, mediaItemPrefix, parseKey } from '@hearth/core/objects/keys.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectInfo, ObjectStore } from '@hearth/core/objects/objects.ts';
import { rejectMassFailure } from './massFailure.ts';
import type { Throttle } from './throttle.ts';

export interface ScrubOptions {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly throttle: Throttle;
  readonly signal: AbortSignal;
  /** Runs writes in a transaction. The housekeeper's version commits only under its lease. */
  readonly write: <Result>(work: (trx: Database) => Promise<Result>) => Promise<Result>;
  /** Called after each original with the number of bytes read. */
  readonly onRead?: (bytes: number) => void;
}

export interface BatchResult {
  /** Recorded results. */
  readonly results: readonly OriginalResult[];
  /** Number of renditions whose runs were made due. */
  readonly repaired: number;
  /** Items that the store could not read although it works for others. Their results are not recorded. */
  readonly unreadableItems: readonly UnreadableItem[];
}

export interface UnreadableItem {
  readonly item: ScrubItem;
  readonly error: StoreError;
}

/** With this many unreadable items in one batch, the store itself is at fault. */
const maxUnreadable = 20;

/** Intact originals are recorded each time this many bytes were read, so that a restart repeats little. */
const recordEveryBytes = 256 * 2 ** 20;

/**
 * Checks the objects of some items, records the results and makes broken renditions due again. Intact originals are
 * recorded on the way. Damaged and missing ones are recorded at the end, after a check that the store belongs to the
 * database and works. On abort, ends early and keeps its results. Skips items that the store cannot read, for example
 * for lack of permission.
 * @throws StoreError, WrongStoreError or MassFailureError, with nothing marked as damaged or missing
 * @throws errors of `write`
 */
export const scrubBatch = async (items: readonly ScrubItem[], options: ScrubOptions): Promise<BatchResult> => {
  const { db, objects, write, signal } = options;
  await checkLibraryMarker(objects, db);
  const since = await preciseTime(db);
  const intact: CheckedItem[] = [];
  const faults: CheckedItem[] = [];
  const unreadableItems: UnreadableItem[] = [];
  const recorded: OriginalResult[] = [];
  let repaired = 0;
  let unreadable = 0;
  let unrecordedBytes = 0;
  // One transaction: an item recorded without its repair would wait for the next pass.
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
      await record(intact);
      if (signal.aborted) return undefined;
      if (!(error instanceof StoreError)) throw error;
      // Throws if the store is unavailable or the wrong one.
      await checkLibraryMarker(objects, db);
      unreadableItems.push({ item, error });
      if (unreadableItems.length === maxUnreadable) throw error;
      return undefined;
    });
    if (found === undefined) continue;
    if (found.isUnreadable) unreadable += 1;
    (found.state === 'OK' ? intact : faults).push(found);
    unrecordedBytes += found.state === 'MISSING' ? 0 : item.sizeBytes;
    if (unrecordedBytes < recordEveryBytes) continue;
    await record(intact);
    unrecordedBytes = 0;
  }
  await record(intact);
  await checkLibraryMarker(objects, db);
  // Originals that were already missing do not indicate a lost store.
  const missing = faults.filter(({ item, state }) => state === 'MISSING' && item.lastState !== 'MISSING').length;
  const expected = items.filter(({ lastState }) => lastState !== 'MISSING').length;
  await rejectMassFailure(options, missing + unreadable, expected);
  await record(faults);
  return { results: recorded, repaired, unreadableItems };
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
  /** Renditions without a recorded size, with the size found. */
  readonly unsized: readonly Rendition[];
}

/**
 * Compares the item's own renditions with the store. A single listing returns all sizes. A missing object is looked up
 * once more.
 */
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

/**
 * Makes broken renditions of intact originals due again and fills in sizes. Returns the number of renditions made due.
 */
const repair = async (trx: Database, checked: readonly CheckedItem[]): Promise<number> => {
  let repaired = 0;
  for (const { item, state, broken, unsized } of checked) {
    const isRestored = item.lastState === 'DAMAGED' || item.lastState === 'MISSING';
    if (state === 'OK' && (broken.length > 0 || isRestored)) repaired += await recreateRenditions(trx, item, broken);
    await fillSizes(trx, item.id, unsized);
  }
  if (repaired > 0) await recordRepaired(trx, repaired);
  return repaired;
};
