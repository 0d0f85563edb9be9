import { listOrphans, type ListedOrphan, type Orphan } from './queries.ts';
import { isOriginalKey, parseKey } from '@hearth/core/objects/keys.ts';
import type { Deps } from '../../deps/deps.ts';

/** Originals per query. */
const batchSize = 500;

/** An original without a row, with data of its object. */
export interface FoundOrphan extends ListedOrphan {
  readonly storedAt: Date;
}

/**
 * Lists all originals in the store without a row that were not deleted on purpose, including those that no sweep has
 * seen yet. May include uploads in progress.
 */
export async function* findOrphans({ db, objects }: Pick<Deps, 'db' | 'objects'>): AsyncGenerator<FoundOrphan> {
  let batch: (Orphan & { readonly storedAt: Date })[] = [];
  const checkBatch = async (): Promise<FoundOrphan[]> => {
    const storedAt = new Map(batch.map((each) => [each.mediaItemId, each.storedAt]));
    const found = await listOrphans(db, batch);
    batch = [];
    return found.map((orphan) => Object.assign(orphan, { storedAt: storedAt.get(orphan.mediaItemId)! }));
  };
  for await (const { key, sizeBytes, modifiedAt } of objects.list('')) {
    const parsed = parseKey(key);
    if (parsed === undefined || !isOriginalKey(key)) continue;
    batch.push({ ...parsed, sizeBytes, storedAt: modifiedAt });
    if (batch.length === batchSize) yield* await checkBatch();
  }
  if (batch.length > 0) yield* await checkBatch();
}
