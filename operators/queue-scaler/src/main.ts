import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { QueueScaler } from './api/objects.ts';
import { createConflictFinder } from './apply/conflicts.ts';
import { ApiError } from './cluster/apiError.ts';
import { openApiServer } from './cluster/apiServer.ts';
import { openCluster } from './cluster/cluster.ts';
import { acquireLeadership, type Leadership } from './cluster/election.ts';
import { startInformer } from './cluster/informer.ts';
import { configureProcess } from './config.ts';
import { serveHealth } from './health.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createTargetObserver } from './observe/observeTarget.ts';
import { openRedisConnections } from './observe/redis.ts';
import { createReconciler } from './reconcile.ts';
import { openWorkQueue } from './workQueue.ts';

/** Limits of `/livez`: a reconcile overdue by this many intervals, or no leader election attempt for this long. */
const maxMissedIntervals = 3;
const maxElectionSilenceMs = 30_000;

/** Timeout of the whole shutdown, in ms. */
const shutdownMs = 5_000;

/** Time that running reconciles get before the lease is released, in ms. After the release their writes fail. */
const drainMs = 500;

/** Advice by listen error code. The error messages contain the address. */
const adviceByCode: Readonly<Record<string, string>> = {
  EADDRINUSE: 'stop the other program, or set HEARTH_METRICS_PORT',
  EADDRNOTAVAIL: 'not an address of this machine: correct HEARTH_METRICS_HOST',
  EACCES: 'set HEARTH_METRICS_PORT to a port above 1023',
};

const config = configureProcess();
const log = createLog(config.logLevel);
const metrics = createMetrics();
const shutdown = new AbortController();
/** The running election. Resolves with undefined if the process ends before it is elected. */
let election: Promise<Leadership | undefined> = Promise.resolve(undefined);
/** Returns true if this process may write. False until it is elected. */
let isLeading = (): boolean => false;
let lastElectionAttemptAt = performance.now();
let hasReachedApiServer = false;

const apiServer = openApiServer(
  {
    url: config.kubernetesUrl,
    caFile: config.kubernetesCaFile,
    tokenFile: config.kubernetesTokenFile,
    silenceMs: config.watchSilenceSeconds * 1_000,
  },
  (method, status) => {
    hasReachedApiServer ||= status > 0 && status < 400;
    metrics.recordRequest(method, status);
  },
);
const cluster = openCluster(apiServer, config.namespace, () => isLeading());
const redis = openRedisConnections();
const scalers = new Map<string, QueueScaler>();
const observeTarget = createTargetObserver({ cluster, redis, redisUrl: config.redisUrl });
const findConflict = createConflictFinder(cluster, scalers);
const reconcileScaler = createReconciler({ cluster, observeTarget, findConflict, scalers, metrics, log });
const queue = openWorkQueue({
  reconcile: async (name) => {
    const begin = performance.now();
    const seconds = (): number => (performance.now() - begin) / 1_000;
    try {
      const result = await reconcileScaler(name);
      metrics.recordReconcile(seconds(), 'success');
      return result;
    } catch (error) {
      metrics.recordReconcile(seconds(), 'error');
      throw error;
    }
  },
  onError: (scaler, error) => log.warn({ err: error, scaler }, 'reconciliation failed, retrying'),
  retryAfterMs: (error) => (error instanceof ApiError ? error.retryAfterMs : undefined),
});

process.on('SIGTERM', () => void end(0)).on('SIGINT', () => void end(0));
const server = await serveHealth(config, metrics, {
  livez: () => {
    if (performance.now() - lastElectionAttemptAt > maxElectionSilenceMs) return 'leader election is stuck';
    return queue.missedIntervals() > maxMissedIntervals ? 'the reconciliation of a QueueScaler is overdue' : undefined;
  },
  readyz: () => (hasReachedApiServer ? undefined : 'no response from the API server yet'),
}).catch((error: unknown) => {
  log.fatal({ err: error }, `could not start the operator: ${explainFailure(error)}`);
  process.exit(1);
});
const identity = `${config.name}_${randomBytes(4).toString('hex')}`;
const { namespace, leaseName } = config;
log.info({ port: (server.address() as AddressInfo).port, identity, namespace }, 'started');

election = acquireLeadership({
  cluster,
  leaseName,
  identity,
  signal: shutdown.signal,
  onError: (error) => log.warn({ err: error }, 'leader election failed, retrying'),
  onAttempt: () => (lastElectionAttemptAt = performance.now()),
});
const leadership = await election;
if (leadership !== undefined && !shutdown.signal.aborted) {
  ({ isLeading } = leadership);
  metrics.setLeading(true);
  log.info({ identity }, 'leading');
  void leadership.lost.then(() => {
    if (shutdown.signal.aborted) return;
    // Another process leads now. Exiting ensures that no reconcile and no history of the old leadership remains.
    log.error('leader election lost, exiting');
    process.exit(1);
  });
  setInterval(() => redis.closeIdle(), 60_000).unref();
  startInformer({
    cluster,
    onChange: enqueueIfSpecChanged,
    onDelete: queue.enqueue,
    onError: (error) => log.warn({ err: error }, 'watch failed, listing QueueScalers again'),
    signal: shutdown.signal,
  });
}

/** Enqueues a QueueScaler unless only its status changed. The generation counts changes of the spec. */
function enqueueIfSpecChanged(scaler: QueueScaler): void {
  const { name, uid, generation } = scaler.metadata;
  const before = scalers.get(name)?.metadata;
  if (before?.uid === uid && before.generation === generation) return;
  scalers.set(name, scaler);
  queue.enqueue(name);
}

async function end(exitCode: number): Promise<void> {
  if (shutdown.signal.aborted) return;
  shutdown.abort();
  setTimeout(() => process.exit(1), shutdownMs).unref();
  await Promise.race([queue.stop(), new Promise((resolve) => setTimeout(resolve, drainMs))]);
  // If the election acquires the lease at this moment, that lease is released too.
  const acquired = await election;
  await acquired?.release().catch((error: unknown) => log.warn({ err: error }, 'could not release the lease'));
  redis.close();
  apiServer.close();
  process.exit(exitCode);
}

/**
 * Joins the messages of an error and its causes with advice in one line. The API and the workers do the same, but their
 * code is not in this image.
 */
function explainFailure(error: unknown): string {
  const messages: string[] = [];
  let advice: string | undefined;
  for (let next = error; next instanceof Error && messages.length < 20; next = next.cause) {
    const { message, code = '' } = next as NodeJS.ErrnoException;
    messages.push(message || code);
    advice = adviceByCode[code] ?? advice;
  }
  return [messages.join(': ') || String(error), ...(advice === undefined ? [] : [advice])].join('; ');
}
