import { orphanDays } from './queries.ts';
import type { FoundOrphan } from './findOrphans.ts';

/** Says one line for each orphan: the ids of its item and of its user, whose that is now, its size, and since when and until when it waits. */
export const describeOrphans = async (
  orphans: AsyncIterable<FoundOrphan>,
  say: (line: string) => void,
): Promise<void> => {
  let count = 0;
  let bytes = 0;
  for await (const orphan of orphans) {
    count += 1;
    bytes += orphan.sizeBytes;
    say(describe(orphan));
  }
  if (count === 0) say('Every original in the store has its media item.');
  else
    say(
      `${count.toLocaleString('en')} originals of ${bytes.toLocaleString('en')} bytes have no media item; ` +
        `each is removed ${orphanDays} days after it was first seen. npm run orphans -- --adopt takes them back.`,
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
