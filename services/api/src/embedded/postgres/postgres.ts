import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareApplicationRole } from '@hearth/core/db/applicationRole.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { findAccount } from './account.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { findPostgresBinaries } from './postgresBinaries.ts';
import { initializeDirectory, isInitialized } from './postgresDirectory.ts';
import { postgresSettings } from './postgresSettings.ts';
import { launchPostmaster, PostmasterFailedError, stopPostmaster, type OwnPostmaster } from './postmaster.ts';
import { findPostmaster, removeMisleadingPidFile } from './postmasterPidFile.ts';
import { administratorUrl, applicationPassword, applicationUrl } from './postgresUrls.ts';

/** How the embedded PostgreSQL is run. */
export interface EmbeddedPostgresOptions {
  /** The database directory; made where missing. */
  readonly directory: string;
  /** The password of the server's superuser, the same at every start; at least one printable ASCII character. */
  readonly password: string;
  /** Called with a few words on what the start is doing: making a database takes seconds, replaying a log may take longer. */
  readonly onProgress?: (doing: string) => void;
  /** Called when the server died, when it runs again, and each time it could not be started again. */
  readonly onTrouble?: (what: string, error?: unknown) => void;
  /** Gives up surviving a power loss for speed: for tests. */
  readonly isThrowaway?: boolean;
}

/** A PostgreSQL server on 127.0.0.1 that is started again, on the same port, whenever it dies, until it is stopped. */
export interface EmbeddedPostgres {
  /** The address for Hearth itself: as a role without superuser rights, which owns the database `hearth`. That database always exists. */
  url(database?: string): string;
  /** The address for the superuser: for tests, and for nothing that serves requests or opens files. */
  administratorUrl(database?: string): string;
  /** The id of the server's process. It changes when the server has died and was started again. */
  readonly pid: number;
  /** Ends the server when everything is written; resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL and resolves when it accepts connections. A server that an earlier, killed process left
 * running on the directory is ended first: the caller holds the lock on the data directory, so nobody else owns that server.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { password, onProgress = () => undefined, onTrouble = () => undefined, isThrowaway = false } = options;
  const directory = resolve(options.directory);
  const binaries = await findPostgresBinaries();
  const account = findAccount(directory);
  if (!(await isInitialized(directory))) {
    onProgress('making the database');
    await initializeDirectory({ directory, password, binaries, account, isThrowaway });
  }
  onProgress('starting the database');

  const launch = async (port: number): Promise<OwnPostmaster> => {
    // Looked for at each attempt: a server whose owner was killed while it was starting cannot be seen at first.
    const leftBehind = await findPostmaster(directory);
    if (leftBehind !== undefined) {
      onProgress('ending the database that was left running');
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
        onTrouble('the database died and is started again', error);
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
      onTrouble('the database died and is started again');
      const next = await launchUntilStopped(() => launch(port), stopping.signal, onTrouble);
      if (next === undefined) return;
      postmaster = next;
      onTrouble('the database runs again');
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

/** Tries other ports where the start fails, since another process may take a free port before PostgreSQL does. */
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
      // The last processes of a killed server still use its shared memory, at most until their statement timeout of a minute.
      const isMemoryInUse = error.message.includes('shared memory block') && Date.now() < giveUpOnMemoryAt;
      if (!isMemoryInUse && (failures += 1) === 3) throw error;
      await delay(250);
    }
  }
};

const launchUntilStopped = async (
  launch: () => Promise<OwnPostmaster>,
  stopped: AbortSignal,
  onTrouble: (what: string, error: unknown) => void,
): Promise<OwnPostmaster | undefined> => {
  for (let backOffMs = 200; !stopped.aborted; backOffMs = Math.min(backOffMs * 2, 5_000)) {
    try {
      return await launch();
    } catch (error) {
      onTrouble('the database cannot be started again yet', error);
      await delay(backOffMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
  return undefined;
};
