import { checkOriginalSize, type RecordedOriginal } from '@hearth/core/objects/checkOriginal.ts';
import type { Deps } from '../../deps/deps.ts';
import type { OriginalCheck } from '@hearth/core/originals/originalCheck.ts';
import { recordFaults } from './recordFaults.ts';
import { listFaultyOriginals } from './queries.ts';

/** Concurrent size checks. */
const concurrency = 10;

/** Maximum number of size checks in a remote store per call. Longer lists use the recorded checks only. */
const maxRemote = 20;

/**
 * Returns the ids of missing or damaged originals: by the last recorded check, and by size if the store is local or the
 * list is short. Records new faults.
 */
export const listFaulty = async (
  deps: Pick<Deps, 'db' | 'objects' | 'log'>,
  userId: string,
  originals: readonly RecordedOriginal[],
): Promise<Set<string>> => {
  const ids = originals.map(({ id }) => id);
  const faulty = new Set(await listFaultyOriginals(deps.db, userId, ids));
  if (deps.objects.isRemote && originals.length > maxRemote) return faulty;
  const found = new Map<string, OriginalCheck>();
  const compared = originals.filter(({ id }) => !faulty.has(id));
  for (let first = 0; first < compared.length; first += concurrency) {
    const some = compared.slice(first, first + concurrency);
    const checks = await Promise.all(some.map(async (original) => checkOriginalSize(deps.objects, original)));
    for (const [index, check] of checks.entries()) {
      if (check.state !== 'OK') found.set(some[index]!.id, check);
    }
  }
  await recordFaults(deps, found);
  return new Set([...faulty, ...found.keys()]);
};
