import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, type Database } from './database.ts';
import { findMissingMigrations } from './migrate.ts';

/** Milliseconds between two looks at the database. */
const pauseMs = 1_000;

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Told which migrations are missing, whenever they are others than before; none while the database is away. */
  readonly onWaiting: (missing: readonly string[]) => void;
  readonly directory?: string;
}

/**
 * Waits until somebody else has brought the database up to date: a process that works on it and does not migrate may start first, and one of a
 * new version while the one before still runs. A database that is away is waited for, too.
 * @throws SchemaTooNewError, SchemaUnknownError, or the reason of `signal`
 */
export const waitForSchema = async (db: Database, { signal, onWaiting, directory }: WaitOptions): Promise<void> => {
  let told: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const missing = await findMissingMigrations(db, directory).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
    if (missing?.length === 0) return;
    const key = missing?.join() ?? '';
    if (told !== key) onWaiting(missing ?? []);
    told = key;
    await sleep(pauseMs, undefined, { signal });
  }
};
