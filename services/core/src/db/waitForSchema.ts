import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, type Database } from './database.ts';
import { findMissingMigrations } from './migrate.ts';

/** Interval of checks, in ms. */
const pauseMs = 1_000;

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Called with the missing migrations whenever they change; with none while the database is unreachable. */
  readonly onWaiting: (missing: readonly string[]) => void;
  readonly directory?: string;
}

/**
 * Waits until another process has migrated the database. A process that does not migrate may start first, or with a new
 * version while the old one still runs. Also waits for an unreachable database.
 * @throws SchemaTooNewError, SchemaUnknownError, or the reason of `signal`
 */
export const waitForSchema = async (db: Database, { signal, onWaiting, directory }: WaitOptions): Promise<void> => {
  let lastReported: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const missing = await findMissingMigrations(db, directory).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
    if (missing?.length === 0) return;
    const key = missing?.join() ?? '';
    if (lastReported !== key) onWaiting(missing ?? []);
    lastReported = key;
    await sleep(pauseMs, undefined, { signal });
  }
};
