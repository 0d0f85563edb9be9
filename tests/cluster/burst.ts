import { randomInt } from 'node:crypto';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { toPhoto, type Photo } from '@hearth/testkit/hearth/photos.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';
import type { Cluster } from './cluster.ts';
import { recordPods, type PodRecorder, type PodHistory } from './pods.ts';
import { releaseName, type Access, type Release } from './release.ts';
import { findInterruptedPods, listWorkedRuns, type InterruptedPod } from './runHistory.ts';

/** Measurements of a burst. */
export interface Burst {
  /** Seconds since the first upload response. */
  readonly seconds: BurstSeconds;
  /** Maximum number of replicas that the operator requested. */
  readonly maxDesired: number;
  /** Maximum number of workers ready at once. */
  readonly maxReady: number;
  /** All workers of the pool during the burst. */
  readonly workers: readonly PodHistory[];
  /** Workers that the operator removed during a run. */
  readonly busyEnds: readonly InterruptedPod[];
}

/** Seconds since the first upload response. */
interface BurstSeconds {
  /** The operator has scaled the pool up. */
  readonly scaled: number;
  /** The first worker pod is scheduled. */
  readonly scheduled: number;
  /** The container of the first worker pod is running. */
  readonly started: number;
  /** The first run has begun. */
  readonly firstRun: number;
  /** The first photo has a thumbnail. */
  readonly firstThumbnail: number;
  readonly allUploaded: number;
  readonly allReady: number;
  /** The pool has no pods again. */
  readonly empty: number;
}

/** The event fields that are read. */
interface DeploymentEvent {
  readonly object: { readonly spec: { readonly replicas: number } };
}

/** The worker pool that processes photos, and its Deployment. */
export const pool = 'media';
const deployment = `${releaseName}-worker-${pool}`;

/** Number of concurrent uploads. */
const uploadConcurrency = 16;

/**
 * Chart values that scale a pool down within seconds instead of minutes, so that many bursts fit into one test. Scaling
 * up is unchanged.
 */
export const fastScaleDownOptions: readonly string[] = [
  `--set=worker.poolDefaults.scaling.cooldownSeconds=20`,
  `--set-json=worker.poolDefaults.scaling.behavior={"scaleDown":{"stabilizationWindowSeconds":10,"maxPods":1,"periodSeconds":5}}`,
];

/** Generates photos with unique bytes. */
export const makeBurst = async (count: number): Promise<Photo[]> => {
  const begin = randomInt(2 ** 40);
  const photos: Photo[] = [];
  for (let index = 0; index < count; index++)
    photos.push(
      toPhoto(`burst-${index}.jpg`, await makeTestPhoto({ seed: begin + index, width: 1_600, height: 1_200 })),
    );
  return photos;
};

/** Resolves when no pool has any pods. */
export const waitUntilEmpty = (release: Release): Promise<true> =>
  waitFor(
    'every worker pod is gone',
    async () => (await release.pods('app.kubernetes.io/component=worker')).length === 0,
  );

/**
 * Uploads photos to a library whose pool is at zero. Resolves when all are READY and the pool is at zero again. Call
 * `recordRuns` first.
 */
export const runBurst = async (
  cluster: Cluster,
  release: Release,
  { url, credentials, query }: Access,
  photos: readonly Photo[],
): Promise<Burst> => {
  const { namespace } = release;
  const recorder = recordPods(cluster, namespace);
  const watching = new AbortController();
  const desired: { readonly at: number; readonly replicas: number }[] = [];
  void cluster.watch(
    `/apis/apps/v1/namespaces/${namespace}/deployments?watch=1&fieldSelector=metadata.name=${deployment}`,
    (event) => desired.push({ at: Date.now(), replicas: (event as DeploymentEvent).object.spec.replicas }),
    watching.signal,
  );
  try {
    const earlierRuns = (await listWorkedRuns(query)).length;
    const client = openClient(url, credentials);
    let firstAt = Infinity;
    await mapConcurrently(uploadConcurrency, photos, async (photo) => {
      await client.upload(photo);
      firstAt = Math.min(firstAt, Date.now());
    });
    const uploadedAt = Date.now();
    await waitUntilReady(query);
    const readyAt = Date.now();
    await waitUntilEmpty(release);
    const emptyAt = Date.now();
    const runs = (await listWorkedRuns(query)).slice(earlierRuns);
    const workers = listWorkers(recorder);
    const since = (at: number | undefined): number => Math.round(((at ?? NaN) - firstAt) / 100) / 10;
    const first = workers.toSorted((a, b) => (a.startedAt ?? Infinity) - (b.startedAt ?? Infinity))[0];
    const thumbnails = runs.filter(({ run }) => run.endsWith(' PREVIEW_THUMBNAIL'));
    return {
      seconds: {
        scaled: since(desired.find(({ replicas }) => replicas > 0)?.at),
        scheduled: since(first?.scheduledAt),
        started: since(first?.startedAt),
        firstRun: since(Math.min(...runs.map(({ beganAt }) => beganAt))),
        firstThumbnail: since(Math.min(...thumbnails.map(({ endedAt }) => endedAt ?? Infinity))),
        allUploaded: since(uploadedAt),
        allReady: since(readyAt),
        empty: since(emptyAt),
      },
      maxDesired: Math.max(...desired.map(({ replicas }) => replicas)),
      maxReady: countMaxConcurrent(workers),
      workers,
      busyEnds: findInterruptedPods(runs, workers),
    };
  } finally {
    watching.abort();
    recorder.stop();
  }
};

const listWorkers = (recorder: PodRecorder): PodHistory[] =>
  recorder.histories().filter(({ role }) => role === `worker ${pool}`);

/** Returns the maximum number of pods ready at once. */
const countMaxConcurrent = (workers: readonly PodHistory[]): number =>
  Math.max(
    0,
    ...workers.map(
      ({ readyAt: moment }) =>
        workers.filter(
          ({ readyAt, deletionRequestedAt }) =>
            moment !== undefined &&
            readyAt !== undefined &&
            readyAt <= moment &&
            (deletionRequestedAt ?? Infinity) > moment,
        ).length,
    ),
  );
