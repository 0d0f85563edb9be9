import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type MeasuredProcess = 'api' | 'worker';

/** A back end that a process depends on. */
export type BackEnd = 'database' | 'queue' | 'objects';

const sharedRegistry = new Registry();
const processRegistries: Readonly<Record<MeasuredProcess, Registry>> = { api: new Registry(), worker: new Registry() };
const onApi = { registers: [processRegistries.api] };
const onWorker = { registers: [processRegistries.worker] };
const onBoth = { registers: [sharedRegistry] };

/**
 * All metrics, by their name in code. Labels must have few values: never an id, path or user. `npm run docs:monitoring`
 * generates the page about them.
 */
export const metrics = {
  requestSeconds: new Histogram({
    ...onApi,
    name: 'hearth_http_request_duration_seconds',
    help: 'HTTP request duration, by route pattern',
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
    help: 'Passwords hashed for sign-ins and password changes',
  }),
  housekeeperLeader: new Gauge({
    ...onApi,
    name: 'hearth_housekeeper_leader',
    help: '1 in the process that runs the housekeeping tasks of this lane (short, long, scrub), otherwise 0',
    labelNames: ['lane'],
  }),
  housekeepingFailures: new Gauge({
    ...onApi,
    name: 'hearth_housekeeping_consecutive_failures',
    help: 'Consecutive failures of a housekeeping task; exported by the housekeeper of its lane',
    labelNames: ['task'],
  }),
  queueDepth: new Gauge({
    ...onApi,
    name: 'hearth_queue_depth',
    help: 'Waiting and active jobs of the queue; exported by the housekeeper of the short lane',
    labelNames: ['pool'],
  }),
  jobs: new Gauge({
    ...onApi,
    name: 'hearth_jobs',
    help: 'Unfinished library jobs; exported by the housekeeper of the short lane',
    labelNames: ['status'],
  }),
  jobItems: new Counter({
    ...onApi,
    name: 'hearth_job_items_total',
    help: 'Media items processed by library jobs, by outcome: done, or failed if any component failed',
    labelNames: ['outcome'],
  }),
  orphans: new Gauge({
    ...onApi,
    name: 'hearth_orphans',
    help: 'Originals without a media item; exported by the housekeeper of the long lane',
  }),
  orphanBytes: new Gauge({
    ...onApi,
    name: 'hearth_orphan_bytes',
    help: 'Bytes of originals without a media item; exported by the housekeeper of the long lane',
  }),
  originals: new Gauge({
    ...onApi,
    name: 'hearth_originals',
    help: 'Originals by their last check: OK, UNCHECKED, DAMAGED or MISSING; exported by the housekeeper of the long lane',
    labelNames: ['state'],
  }),
  scrubStopped: new Gauge({
    ...onApi,
    name: 'hearth_scrub_stopped',
    help: '1 if the scrub stopped because the store fails, belongs to another library, or has lost most originals; exported by the housekeeper of the long lane',
  }),
  scrubCompleted: new Gauge({
    ...onApi,
    name: 'hearth_scrub_completed_timestamp_seconds',
    help: 'End of the last complete scrub, or start of the first one while it runs; exported by the housekeeper of the long lane',
  }),
  scrubPeriod: new Gauge({
    ...onApi,
    name: 'hearth_scrub_period_seconds',
    help: 'HEARTH_SCRUB_DAYS in seconds, 0 if the scrub is off; exported by the housekeeper of the long lane',
  }),
  renditionsRepaired: new Gauge({
    ...onApi,
    name: 'hearth_renditions_repaired',
    help: 'Damaged or missing renditions that the scrub queued again; exported by the housekeeper of the long lane',
  }),
  diskBallastBytes: new Gauge({
    ...onApi,
    name: 'hearth_disk_ballast_bytes',
    help: 'Bytes reserved on the disk of the embedded database; released when other programs fill the disk',
  }),
  runs: new Counter({
    ...onWorker,
    name: 'hearth_component_runs_total',
    help: 'Finished component runs, by outcome: DONE, SKIPPED, BLOCKED, FAILED, RETRY, POSTPONED or DROPPED',
    labelNames: ['component', 'outcome'],
  }),
  runSeconds: new Histogram({
    ...onWorker,
    name: 'hearth_component_run_duration_seconds',
    help: 'Duration of a component run',
    labelNames: ['component'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
  }),
  workerSlots: new Gauge({
    ...onWorker,
    name: 'hearth_worker_slots',
    help: 'Maximum number of items processed at once by this worker, without the extra slot for photos',
    labelNames: ['pool'],
  }),
  workerSlotsUsed: new Gauge({
    ...onWorker,
    name: 'hearth_worker_slots_used',
    help: 'Items being processed by this worker',
    labelNames: ['pool'],
  }),
  decoderConfinement: new Gauge({
    ...onWorker,
    name: 'hearth_decoder_confinement',
    help: 'Sandbox of the decoders: 1 for bubblewrap, landlock or none',
    labelNames: ['kind'],
  }),
  backEndUp: new Gauge({
    ...onBoth,
    name: 'hearth_back_end_up',
    help: '1 if a back end responded to this process within two seconds: database, queue or objects',
    labelNames: ['back_end'],
  }),
  diskFreeBytes: new Gauge({
    ...onBoth,
    name: 'hearth_disk_free_bytes',
    help: 'Free bytes of the file systems this process writes to: objects, database or scratch files',
    labelNames: ['place'],
  }),
  diskReserveBytes: new Gauge({
    ...onBoth,
    name: 'hearth_disk_reserve_bytes',
    help: 'Reserve of free bytes; below it, uploads are rejected and processing waits',
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
  const registry = Registry.merge([sharedRegistry, processRegistries[process]]);
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
 * Serves metrics and `/livez` on a separate port until the server is closed. Returns undefined for port 0.
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
      // Served by the event loop that does the work: if it blocks, the kubelet's probe fails, and the kubelet restarts
      // the process.
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
