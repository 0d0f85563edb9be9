import { randomUUID } from 'node:crypto';
import type { Database } from '@hearth/core/db/connection/database.ts';
import { acquireLease, releaseLease, type Lease } from '@hearth/core/db/connection/leases.ts';

/**
 * For how long the lease is taken. A holder that dies or freezes is replaced within this time and a tick of the housekeeper, in which whoever
 * is next asks: people wait for the counts and jobs of its lane.
 */
export const leaseMs = 6_000;

/** How often it is renewed: a third of its time, so that one failure in between loses nothing. */
const renewMs = leaseMs / 3;

/** What this process knows of its hold on a lease. */
export interface HeldLease {
  /**
   * The lease, where it is this process's. A holder asks the database when it is time to and not at every call: each renewal is a write,
   * and a home server's disk should be allowed to sleep. Whoever is not asks each time, which only reads.
   */
  find(): Promise<Lease | undefined>;
  /** Renews it by a timer while `work` goes on, which may take long; a frozen process renews nothing, and another takes over. */
  whileRenewing(work: () => Promise<void>): Promise<void>;
  /** Whether nobody else can have taken `lease` yet. False after a freeze, before anything is asked of the database. */
  isSure(lease: Lease): boolean;
  /** Asks anew at the next call, for instance because the database was away. */
  doubt(): void;
  /** Gives it back, so that another process need not wait for its end. */
  release(): Promise<void>;
}

/** Competes for the lease `name` as a holder of its own. */
export const competeForLease = (db: Database, name: string): HeldLease => {
  const holder = randomUUID();
  let held: { readonly lease: Lease; readonly until: number } | undefined;
  let askedAt = -Infinity;
  const renew = async (): Promise<void> => {
    // Counted from before the question: what follows it may have been held up for long.
    const now = Date.now();
    const lease = await acquireLease(db, name, holder, leaseMs);
    held = lease && { lease, until: now + leaseMs };
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
