import { totalmem } from 'node:os';

/**
 * Memory for everything except decoders, in bytes: API, PostgreSQL, worker and models took at most 0.9 GB (2026-11).
 */
const nonDecoderBytes = 1_000_000_000;

/** Returns the memory of this process's cgroup (v1 or v2), or of the machine if it has no limit, in bytes. */
export const getMemoryLimitBytes = (): number => {
  // Node returns 0 without a limit, and a value above the machine's memory for an infinite limit.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
};

/** Returns the memory that all decoders may use together, in bytes: all except 1 GB, and at least half. */
export const getDecoderMemoryBytes = (limitBytes: number): number =>
  Math.floor(Math.max(limitBytes - nonDecoderBytes, limitBytes / 2));
