import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type MeasuredProcess = 'api' | 'worker';

/** A back end that a process depends on. */
export type BackEnd = 'database' | 'queue' | 'objects';

const everywhere = new Registry();
const ofProcess: Readonly<Record<MeasuredProcess, Registry>> = { api: new Registry(), worker: new Registry() };
const onApi = { registers: [ofProcess.api] };
const onWorker = { registers: [ofProcess.worker] };
const onBoth = { registers: [everywhere] };

/**
 * All metrics, by their name in code. Labels must have few values: never an id, path or user. `npm run docs:monitoring`
 * generates the page about them.
 */
export const metrics = {
  requestSeconds: new Histogram({
    ...onApi,
    name: 'hearth_http_request_duration_seconds',
    help: 'Time from a request to the end of its response, by route pattern',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  }),
  uploadedBytes: new Counter({
    ...onApi,
    name: 'hearth_uploaded_bytes_total',
    help: 'Bytes of originals stored by uploads',
  }),
  passwordHashes: new Counter({
    ...onApi,
    name: 'hearth_password_hashes_total',
    help: 'Passwords hashed, to sign in or to be set',
  }),
  housekeeperLeader: new Gauge({
    ...onApi,
    name: 'hearth_housekeeper_leader',
    help: '1 in the process that runs the housekeeping tasks of a lane (short, long, scrub), otherwise 0',
    labelNames: ['lane'],
  }),
  housekeepingFailures: new Gauge({
    ...onApi,
    name: 'hearth_housekeeping_consecutive_failures',
    help: 'How often a housekeeping task has failed since its last success; only the housekeeper of its lane exports it',
    labelNames: ['task'],
  }),
  queueDepth: new Gauge({
    ...onApi,
    name: 'hearth_queue_depth',
    help: 'Jobs that wait or are being worked on; only the housekeeper of the short lane exports it',
    labelNames: ['pool'],
  }),
  jobs: new Gauge({
    ...onApi,
    name: 'hearth_jobs',
    help: 'Library jobs that are not finished; only the housekeeper of the short lane exports it',
    labelNames: ['status'],
  }),
  jobItems: new Counter({
    ...onApi,
    name: 'hearth_job_items_total',
    help: 'Media items that library jobs have handled, by outcome: done or failed; of a failed one some component has failed',
    labelNames: ['outcome'],
  }),
  orphans: new Gauge({
    ...onApi,
    name: 'hearth_orphans',
    help: 'Originals that no media item names; only the housekeeper of the long lane exports it',
  }),
  orphanBytes: new Gauge({
    ...onApi,
    name: 'hearth_orphan_bytes',
    help: 'Bytes of the originals that no media item names; only the housekeeper of the long lane exports it',
  }),
  originals: new Gauge({
    ...onApi,
    name: 'hearth_originals',
    help: 'Originals by their last check: OK, UNCHECKED, DAMAGED or MISSING; only the housekeeper of the long lane exports it',
    labelNames: ['state'],
  }),
  scrubStopped: new Gauge({
    ...onApi,
    name: 'hearth_scrub_stopped',
    help: '1 if the scrub is stopped because the store fails, is not the one of this library, or lacks most originals; only the housekeeper of the long lane exports it',
  }),
  scrubCompleted: new Gauge({
    ...onApi,
    name: 'hearth_scrub_completed_timestamp_seconds',
    help: 'When the last pass of the scrub ended; until the first has ended, when it began; only the housekeeper of the long lane exports it',
  }),
  scrubPeriod: new Gauge({
    ...onApi,
    name: 'hearth_scrub_period_seconds',
    help: 'HEARTH_SCRUB_DAYS in seconds, 0 if the scrub is off; only the housekeeper of the long lane exports it',
  }),
  renditionsRepaired: new Gauge({
    ...onApi,
    name: 'hearth_renditions_repaired',
    help: 'Damaged or missing renditions that the scrub has made due again; only the housekeeper of the long lane exports it',
  }),
  diskBallastBytes: new Gauge({
    ...onApi,
    name: 'hearth_disk_ballast_bytes',
    help: 'Bytes reserved on the disk of the embedded database; released when other programs fill the disk',
  }),
  runs: new Counter({
    ...onWorker,
    name: 'hearth_component_runs_total',
    help: 'Runs of components that ended, by outcome: DONE, SKIPPED, BLOCKED, FAILED, RETRY, POSTPONED or DROPPED',
    labelNames: ['component', 'outcome'],
  }),
  runSeconds: new Histogram({
    ...onWorker,
    name: 'hearth_component_run_duration_seconds',
    help: 'Time of one run of a component',
    labelNames: ['component'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
  }),
  workerSlots: new Gauge({
    ...onWorker,
    name: 'hearth_worker_slots',
    help: 'Items that this worker works on at once at most, without the spare slot of photos',
    labelNames: ['pool'],
  }),
  workerSlotsUsed: new Gauge({
    ...onWorker,
    name: 'hearth_worker_slots_used',
    help: 'Items that this worker has in hand',
    labelNames: ['pool'],
  }),
  decoderConfinement: new Gauge({
    ...onWorker,
    name: 'hearth_decoder_confinement',
    help: 'What keeps a decoder from everything but the file that it opens: 1 for bubblewrap, landlock or none',
    labelNames: ['kind'],
  }),
  backEndUp: new Gauge({
    ...onBoth,
    name: 'hearth_back_end_up',
    help: 'Whether a back end answered this process within two seconds: database, queue or objects',
    labelNames: ['back_end'],
  }),
  diskFreeBytes: new Gauge({
    ...onBoth,
    name: 'hearth_disk_free_bytes',
    help: 'Free bytes of the file system of objects, database or scratch files, where this process writes there',
    labelNames: ['place'],
  }),
  diskReserveBytes: new Gauge({
    ...onBoth,
    name: 'hearth_disk_reserve_bytes',
    help: 'Bytes that should stay free there: below, uploads are refused and processing waits',
    labelNames: ['place'],
  }),
};

/** Removes all series of a gauge until it is set again, because an outdated value is worse than none. */
export const clearGauge = (gauge: Gauge): void => {
  gauge.reset();
  // `reset` gives a gauge without labels a series with value 0.
  gauge.remove({});
};

/** Returns the registry of a process, with Node's default metrics. */
export const getRegistry = (process: MeasuredProcess): Registry => {
  const registry = Registry.merge([everywhere, ofProcess[process]]);
  collectDefaultMetrics({ register: registry });
  return registry;
};

export interface MetricsOptions {
  /** 0 disables metrics. */
  readonly port: number;
  readonly host: string;
  readonly process: MeasuredProcess;
  /** Called for each scrape. Must return within Prometheus's scrape timeout of 10 s. */
  readonly checkBackEnds: () => Promise<Readonly<Record<BackEnd, boolean>>>;
}

/**
 * Serves metrics and `/livez` on a separate port until the server is closed.
 * @throws the error of listening, such as EADDRINUSE
 */
export const serveMetrics = async (options: MetricsOptions): Promise<Server | undefined> => {
  const { port, host, process, checkBackEnds } = options;
  if (port === 0) return undefined;
  const registry = getRegistry(process);
  const expose = async (): Promise<string> => {
    for (const [name, isUp] of Object.entries(await checkBackEnds()))
      metrics.backEndUp.set({ back_end: name }, isUp ? 1 : 0);
    return registry.metrics();
  };
  const server = createServer((req, res) => {
    if (req.url === '/livez') {
      // Served by the event loop that does the work: if it blocks, the kubelet's probe fails and restarts the process.
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
      return;
    }
    if (req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    expose().then(
      (text) => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server.unref();
};
