import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { migrate } from '@hearth/core/db/connection/migrate.ts';
import { isDatabaseUnavailable, openDatabase } from '@hearth/core/db/connection/database.ts';
import type { Log } from '@hearth/core/log.ts';
import { serveMetrics } from '@hearth/core/metrics.ts';
import { s3SettingsOf } from '@hearth/core/commonConfig.ts';
import { openDiskSpace, type DiskPlace } from '@hearth/core/disk/diskSpace.ts';
import { hasUser } from '@hearth/core/db/accounts/users.ts';
import { openObjects } from '@hearth/core/objects/openObjects.ts';
import { retryUntilDone } from '@hearth/core/retryUntilDone.ts';
import { openQueues } from '@hearth/core/queue/openQueues.ts';
import { createAttemptLimiter } from './limits/attemptLimiter.ts';
import { createApiServer, type ServeOptions } from './app.ts';
import type { ApiConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { startHousekeeper } from './housekeeping/housekeeper.ts';
import { createLinks } from './links.ts';
import { createLiveUpdates } from './liveUpdates.ts';
import { createOneTimeCode } from './oneTimeCode.ts';
import { createSearchLimiter } from './limits/searchLimiter.ts';
import { createSharedLinks } from './sharedLinks.ts';
import { shareLookups } from './shareLookups.ts';
import { createThumbnailLinks } from './thumbnailLinks.ts';
import { createTokens } from './tokens.ts';

/** Connections of one API process: requests of people, and the housekeeper. */
const maxConnections = 16;

/** Where an API process writes files: nowhere with an S3 store. */
export const objectPlaces = (config: Pick<ApiConfig, 's3Endpoint' | 'dataDirectory'>): DiskPlace[] =>
  config.s3Endpoint === undefined ? [{ name: 'objects', path: join(config.dataDirectory, 'objects') }] : [];

/** Opens what the API works with; nothing is connected to before it is first used. */
export const openDeps = async (
  config: ApiConfig,
  log: Log,
  disk = openDiskSpace({ places: objectPlaces(config), reserveBytes: config.diskReserveBytes, log }),
): Promise<Deps> => {
  const db = openDatabase({
    url: config.databaseUrl,
    isPooled: config.databaseDirectUrl !== undefined,
    maxConnections,
    onError: (error) => log.debug({ err: error }, 'an idle database connection broke'),
  });
  const objects = await openObjects({ dataDirectory: config.dataDirectory, s3: s3SettingsOf(config) }, log);
  const { linkSecret: secret, linkSecretPrevious: previous, publicUrl: baseUrl = '' } = config;
  return {
    config,
    log,
    db,
    objects,
    queues: await openQueues(config, log),
    links: createLinks({ secret, previous, baseUrl, objects }),
    sharedLinks: createSharedLinks({ secret, previous, baseUrl }),
    thumbnailLinks: createThumbnailLinks({ secret, previous, baseUrl }),
    tokens: createTokens({ secret: config.tokenSecret, previous: config.tokenSecretPrevious }),
    liveUpdates: createLiveUpdates({ db, log }),
    attempts: createAttemptLimiter(),
    oneTimeCode: createOneTimeCode(),
    disk,
    searches: createSearchLimiter(),
    hasAccount: shareLookups((userId) => hasUser(db, userId)),
    state: { isStopping: false, isMigrated: false },
  };
};

/** How the API is started. */
export interface StartOptions extends Partial<ServeOptions> {
  /** Called when the port is taken and requests are answered, though most of them 503 until the database is up to date. */
  readonly onListening?: () => void;
}

/**
 * Serves, migrates the database and keeps house until the process is asked to end; `onStopped` runs after the last answer and with
 * everything closed. It answers from the first moment on: a process that waits for its database lives, and is to be left alone.
 * @throws SchemaTooNewError, the error of a database that cannot be reached, or that of a port that is taken
 */
export const startApi = async (deps: Deps, options: StartOptions = {}): Promise<Server> => {
  const { config, log } = deps;
  const running = new AsyncDisposableStack();
  running.defer(() => deps.db.destroy());
  running.defer(() => deps.queues.close());
  const diskWatch = deps.disk.watch();
  running.defer(() => diskWatch.stop());
  const metricsServer = await serveMetrics(config.metricsPort, config.host);
  running.defer(() => void metricsServer?.close());
  const server = createApiServer(deps, {
    ...options,
    onStopped: async () => {
      await running.disposeAsync();
      await options.onStopped?.();
    },
  });
  server.listen(config.port, config.host);
  await once(server, 'listening');
  options.onListening?.();
  // Not waited for: what does not need the store works without it, and the rest is answered 503 until it is there.
  void retryUntilDone(log, 'preparing the object store', () => deps.objects.prepare());
  // A database that is not there yet, or was killed a moment ago, is waited for; any other error ends the start.
  const applied = await retryUntilDone(
    log,
    'bringing the database up to date',
    () => migrate(config.databaseDirectUrl ?? config.databaseUrl),
    isDatabaseUnavailable,
  );
  if (applied.length > 0) log.info({ migrations: applied }, 'the database was brought up to date');
  // Asked to end meanwhile: everything is closed already.
  if (deps.state.isStopping) return server;
  deps.state.isMigrated = true;
  const housekeeper = startHousekeeper(deps);
  running.defer(() => housekeeper.stop());
  return server;
};
