import { sql } from 'kysely';
import { type Database, transaction } from '@hearth/core/db/database.ts';

/** A lease of this process. `fencing` guards its writes. */
export interface Lease {
  readonly name: string;
  readonly fencing: number;
}

/** The lease has passed to another process. Writes of this one must not be committed. */
export class LeaseLostError extends Error {
  constructor({ name, fencing }: Lease) {
    super(`the lease "${name}" with fencing number ${fencing} is no longer held by this process`);
    this.name = 'LeaseLostError';
  }
}

/**
 * Takes or renews the lease `name` for `ttlMs`, by the database's clock. The fencing number stays the same while one
 * holder renews in time, and increases with each new acquisition. Writes nothing while another process holds the lease.
 * @returns undefined while another process holds it
 */
export const acquireLease = async (
  db: Database,
  name: string,
  holder: string,
  ttlMs: number,
): Promise<Lease | undefined> => {
  const { rows } = await sql<Lease>`
    insert into leases as held (name, holder, fencing, held_until)
    select ${name}, ${holder}::uuid, 1, clock_timestamp() + ${ttlMs} * interval '1 millisecond'
    where not exists (
      select from leases where name = ${name} and holder <> ${holder} and held_until >= clock_timestamp())
    on conflict (name) do update set
      holder = excluded.holder,
      held_until = excluded.held_until,
      fencing = held.fencing + (held.holder <> excluded.holder or held.held_until < clock_timestamp())::int
    where held.holder = excluded.holder or held.held_until < clock_timestamp()
    returning name, fencing`.execute(db);
  return rows[0];
};

/** Releases the lease, so that other processes need not wait until it expires. */
export const releaseLease = async (db: Database, { name, fencing }: Lease): Promise<void> => {
  await sql`update leases set held_until = clock_timestamp() where name = ${name} and fencing = ${fencing}`.execute(db);
};

/**
 * Ties the transaction to the lease: no process can take it over before the transaction ends. Limits the idle time, so
 * that a frozen process cannot block the lease for long.
 * @throws LeaseLostError
 */
export const holdLease = async (trx: Database, lease: Lease): Promise<void> => {
  const { rows } = await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(idleMs)}, true) from leases
    where name = ${lease.name} and fencing = ${lease.fencing} and held_until > clock_timestamp()
    for share`.execute(trx);
  if (rows.length === 0) throw new LeaseLostError(lease);
};

/** Idle time between two statements after which PostgreSQL rolls the transaction back, in ms. */
const idleMs = 10_000;

/**
 * Runs `work` in a transaction that commits only while this process holds the lease.
 * @throws LeaseLostError
 */
export const underLease = async <Result>(
  db: Database,
  lease: Lease,
  work: (trx: Database) => Promise<Result>,
): Promise<Result> =>
  transaction(db, async (trx) => {
    await holdLease(trx, lease);
    return work(trx);
  });
