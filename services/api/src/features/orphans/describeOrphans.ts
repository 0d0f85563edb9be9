import { orphanDays } from './queries.ts';
import type { FoundOrphan } from './findOrphans.ts';

/**
 * Prints one line per orphan: item id, user id, account name, size, and when it was stored and first seen. Then prints a
 * summary.
 */
export const describeOrphans = async (
  orphans: AsyncIterable<FoundOrphan>,
  print: (line: string) => void,
): Promise<void> => {
  let count = 0;
  let bytes = 0;
  for await (const orphan of orphans) {
    count += 1;
    bytes += orphan.sizeBytes;
    print(describe(orphan));
  }
  if (count === 0) print('Every original in the store has its media item.');
  else
    print(
      `${count.toLocaleString('en')} originals of ${bytes.toLocaleString('en')} bytes have no media item; ` +
        `each is removed ${orphanDays} days after it was first seen. To keep them, run npm run orphans -- --adopt.`,
    );
};

const describe = ({ mediaItemId, userId, username, sizeBytes, storedAt, firstSeenAt }: FoundOrphan): string =>
  [
    mediaItemId,
    userId,
    username ?? '(no account)',
    `${sizeBytes} bytes`,
    `stored ${storedAt.toISOString()}`,
    firstSeenAt === null ? 'not yet seen by housekeeping' : `seen since ${firstSeenAt.toISOString()}`,
  ].join('  ');
