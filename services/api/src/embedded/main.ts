import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  childEnvironment,
  configureProcess,
  exitCodes,
  findUnknownVariables,
} from '@hearth/core/config/configureProcess.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { openBallast } from '@hearth/core/disk/ballast.ts';
import { openDiskSpace, type DiskSpace } from '@hearth/core/disk/diskSpace.ts';
import { lockDataDirectory } from '@hearth/core/disk/dataDirectoryLock.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres/postgres.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { retryUntilDone } from '@hearth/core/process/retryUntilDone.ts';
import { onParentGone } from '@hearth/core/process/shutdown.ts';
import { workerVariables } from '@hearth/core/config/workerConfig.ts';
import type { ApiConfig } from '../config/config.ts';
import { objectPlaces, openDeps } from '../deps/openDeps.ts';
import { startApi } from '../server/startApi.ts';
import { embeddedVariables } from './config.ts';
import { createFirstSignInLink } from './firstSignInLink.ts';
import { ensureUser } from './firstUser.ts';
import { localAddress, runningMessage, startedAsRoot } from './messages.ts';
import { explainWrongSecrets, loadSecrets, rejectLostSecrets, saveSecrets, type Secrets } from './secrets.ts';
import { startWorkerProcess, type WorkerProcess } from './workerProcess.ts';

/*
 * npm start: everything on one machine, without other services. Starts in this order:
 *
 * 1. the configuration, before any change
 * 2. the data directory, locked for this process
 * 3. the secrets, created at the first start
 * 4. the database, unless HEARTH_DATABASE_URL is set
 * 5. the API: port, migrations, housekeeping
 * 6. the worker, a child process
 * 7. the first user
 *
 * Stops the API first, so that uploads can finish, then the worker and the database.
 */
const purpose = 'npm start: runs Hearth on this machine, with its own database.';
const given = configureProcess(purpose, embeddedVariables);
const log = createLog('api', given.logLevel);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
for (const name of findUnknownVariables(embeddedVariables)) print(`Hearth: unknown setting ${name} ignored`);

/** Cleanup in reverse order of the start. */
const started = new AsyncDisposableStack();
let ending: Promise<void> | undefined;
const endAll = async (): Promise<void> => (ending ??= started.disposeAsync());

let worker: WorkerProcess | undefined;
let isServing = false;
let isStopping = false;
let exitCode = 0;
let interrupts = 0;
process.on('SIGINT', () => ++interrupts === 2 && exitImmediately());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => isServing || exitImmediately());
process.on('SIGHUP', requestShutdown);
onParentGone(() => (isServing ? requestShutdown() : exitImmediately()));

try {
  await start();
} catch (error) {
  // Errors after a shutdown signal are expected. Terminus ends the process.
  if (!isStopping) {
    await endAll();
    process.stderr.write(`Hearth cannot start: ${explainFailure(error)}\n`);
    process.exit(1);
  }
}

async function start(): Promise<void> {
  await mkdir(given.dataDirectory, { recursive: true, mode: 0o700 });
  const lock = lockDataDirectory(given.dataDirectory);
  started.defer(() => lock.release());
  if (process.getuid?.() === 0) print(startedAsRoot);
  if (given.databaseUrl === undefined) rejectLostSecrets(given.dataDirectory);
  const secrets = await loadSecrets(given.dataDirectory, (line) => print(`Hearth: ${line}`));
  const disk = await openDisk();
  // If the disk is full, the database needs the space that the ballast frees.
  await disk.check({ isStarting: true });
  const config: ApiConfig = {
    ...given,
    databaseUrl: given.databaseUrl ?? (await startDatabase(secrets)).url(),
    adminPassword: given.adminPassword ?? secrets.adminPassword,
    tokenSecret: given.tokenSecret ?? secrets.tokenSecret,
    tokenSecretPrevious: [...given.tokenSecretPrevious, ...(secrets.tokenSecretPrevious ?? [])],
    linkSecret: given.linkSecret ?? secrets.linkSecret,
    linkSecretPrevious: [...given.linkSecretPrevious, ...(secrets.linkSecretPrevious ?? [])],
  };
  const deps = await openDeps(config, log, disk);
  const server = await startApi(deps, {
    onListening: () => (isServing = true),
    onStopping: reportWaiting,
    onStopped: finish,
  });
  const { port } = server.address() as AddressInfo;
  worker = startWorkerProcess(workerEnvironment(config), log, () => {
    exitCode = exitCodes.badConfiguration;
    requestShutdown();
  });
  started.defer(() => worker?.stop());
  const { firstUser } = secrets;
  if (firstUser !== undefined) {
    await retryUntilDone(log, 'creating the first user', () => ensureUser(deps.db, firstUser), isDatabaseUnavailable);
  }
  const adminPassword = given.adminPassword === undefined ? secrets.adminPassword : undefined;
  const running = { ...config, port };
  const address = config.publicUrl ?? localAddress(running);
  const firstSignInLink = await retryUntilDone(
    log,
    'checking for sign-ins',
    () => createFirstSignInLink(deps, address),
    isDatabaseUnavailable,
  );
  print(runningMessage(running, { firstUser, adminPassword, firstSignInLink }));
  if (firstUser !== undefined) await saveSecrets(config.dataDirectory, { ...secrets, firstUser: undefined });
}

/** Opens the disk watch before the database starts. Only this process may keep ballast in the data directory. */
async function openDisk(): Promise<DiskSpace> {
  const { databaseUrl, dataDirectory, diskReserveBytes: reserveBytes } = given;
  const folders = objectPlaces(given);
  if (databaseUrl !== undefined) return openDiskSpace({ folders, reserveBytes, log });
  const ballast = await openBallast(dataDirectory);
  return openDiskSpace({
    folders: [...folders, { name: 'database', path: dataDirectory }],
    reserveBytes,
    log,
    ballast,
  });
}

async function startDatabase({ databasePassword }: Secrets): Promise<EmbeddedPostgres> {
  const starting = startEmbeddedPostgres({
    directory: join(given.dataDirectory, 'postgres'),
    password: databasePassword,
    onProgress: (message) => print(`Hearth: ${message} …`),
    onTrouble: (message, error) => log.warn({ err: error }, message),
  });
  // Registered before the server runs, so that an interrupted start waits for it and leaves no server behind.
  started.defer(async () => (await starting.catch(() => undefined))?.stop());
  return explainWrongSecrets(given.dataDirectory, () => starting);
}

/** Sends SIGTERM to this process, so that terminus finishes the requests in flight first. */
function requestShutdown(): void {
  process.kill(process.pid, 'SIGTERM');
}

function reportWaiting(): void {
  isStopping = true;
  print(`Hearth is stopping: uploads have ${given.stopTimeoutSeconds} s to finish; press Ctrl-C again to stop now.`);
}

async function finish(): Promise<void> {
  await endAll();
  print('Hearth has stopped.');
  if (exitCode !== 0) process.exit(exitCode);
}

/** Exits without waiting. The next start resumes interrupted work. */
function exitImmediately(): void {
  worker?.kill();
  void endAll().finally(() => {
    print('Hearth has stopped.');
    process.exit(130);
  });
}

/** The worker gets this process's settings and the generated ones, but no secrets of the API. */
function workerEnvironment(config: ApiConfig): NodeJS.ProcessEnv {
  return childEnvironment(workerVariables, {
    HEARTH_WORKER_NAME: 'embedded',
    HEARTH_DATA_DIR: config.dataDirectory,
    HEARTH_DATABASE_URL: config.databaseUrl,
    HEARTH_LOG_LEVEL: config.logLevel,
    HEARTH_METRICS_PORT: String(config.metricsPort === 0 ? 0 : config.metricsPort + 1),
  });
}
