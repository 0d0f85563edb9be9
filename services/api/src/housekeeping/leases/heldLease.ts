import { randomUUID } from 'node:crypto';
import type { Database } from '@hearth/core/db/database.ts';
import { acquireLease, releaseLease, type Lease } from './leases.ts';

/**
 * Lease duration, in ms. A dead or frozen holder is replaced within this time plus the housekeeper's poll interval. The
 * lease is short, because until then no counts are updated and no jobs progress.
 */
export const leaseMs = 6_000;

/** A lease that this process competes for, with its last known state. */
export interface HeldLease {
  /**
   * Returns the lease if this process holds it. A holder queries the database only when a renewal is due, because a
   * renewal is a write and disks of home servers should be able to sleep. Other processes query at every call, which
   * only reads.
   */
  find(): Promise<Lease | undefined>;
  /** Renews the lease by timer during `work`. A frozen process renews nothing, so another one takes over. */
  whileRenewing(work: () => Promise<void>): Promise<void>;
  /** Returns true if no other process can hold `lease`. Needs no query, and is false after a freeze of this process. */
  isValid(lease: Lease): boolean;
  /** Makes the next `find` query the database, for example after an outage. */
  invalidate(): void;
  /** Releases the lease, so that other processes need not wait until it expires. */
  release(): Promise<void>;
}

/**
 * Competes for the lease `name` with a random holder id. Renews after a third of `durationMs`, so that one failed
 * renewal does no harm.
 */
export const competeForLease = (db: Database, name: string, durationMs = leaseMs): HeldLease => {
  const renewMs = durationMs / 3;
  const holder = randomUUID();
  let held: { readonly lease: Lease; readonly until: number } | undefined;
  let renewedAt = -Infinity;
  const renew = async (): Promise<void> => {
    // Before the query, because its result may be delayed.
    const now = Date.now();
    const lease = await acquireLease(db, name, holder, durationMs);
    held = lease && { lease, until: now + durationMs };
    renewedAt = now;
  };
  return {
    find: async () => {
      if (held === undefined || Date.now() - renewedAt >= renewMs) await renew();
      return held?.lease;
    },
    whileRenewing: async (work) => {
      const timer = setInterval(() => void renew().catch(() => undefined), renewMs);
      try {
        await work();
      } finally {
        clearInterval(timer);
      }
    },
    isValid: ({ fencing }) => held?.lease.fencing === fencing && Date.now() < held.until,
    invalidate: () => {
      held = undefined;
      renewedAt = -Infinity;
    },
    release: async () => {
      if (held !== undefined) await releaseLease(db, held.lease);
    },
  };
};
