import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@hearth/core/config/configureProcess.ts';
import { placesVariables } from '@hearth/core/config/placesConfig.ts';
import type { Log } from '@hearth/core/log/log.ts';
import { PlacesFileError } from './placesFile.ts';
import { openPlaces, type Places } from './places.ts';

export const placesCapability = 'look up places';

/** Places, available once their file exists. */
export interface PlacesData {
  /** Returns the places; undefined until the file exists. */
  current(): Places | undefined;
  /** Resolves when the file exists. */
  readonly found: Promise<void>;
  /** Stops looking for the file, and ends the process that builds it. */
  close(): void;
}

export interface PlacesDataOptions {
  readonly path: string;
  /** True if a missing file is built, in a child process. */
  readonly buildIfMissing: boolean;
  readonly log: Log;
}

/** Interval of looking for a missing file, in ms. */
const checkIntervalMs = 30_000;

/** Priority (nice value) of the builder, lower than that of the worker, because the places are never urgent. */
const builderPriority = 10;

/** The builder downloads the postcodes of the world, which takes a minute on a fast connection. */
const builderTimeoutMs = 60 * 60 * 1_000;

/** Keeps the builder below 400 MB instead of 650 MB. */
const builderOptions = ['--max-old-space-size=400', '--max-semi-space-size=2'];

const builder = fileURLToPath(new URL('build/main.ts', import.meta.url));

/** Opens the file. If it is missing or invalid, continues without it and looks again periodically. */
export const openPlacesData = async ({ path, buildIfMissing, log }: PlacesDataOptions): Promise<PlacesData> => {
  const closing = new AbortController();
  const { promise: found, resolve } = Promise.withResolvers<void>();
  let places = await open(path, log);
  const waitForFile = async (): Promise<void> => {
    if (places === undefined && buildIfMissing) await buildFile(log, closing.signal);
    while ((places ??= await open(path)) === undefined && !closing.signal.aborted)
      await sleep(checkIntervalMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    if (places !== undefined) resolve();
  };
  void waitForFile();
  return { current: () => places, found, close: () => closing.abort() };
};

const open = async (path: string, log?: Log): Promise<Places | undefined> => {
  try {
    return await openPlaces(path);
  } catch (error) {
    if (!(error instanceof PlacesFileError)) throw error;
    log?.info({ err: error }, 'place data missing; places of photos are blocked');
    return undefined;
  }
};

/** Runs `npm run places` with the configuration of this process. Resolves when it ends, successfully or not. */
const buildFile = async (log: Log, signal: AbortSignal): Promise<void> => {
  const child = spawn(process.execPath, [...builderOptions, builder], {
    env: childEnvironment(placesVariables),
    // The IPC channel lets the builder notice when this process ends.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(builderTimeoutMs)]),
  });
  await new Promise<void>((resolve) => {
    child.on('spawn', () => setPriority(child.pid!, builderPriority));
    child.on('error', () => resolve());
    child.on('exit', (code) => {
      if (code !== 0) log.warn({ code }, 'could not build place data; run npm run places to see why');
      resolve();
    });
  });
};
