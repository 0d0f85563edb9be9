import { parseArgs } from 'node:util';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import {
  describeHardware,
  saveFigures,
  publishTable,
  renderRow,
  formatToday,
} from '@hearth/testkit/figures/publish.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';
import { makeBurst, pool } from './burst.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { isReady } from './pods.ts';
import {
  chart,
  createNamespace,
  installRelease,
  openAccess,
  releaseName,
  type Access,
  type Release,
} from './release.ts';
import { listWorkedRuns, recordRuns } from './runHistory.ts';

/*
 * npm run bench:scale-out [-- --workers 1,2,3 --cores 0.25 --photos 120 --publish]: measures the same burst with
 * increasing numbers of workers, each limited to `--cores` by its cgroup.
 * The sum of the limits must leave enough of the machine for the API, the servers and Kubernetes. Otherwise these
 * become the bottleneck. `--json PATH` writes all figures.
 */
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,3' },
    cores: { type: 'string', default: '0.25' },
    photos: { type: 'string', default: '120' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});

/** Results for a number of workers. */
interface Measured {
  readonly workers: number;
  readonly photosPerSecond: number;
  readonly cpuSecondsPerPhoto: number;
}

/** Share of photos ignored at each end: the first workers are starting, and the last ones run out of work. */
const marginShare = 0.1;

const log = (doing: string): void => console.log(`${new Date().toISOString()} ${doing}`);

const measure = async (cluster: Cluster, release: Release, access: Access, workers: number): Promise<Measured> => {
  const where = ['--namespace', release.namespace];
  log(`${workers} workers`);
  await cluster.helm(['upgrade', releaseName, chart, ...where, ...release.imageValues, ...getEfficiencyBound(workers)]);
  const selector = `hearth.photos/pool=${pool}`;
  const pods = await waitFor(`${workers} workers`, async () => {
    const found = await release.pods(selector);
    return found.length === workers && found.every(isReady) && found;
  });
  const names = pods.map(({ metadata }) => metadata.name);
  const photos = await makeBurst(Number(values.photos));
  const earlier = (await listWorkedRuns(access.query)).length;
  const before = await measureCpuSeconds(cluster, release, names);
  const client = openClient(access.url, access.credentials);
  await mapConcurrently(8, photos, (photo) => client.upload(photo));
  await waitUntilReady(access.query);
  const cpuSeconds = (await measureCpuSeconds(cluster, release, names)) - before;
  const ends = (await listWorkedRuns(access.query))
    .slice(earlier)
    .filter(({ run }) => run.endsWith(' PREVIEW_THUMBNAIL'))
    .map(({ endedAt = NaN }) => endedAt)
    .toSorted((a, b) => a - b);
  const margin = Math.floor(ends.length * marginShare);
  const middle = ends.slice(margin, ends.length - margin);
  return {
    workers,
    photosPerSecond: ((middle.length - 1) * 1_000) / (middle.at(-1)! - middle[0]!),
    cpuSecondsPerPhoto: cpuSeconds / photos.length,
  };
};

/** Returns chart values for exactly this many workers with the CPU limit. */
const getEfficiencyBound = (workers: number): readonly string[] => [
  `--set=worker.pools.media.scaling.minReplicas=${workers}`,
  `--set=worker.pools.media.scaling.maxReplicas=${workers}`,
  `--set-string=worker.pools.media.resources.limits.cpu=${values.cores}`,
  `--set-string=worker.pools.media.resources.requests.cpu=50m`,
];

/** Sums the CPU seconds of the pods' containers since their start, from cgroup v1 or v2. */
const measureCpuSeconds = async (
  { kubectl }: Cluster,
  { namespace }: Release,
  pods: readonly string[],
): Promise<number> => {
  const script = 'cat /sys/fs/cgroup/cpuacct/cpuacct.usage 2>/dev/null || cat /sys/fs/cgroup/cpu.stat';
  let seconds = 0;
  for (const pod of pods) {
    const text = await kubectl(['--namespace', namespace, 'exec', pod, '--', 'sh', '-c', script]);
    const microseconds = /^usage_usec (\d+)$/m.exec(text)?.[1];
    seconds += microseconds === undefined ? Number(text) / 1e9 : Number(microseconds) / 1e6;
  }
  return seconds;
};

const renderTable = (measured: readonly Measured[]): string => {
  const [first] = measured;
  const rows = measured.map(({ workers, photosPerSecond, cpuSecondsPerPhoto }) =>
    renderRow(
      String(workers),
      photosPerSecond.toFixed(2),
      (photosPerSecond / first!.photosPerSecond).toFixed(2),
      (photosPerSecond / first!.photosPerSecond / (workers / first!.workers)).toFixed(2),
      cpuSecondsPerPhoto.toFixed(3),
    ),
  );
  return [
    `${formatToday()}, ${describeHardware()}; ${values.photos} photos of 1600 × 1200 pixels, each worker limited to ${values.cores} cores by its cgroup.`,
    '',
    renderRow('workers', 'photos per second', 'speedup', 'share of linear', 'CPU seconds of workers per photo'),
    renderRow('--:', '--:', '--:', '--:', '--:'),
    ...rows,
  ].join('\n');
};

if (missingCluster !== false) throw new Error(missingCluster);
const cluster = await openCluster();
const release = await installRelease(cluster, await createNamespace(cluster, 'scale'), getEfficiencyBound(1));
const access = await openAccess(cluster, release);
try {
  await recordRuns(access.query);
  const measured: Measured[] = [];
  for (const workers of values.workers.split(','))
    measured.push(await measure(cluster, release, access, Number(workers)));
  await saveFigures(values.json, { measured });
  await publishTable('bench:scale-out', renderTable(measured), { publish: values.publish, page: 'cluster-tests.md' });
} finally {
  access.close();
  await release.remove();
  cluster.close();
}
