import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';

/** Every metric of Hearth, by the name that code uses. Labels have few values: never an id, a path or a user. */
export const metrics = {
  requestSeconds: new Histogram({
    name: 'hearth_http_request_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  }),
  uploadedBytes: new Counter({ name: 'hearth_uploaded_bytes_total', help: 'Bytes of originals stored by uploads' }),
  passwordHashes: new Counter({
    name: 'hearth_password_hashes_total',
    help: 'Passwords hashed, to sign in or to be set',
  }),
  runSeconds: new Histogram({
    name: 'hearth_component_run_seconds',
    help: 'Time of one run of a component',
    labelNames: ['component', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
  }),
  decoderConfinement: new Gauge({
    name: 'hearth_decoder_confinement',
    help: 'What keeps a decoder from everything but the file that it opens: 1 for bubblewrap, landlock or none',
    labelNames: ['kind'],
  }),
  jobs: new Gauge({
    name: 'hearth_jobs',
    help: 'Library jobs that are not finished, as the housekeeper last saw them',
    labelNames: ['status'],
  }),
  jobItems: new Counter({
    name: 'hearth_job_items_total',
    help: 'Media items that library jobs have handled; of the failed ones some component has failed',
    labelNames: ['outcome'],
  }),
  orphans: new Gauge({
    name: 'hearth_orphans',
    help: 'Originals that no media item names, as the housekeeper last saw them: npm run orphans lists them and takes them back',
  }),
  orphanBytes: new Gauge({ name: 'hearth_orphan_bytes', help: 'Bytes of the originals that no media item names' }),
  diskFreeBytes: new Gauge({
    name: 'hearth_disk_free_bytes',
    help: 'Free bytes of the file system of objects, database or scratch files, where this process writes there',
    labelNames: ['place'],
  }),
  diskReserveBytes: new Gauge({
    name: 'hearth_disk_reserve_bytes',
    help: 'Bytes that should stay free there: below, uploads are refused and processing waits',
    labelNames: ['place'],
  }),
  diskBallastBytes: new Gauge({
    name: 'hearth_disk_ballast_bytes',
    help: 'Bytes held back for a disk that others fill, beside the embedded database',
  }),
  queueDepth: new Gauge({
    name: 'hearth_queue_depth',
    help: 'Jobs that wait or are being worked on, as the housekeeper last saw them',
    labelNames: ['pool'],
  }),
};

/**
 * Serves Hearth's metrics and those of the process on a port of their own until the server is closed, and `/livez`, which answers while the event
 * loop turns. Port 0 serves none.
 * @throws the error of listening, such as EADDRINUSE
 */
export const serveMetrics = async (port: number, host: string): Promise<Server | undefined> => {
  if (port === 0) return undefined;
  const server = createServer((req, res) => {
    if (req.url === '/livez') {
      // Answered by the event loop that does the work: if it stands still, kubelet gets no answer and ends the process.
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
      return;
    }
    if (req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    register.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': register.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  collectDefaultMetrics();
  return server.unref();
};
