import type { Deps } from '../deps/deps.ts';
import { startHousekeeper } from '../housekeeping/housekeeper.ts';
import { createApiServer, type ServeOptions } from './app.ts';
import { checkStore } from './checkStore.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { migrate } from '@hearth/core/db/migrate.ts';
import { checkBackEnds } from '@hearth/core/backEnds/checkBackEnds.ts';
import { serveMetrics } from '@hearth/core/metrics/metrics.ts';
import { retryUntilDone } from '@hearth/core/process/retryUntilDone.ts';
import { once } from 'node:events';
import type { Server } from 'node:http';

export interface StartOptions extends Partial<ServeOptions> {
  /** Called once the port is open. Most requests get 503 until the database is migrated. */
  readonly onListening?: () => void;
}

/**
 * Starts the server, migrates the database and runs housekeeping until shutdown. Calls `onStopped` after the last
 * response, with everything closed. Responds from the first moment, so that no supervisor kills a process that waits
 * for its database.
 * @throws SchemaTooNewError, SchemaUnknownError, WrongStoreError
 * @throws the error of an unusable database or an occupied port
 */
export const startApi = async (deps: Deps, options: StartOptions = {}): Promise<Server> => {
  const { config, log } = deps;
  const running = new AsyncDisposableStack();
  running.defer(() => deps.db.destroy());
  running.defer(() => deps.queues.close());
  running.defer(() => deps.queryEmbedder.close());
  const diskWatch = deps.disk.watch();
  running.defer(() => diskWatch.stop());
  const metricsServer = await serveMetrics({
    port: config.metricsPort,
    host: config.metricsHost,
    process: 'api',
    checkBackEnds: () => checkBackEnds(deps),
  });
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
  // Retries while the database is not reachable. Any other error ends the start.
  const applied = await retryUntilDone(
    log,
    'applying database migrations',
    () => migrate(config.databaseDirectUrl ?? config.databaseUrl, undefined, config.gitSha),
    isDatabaseUnavailable,
  );
  if (applied.length > 0) log.info({ migrations: applied }, 'applied database migrations');
  // Shutdown started meanwhile and has closed everything.
  if (deps.state.isStopping) return server;
  await checkStore(deps);
  if (deps.state.isStopping) return server;
  deps.state.isMigrated = true;
  const preparing = new AbortController();
  running.defer(() => preparing.abort());
  void prepareCandidates(deps, preparing.signal);
  const housekeeper = startHousekeeper(deps);
  running.defer(() => housekeeper.stop());
  return server;
};

/** Runs in the background: deriving the vectors of a library takes minutes. Until then, searches use signatures. */
const prepareCandidates = async ({ candidates, config, log }: Deps, signal: AbortSignal): Promise<void> => {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  try {
    const prepared = await retryUntilDone(
      log,
      'preparing semantic search',
      () => candidates.prepare(url, { signal }),
      (error) => !signal.aborted && isDatabaseUnavailable(error),
    );
    if (prepared.hasVectors) log.info('semantic search uses pgvector');
    else log.info({ why: prepared.why }, 'semantic search runs without pgvector');
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'could not prepare pgvector; semantic search runs without it');
  }
};
