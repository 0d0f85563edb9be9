import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareApplicationRole } from './applicationRole.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { findAccount } from './account.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { findPostgresBinaries } from './postgresBinaries.ts';
import { initializeDirectory, isInitialized } from './postgresDirectory.ts';
import { postgresSettings } from './postgresSettings.ts';
import { launchPostmaster, PostmasterFailedError, stopPostmaster, type OwnPostmaster } from './postmaster.ts';
import { findPostmaster, removeMisleadingPidFile } from './postmasterPidFile.ts';
import { administratorUrl, applicationPassword, applicationUrl } from './postgresUrls.ts';

export interface EmbeddedPostgresOptions {
  /** Database directory. Created if missing. */
  readonly directory: string;
  /** Superuser password, the same at every start. At least one character, printable ASCII. */
  readonly password: string;
  /** Reports progress in a few words. Creating a database takes seconds; replaying its log may take longer. */
  readonly onProgress?: (message: string) => void;
  /** Called when the server died, when it runs again, and after each failed restart. */
  readonly onTrouble?: (message: string, error?: unknown) => void;
  /** Trades durability after a power loss for speed, for tests. */
  readonly isThrowaway?: boolean;
}

/** A PostgreSQL server on 127.0.0.1. Restarted on the same port whenever it dies, until stopped. */
export interface EmbeddedPostgres {
  /**
   * Connection URL for Hearth: a role without superuser rights that owns the database `hearth`, which always exists.
   */
  url(database?: string): string;
  /** Connection URL of the superuser, for tests. Not for code that serves requests or opens files. */
  administratorUrl(database?: string): string;
  /** Process ID of the server. Changes with each restart. */
  readonly pid: number;
  /** Shuts the server down cleanly. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL and resolves when it accepts connections. First stops a server left running by a
 * killed process. The caller holds the lock on the data directory, so that server belongs to no one else.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { password, onProgress = () => undefined, onTrouble = () => undefined, isThrowaway = false } = options;
  const directory = resolve(options.directory);
  const binaries = await findPostgresBinaries();
  const account = findAccount(directory);
  if (!(await isInitialized(directory))) {
    onProgress('creating the database');
    await initializeDirectory({ directory, password, binaries, account, isThrowaway });
  }
  onProgress('starting the database');

  const launch = async (port: number): Promise<OwnPostmaster> => {
    // Checked at each attempt: a server whose owner was killed during its start is not visible at first.
    const leftBehind = await findPostmaster(directory);
    if (leftBehind !== undefined) {
      onProgress('stopping the database that was left running');
      await stopPostmaster(leftBehind);
    }
    await removeMisleadingPidFile(directory);
    return launchPostmaster({ directory, binaries, account, settings: postgresSettings(port, isThrowaway) });
  };
  const launchPrepared = async (): Promise<{ port: number; first: OwnPostmaster }> => {
    for (let deaths = 0; ;) {
      const launched = await launchOnFreePort(launch);
      try {
        await prepareApplicationRole(administratorUrl(launched.port, password), applicationPassword(password));
        return launched;
      } catch (error) {
        await stopPostmaster(launched.first);
        if (!isDatabaseUnavailable(error) || (deaths += 1) === 3) throw error;
        onTrouble('database stopped unexpectedly; restarting it', error);
      }
    }
  };
  const { port, first } = await launchPrepared();
  let postmaster = first;
  const stopping = new AbortController();
  const stopRequested = once(stopping.signal, 'abort');
  const keepRunning = async (): Promise<void> => {
    for (;;) {
      await Promise.race([postmaster.exited, stopRequested]);
      if (stopping.signal.aborted) break;
      onTrouble('database stopped unexpectedly; restarting it');
      const next = await launchUntilStopped(() => launch(port), stopping.signal, onTrouble);
      if (next === undefined) return;
      postmaster = next;
      onTrouble('database restarted');
    }
    await stopPostmaster(postmaster);
  };
  const ended = keepRunning();

  return {
    url: (database) => applicationUrl(port, password, database),
    administratorUrl: (database) => administratorUrl(port, password, database),
    get pid() {
      return postmaster.pid;
    },
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
};

/** Retries with other ports, because another process may take the free port first. */
const launchOnFreePort = async (
  launch: (port: number) => Promise<OwnPostmaster>,
): Promise<{ port: number; first: OwnPostmaster }> => {
  const giveUpOnMemoryAt = Date.now() + 90_000;
  for (let failures = 0; ;) {
    const port = await findFreePort();
    try {
      return { port, first: await launch(port) };
    } catch (error) {
      if (!(error instanceof PostmasterFailedError)) throw error;
      // Backends of a killed server still use its shared memory, for a minute (their statement timeout) at most.
      const isMemoryInUse = error.message.includes('shared memory block') && Date.now() < giveUpOnMemoryAt;
      if (!isMemoryInUse && (failures += 1) === 3) throw error;
      await delay(250);
    }
  }
};

const launchUntilStopped = async (
  launch: () => Promise<OwnPostmaster>,
  stopped: AbortSignal,
  onTrouble: (message: string, error: unknown) => void,
): Promise<OwnPostmaster | undefined> => {
  for (let backOffMs = 200; !stopped.aborted; backOffMs = Math.min(backOffMs * 2, 5_000)) {
    try {
      return await launch();
    } catch (error) {
      onTrouble('could not restart the database; retrying', error);
      await delay(backOffMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
  return undefined;
};
