import { totalmem } from 'node:os';

/** Bytes that everything but decoders needs: API, PostgreSQL, worker and models took 0.9 GB at most (2026-11). */
const restBytes = 1_000_000_000;

/** The memory of this process's cgroup (v1 or v2), or of the machine if it has no limit, in bytes. */
export const memoryLimitBytes = (): number => {
  // 0 without a limit, and more than the machine has with an infinite one.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
};

/** The share of `limitBytes` that decoders may take together: all but 1 GB, and at least half. */
export const decodersShareBytes = (limitBytes: number): number =>
  Math.floor(Math.max(limitBytes - restBytes, limitBytes / 2));
