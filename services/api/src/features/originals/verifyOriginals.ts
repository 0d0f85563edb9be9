import { transaction } from '@hearth/core/db/database.ts';
import type { OriginalResult } from './scrubResults.ts';
import { walkSample, walkUnchecked } from './scrubItems.ts';
import { countItems, endPass, preciseTime } from './scrubState.ts';
import type { Deps } from '../../deps/deps.ts';
import { scrubBatch } from './scrubBatch.ts';
import { unthrottled } from './throttle.ts';
import { countNewerThanFiles } from './uploadGap.ts';

export interface VerifyOptions {
  /**
   * Fraction of all items to check, from 0 to 1, as a random sample. Undefined checks all, like a pass of the scrub.
   */
  readonly sample: number | undefined;
  readonly signal: AbortSignal;
  /** Prints one line. */
  readonly print: (line: string) => void;
}

/** Interval of progress lines, in ms. */
const progressMs = 5_000;

/**
 * Runs the scrub now, as fast as the store allows. Prints progress, damaged and missing originals, and a summary. Makes
 * broken renditions due again. Returns the number of damaged, missing and unreadable originals.
 * @throws StoreError, WrongStoreError or MassFailureError if the store is at fault
 * @throws the reason of the signal
 */
export const verifyOriginals = async (
  { db, objects }: Pick<Deps, 'db' | 'objects'>,
  { sample, signal, print }: VerifyOptions,
): Promise<number> => {
  const startedAt = await preciseTime(db);
  const total = await countItems(db);
  const progress = startProgress(total, sample, print);
  const options = {
    db,
    objects,
    signal,
    throttle: unthrottled,
    write: <Result>(work: (trx: typeof db) => Promise<Result>) => transaction(db, work),
    onRead: progress.add,
  };
  const counts = { OK: 0, DAMAGED: 0, MISSING: 0 };
  let unread = 0;
  let repaired = 0;
  for await (const items of sample === undefined ? walkUnchecked(db, startedAt) : walkSample(db, sample)) {
    const batch = await scrubBatch(items, options);
    for (const result of batch.results) {
      counts[result.state] += 1;
      if (result.state !== 'OK') print(describe(result));
    }
    for (const { item, error } of batch.unreadableItems) {
      unread += 1;
      print(`${describe({ item, state: 'UNREAD' })}  ${error.message}`);
    }
    repaired += batch.repaired;
    signal.throwIfAborted();
  }
  if (sample === undefined) await endPass(db, startedAt);
  print(`Checked ${progress.describe()}.`);
  print(`${format(counts.OK)} OK, ${format(counts.DAMAGED)} damaged, ${format(counts.MISSING)} missing.`);
  if (unread > 0) print(`Not checked, because they could not be read: ${format(unread)}.`);
  if (repaired > 0) print(`${format(repaired)} damaged or missing renditions will be reprocessed by a worker.`);
  const newer = counts.MISSING === 0 ? 0 : await countNewerThanFiles(db);
  if (newer > 0)
    print(
      `The database is newer than the files: ${format(newer)} missing originals were uploaded one after another, as after files were restored from an older backup.`,
    );
  return counts.DAMAGED + counts.MISSING + unread;
};

const describe = ({ item, state }: Pick<OriginalResult, 'item'> & { readonly state: string }): string =>
  `${state}  ${item.id}  ${item.username}  ${item.filename}`;

const format = (count: number): string => count.toLocaleString('en');

const startProgress = (total: number, sample: number | undefined, print: VerifyOptions['print']) => {
  const startedAt = performance.now();
  let printedAt = startedAt;
  let count = 0;
  let bytes = 0;
  const describeProgress = (): string => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const of = sample === undefined ? ` of ${format(total)}` : '';
    return `${format(count)}${of} originals, ${toMegabytes(bytes)} MB, ${toMegabytes(bytes / seconds)} MB/s`;
  };
  return {
    add: (read: number): void => {
      count += 1;
      bytes += read;
      if (performance.now() - printedAt < progressMs) return;
      printedAt = performance.now();
      print(describeProgress());
    },
    describe: describeProgress,
  };
};

const toMegabytes = (bytes: number): string =>
  (bytes / 1e6).toLocaleString('en', { maximumFractionDigits: bytes < 1e7 ? 1 : 0 });
