import { randomUUID } from 'node:crypto';
import type { Database } from '@hearth/core/db/database.ts';
import { acquireLease, releaseLease, type Lease } from './leases.ts';

/**
 * Milliseconds until a lease expires that is not renewed. A holder that dies or freezes is replaced within this time and one tick of the
 * housekeeper. People wait for the counts and jobs of its lane.
 */
export const leaseMs = 6_000;

/** A lease for which this process competes, and what the process knows of it. */
export interface HeldLease {
  /**
   * The lease, if this process holds it. A holder asks the database only when a renewal is due: each renewal is a write, and the disk of a
   * home server should be allowed to sleep. A process that is not the holder asks at every call, which only reads.
   */
  find(): Promise<Lease | undefined>;
  /** Renews the lease by a timer while `work` runs, which may take long. A frozen process renews nothing, so another one takes over. */
  whileRenewing(work: () => Promise<void>): Promise<void>;
  /** Whether surely no other process has taken `lease` yet. False after a freeze, without asking the database. */
  isSure(lease: Lease): boolean;
  /** Makes the next call of `find` ask the database, for instance because the database was away. */
  doubt(): void;
  /** Releases the lease, so that another process need not wait until it expires. */
  release(): Promise<void>;
}

/**
 * Competes for the lease `name` under a holder id of its own. The lease lasts `durationMs` and is renewed after a third of it, so that one
 * failed renewal loses nothing.
 */
export const competeForLease = (db: Database, name: string, durationMs = leaseMs): HeldLease => {
  const renewMs = durationMs / 3;
  const holder = randomUUID();
  let held: { readonly lease: Lease; readonly until: number } | undefined;
  let askedAt = -Infinity;
  const renew = async (): Promise<void> => {
    // Measured before the question is sent, because the answer may be delayed.
    const now = Date.now();
    const lease = await acquireLease(db, name, holder, durationMs);
    held = lease && { lease, until: now + durationMs };
    askedAt = now;
  };
  return {
    find: async () => {
      if (held === undefined || Date.now() - askedAt >= renewMs) await renew();
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
    isSure: ({ fencing }) => held?.lease.fencing === fencing && Date.now() < held.until,
    doubt: () => {
      held = undefined;
      askedAt = -Infinity;
    },
    release: async () => {
      if (held !== undefined) await releaseLease(db, held.lease);
    },
  };
};
