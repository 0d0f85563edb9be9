import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { childEnvironment, configureProcess } from '@hearth/core/configureProcess.ts';
import { DataDirectoryInUseError, lockDataDirectory } from '@hearth/core/embedded/dataDirectoryLock.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@hearth/core/embedded/postgres.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { retryUntilDone } from '@hearth/core/retryUntilDone.ts';
import { createLog } from '@hearth/core/log.ts';
import { onParentGone } from '@hearth/core/shutdown.ts';
import type { ApiConfig } from '../config.ts';
import { openDeps, startApi } from '../startApi.ts';
import { embeddedVariables } from './config.ts';
import { ensureUser } from './firstUser.ts';
import { loadSecrets, saveSecrets, type Secrets } from './secrets.ts';
import { startWorkerProcess, type WorkerProcess } from './workerProcess.ts';

/*
 * npm start: everything on one machine with no services. The order of the start, which is that of the end backwards:
 *
 * 1. the configuration, before anything is touched
 * 2. the data directory, for this process alone
 * 3. the secrets, made at the first start
 * 4. the database, unless HEARTH_DATABASE_URL names another one
 * 5. the API: migrations, housekeeping, first user, port
 * 6. the worker, a child process
 */
const given = configureProcess('npm start: Hearth on this machine, with a database of its own.', embeddedVariables);
const log = createLog('api', given.logLevel);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  await start();
} catch (error) {
  const isOurs = error instanceof DataDirectoryInUseError;
  process.stderr.write(`Hearth cannot start: ${explain(error)}\n`);
  if (!isOurs) log.debug({ err: error }, 'start failed');
  process.exit(1);
}

async function start(): Promise<void> {
  await mkdir(given.dataDirectory, { recursive: true, mode: 0o700 });
  const lock = lockDataDirectory(given.dataDirectory);
  const secrets = await loadSecrets(given.dataDirectory);
  const database = given.databaseUrl === undefined ? await startDatabase(secrets) : undefined;
  const config: ApiConfig = {
    ...given,
    databaseUrl: database?.url() ?? given.databaseUrl ?? '',
    adminPassword: given.adminPassword ?? secrets.adminPassword,
    tokenSecret: given.tokenSecret ?? secrets.tokenSecret,
    linkSecret: given.linkSecret ?? secrets.linkSecret,
  };
  let worker: WorkerProcess | undefined;
  let { port } = config;
  const stopAll = async (): Promise<void> => {
    await worker?.stop();
    await database?.stop();
    lock.release();
    say('Hearth has stopped.');
  };
  try {
    const deps = await openDeps(config, log);
    const server = await startApi(deps, stopAll);
    port = (server.address() as AddressInfo).port;
    onParentGone(end);
    process.on('SIGHUP', end);
    worker = startWorkerProcess(workerEnvironment(config), log, end);
    const { firstUser } = secrets;
    if (firstUser !== undefined) {
      await retryUntilDone(log, 'making the first user', () => ensureUser(deps.db, firstUser), isDatabaseUnavailable);
    }
  } catch (error) {
    await worker?.stop();
    await database?.stop();
    throw error;
  }
  say(banner({ ...config, port }, secrets));
  if (secrets.firstUser !== undefined) await saveSecrets(config.dataDirectory, { ...secrets, firstUser: undefined });
}

/** As if it had been asked from outside: by terminus, which lets requests in flight finish first. */
function end(): void {
  process.kill(process.pid, 'SIGTERM');
}

async function startDatabase({ databasePassword }: Secrets): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    directory: join(given.dataDirectory, 'postgres'),
    password: databasePassword,
    onProgress: (doing) => say(`Hearth: ${doing} …`),
    onTrouble: (what, error) => log.warn({ err: error }, what),
  });
}

/** The worker's configuration is that of this process, with what was made here. */
function workerEnvironment(config: ApiConfig): NodeJS.ProcessEnv {
  return childEnvironment({
    HEARTH_WORKER_NAME: 'embedded',
    HEARTH_DATA_DIR: config.dataDirectory,
    HEARTH_DATABASE_URL: config.databaseUrl,
    HEARTH_LOG_LEVEL: config.logLevel,
    HEARTH_METRICS_PORT: String(config.metricsPort === 0 ? 0 : config.metricsPort + 1),
  });
}

function banner(config: ApiConfig, { firstUser }: Secrets): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return [
    '',
    `Hearth is running at http://${host}:${config.port}`,
    '',
    ...(firstUser === undefined
      ? []
      : [
          `  Sign in as     ${firstUser.username}`,
          `  Password       ${firstUser.password}`,
          '                 (shown this once; npm run password -- family sets a new one)',
          `  Administrator  ${config.adminUsername}, for /v1/users`,
          `  Password       ${config.adminPassword}`,
          `                 (kept in ${join(config.dataDirectory, 'secrets.json')})`,
        ]),
    `  Data           ${config.dataDirectory}`,
    '  End            Ctrl-C',
    '',
  ].join('\n');
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `port ${port} is taken by another program: end that one, or set HEARTH_PORT or HEARTH_METRICS_PORT`;
  return error.message;
}
