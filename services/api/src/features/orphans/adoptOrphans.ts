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
  if (into !== undefined && recipient === undefined) throw new Error(`There is no user "${into}".`);
  let adopted = 0;
  let left = 0;
  for await (const orphan of orphans) {
    if (signal.aborted) break;
    const userId = recipient?.id ?? (orphan.username === null ? undefined : orphan.userId);
    if (userId === undefined) {
      left += 1;
      print(
        `${orphan.mediaItemId}  left: its account ${orphan.userId} is gone; --into says whose library to put it into`,
      );
      continue;
    }
    try {
      const { id, isNew } = await adoptOrphan(deps, orphan, userId, signal);
      adopted += 1;
      print(`${orphan.mediaItemId}  is now ${id}${isNew ? '' : ', which was there already with the same bytes'}`);
    } catch (error) {
      left += 1;
      print(`${orphan.mediaItemId}  left: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  print(`${adopted.toLocaleString('en')} taken back, ${left.toLocaleString('en')} left.`);
};
