import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { conflictFinder } from './apply/conflicts.ts';
import { ApiError } from './cluster/apiError.ts';
import { openApiServer } from './cluster/apiServer.ts';
import { openCluster } from './cluster/cluster.ts';
import { standForElection, type Leadership } from './cluster/election.ts';
import type { QueueScaler } from './cluster/objects.ts';
import { watchForever } from './cluster/watch.ts';
import { configureProcess } from './config.ts';
import { serveHealth } from './health.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { targetObserver } from './observe/observeTarget.ts';
import { openRedisConnections } from './observe/redis.ts';
import { reconciler } from './reconcile.ts';
import { openWorkQueue } from './workQueue.ts';

/** Turns that may be missed, and milliseconds without a try to lead, before the process counts as stuck. */
const maxMissedTurns = 3;
const maxSilenceMs = 30_000;

/** Milliseconds that the end may take: turns in hand, and giving the lease back. */
const endMs = 5_000;

/** Milliseconds for which turns in hand are waited for before the lease is given back: what they still want to write is refused then. */
const handOverMs = 500;

const config = configureProcess();
const log = createLog(config.logLevel);
const metrics = createMetrics();
const ending = new AbortController();
/** Whether this process leads, and until when; and what it may still come to. */
const office: { leadership?: Leadership | undefined; election?: Promise<Leadership | undefined> } = {};
let lastTurnAt = performance.now();
let hasReached = false;

const apiServer = openApiServer(
  {
    url: config.kubernetesUrl,
    caFile: config.kubernetesCaFile,
    tokenFile: config.kubernetesTokenFile,
    silenceMs: config.watchSilenceSeconds * 1_000,
  },
  (method, status) => {
    hasReached ||= status > 0 && status < 400;
    metrics.recordRequest(method, status);
  },
);
const cluster = openCluster(apiServer, config.namespace, () => office.leadership?.isLeading() ?? false);
const redis = openRedisConnections();
const known = new Map<string, QueueScaler>();
const observeTarget = targetObserver({ cluster, redis, redisUrl: config.redisUrl });
const findConflict = conflictFinder(cluster, known);
const reconcile = reconciler({ cluster, observeTarget, findConflict, known, metrics, log });
const queue = openWorkQueue({
  work: async (name) => {
    const begin = performance.now();
    const seconds = (): number => (performance.now() - begin) / 1_000;
    try {
      const next = await reconcile(name);
      metrics.recordReconcile(seconds(), 'success');
      return next;
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
    if (performance.now() - lastTurnAt > maxSilenceMs) return 'leader election is stuck';
    return queue.lag() > maxMissedTurns ? 'the reconciliation of a QueueScaler is overdue' : undefined;
  },
  readyz: () => (hasReached ? undefined : 'the API server has not answered yet'),
});
const identity = `${config.name}_${randomBytes(4).toString('hex')}`;
const { namespace, leaseName } = config;
log.info({ port: (server.address() as AddressInfo).port, identity, namespace }, 'started');

office.election = standForElection({
  cluster,
  leaseName,
  identity,
  signal: ending.signal,
  onTrouble: (error) => log.warn({ err: error }, 'leader election failed, retrying'),
  onTurn: () => (lastTurnAt = performance.now()),
});
office.leadership = await office.election;
if (office.leadership !== undefined && !ending.signal.aborted) {
  metrics.setLeading(true);
  log.info({ identity }, 'leading');
  void office.leadership.lost.then(() => {
    if (ending.signal.aborted) return;
    // What is in hand and remembered here is another's now: a process that begins anew cannot mistake it for its own.
    log.error('leader election lost, exiting');
    process.exit(1);
  });
  setInterval(() => redis.closeIdle(), 60_000).unref();
  await watchForever<QueueScaler>({
    list: () => cluster.listQueueScalers(),
    watch: (...where) => cluster.watchQueueScalers(...where),
    onList: (items) => {
      // Those that are gone are found to be by their turn.
      for (const name of known.keys()) queue.add(name);
      for (const item of items) hear(item);
    },
    onChange: (type, item) => (type === 'DELETED' ? queue.add(item.metadata.name) : hear(item)),
    onTrouble: (error) => log.warn({ err: error }, 'watch failed, listing QueueScalers again'),
    signal: ending.signal,
  });
}

/** A change of what is asked for has its turn at once. Our own writes change the status only. */
function hear(scaler: QueueScaler): void {
  const { name, uid, generation } = scaler.metadata;
  const before = known.get(name)?.metadata;
  if (before?.uid === uid && before.generation === generation) return;
  known.set(name, scaler);
  queue.add(name);
}

async function end(exitCode: number): Promise<void> {
  if (ending.signal.aborted) return;
  ending.abort();
  setTimeout(() => process.exit(1), endMs).unref();
  await Promise.race([queue.stop(), new Promise((resolve) => setTimeout(resolve, handOverMs))]);
  // A lease that is just being taken is given back, too; `endMs` bounds all of this.
  const leadership = await office.election;
  await leadership?.release().catch((error: unknown) => log.warn({ err: error }, 'the lease could not be released'));
  redis.close();
  apiServer.close();
  process.exit(exitCode);
}
