import { findUserByUsername } from '../../accounts/users.ts';
import type { IngestDeps } from '../../ingest/insertMediaItem.ts';
import { adoptOrphan } from './adoptOrphan.ts';
import type { FoundOrphan } from './findOrphans.ts';

/**
 * Adopts orphans one by one, into their own account's library or all into that of `into`, and prints each result. A
 * failure leaves the orphan in place and does not stop the others.
 * @throws Error if the account `into` does not exist
 */
export const adoptOrphans = async (
  deps: IngestDeps,
  orphans: AsyncIterable<FoundOrphan>,
  {
    into,
    signal,
    print,
  }: { readonly into: string | undefined; readonly signal: AbortSignal; readonly print: (line: string) => void },
): Promise<void> => {
  const recipient = into === undefined ? undefined : await findUserByUsername(deps.db, into);
  if (into !== undefined && recipient === undefined) throw new Error(`No user "${into}".`);
  let adopted = 0;
  let skipped = 0;
  for await (const orphan of orphans) {
    if (signal.aborted) break;
    const userId = recipient?.id ?? (orphan.username === null ? undefined : orphan.userId);
    if (userId === undefined) {
      skipped += 1;
      print(
        `${orphan.mediaItemId}  skipped: account ${orphan.userId} no longer exists; choose another one with --into`,
      );
      continue;
    }
    try {
      const { id, isNew } = await adoptOrphan(deps, orphan, userId, signal);
      adopted += 1;
      print(`${orphan.mediaItemId}  is now ${id}${isNew ? '' : ', an existing item with the same bytes'}`);
    } catch (error) {
      skipped += 1;
      print(`${orphan.mediaItemId}  skipped: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  print(`${adopted.toLocaleString('en')} adopted, ${skipped.toLocaleString('en')} skipped.`);
};
