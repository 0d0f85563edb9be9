import { randomInt } from 'node:crypto';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { asPhoto, type Photo } from '@hearth/testkit/hearth/photos.ts';
import { until, untilReady } from '@hearth/testkit/hearth/wait.ts';
import type { Cluster } from './cluster.ts';
import { recordPods, type PodRecorder, type PodStory } from './pods.ts';
import { releaseName, type Access, type Release } from './release.ts';
import { findBusyEnds, listWorkedRuns, type BusyEnd } from './runHistory.ts';

/** What came of many photos posted at once. */
export interface Burst {
  /** Seconds from the first answered upload. */
  readonly seconds: BurstSeconds;
  /** The most workers of the pool that were asked for, and that were ready at the same time. */
  readonly mostDesired: number;
  readonly mostReady: number;
  /** Workers of the pool that were there. */
  readonly workers: readonly PodStory[];
  /** Workers that the operator removed although they had a run in hand. */
  readonly busyEnds: readonly BusyEnd[];
}

/** Each from the first answered upload. */
interface BurstSeconds {
  /** The operator has asked for a worker. */
  readonly scaled: number;
  /** Its pod has a node. */
  readonly scheduled: number;
  /** Its container runs. */
  readonly started: number;
  /** The first run has begun. */
  readonly firstRun: number;
  /** The first photo has its thumbnail. */
  readonly firstThumbnail: number;
  readonly allUploaded: number;
  readonly allReady: number;
  /** The pool has no pod any more. */
  readonly empty: number;
}

/** What is looked at of an event of a Deployment. */
interface DeploymentEvent {
  readonly object: { readonly spec: { readonly replicas: number } };
}

/** The pool that works on photos, and its Deployment. */
export const pool = 'media';
const deployment = `${releaseName}-worker-${pool}`;

/** Uploads in flight at the same time. */
const lanes = 16;

/** A pool that ends some seconds after its work instead of minutes, so that many bursts fit into one test. Nothing of how it grows is changed. */
export const quickToEmpty: readonly string[] = [
  `--set=worker.poolDefaults.scaling.cooldownSeconds=20`,
  `--set-json=worker.poolDefaults.scaling.behavior={"scaleDown":{"stabilizationWindowSeconds":10,"maxPods":1,"periodSeconds":5}}`,
];

/** Makes photos that no library has. */
export const makeBurst = async (count: number): Promise<Photo[]> => {
  const begin = randomInt(2 ** 40);
  const photos: Photo[] = [];
  for (let index = 0; index < count; index++)
    photos.push(
      asPhoto(`burst-${index}.jpg`, await makeTestPhoto({ seed: begin + index, width: 1_600, height: 1_200 })),
    );
  return photos;
};

/** Resolves when no pool has a pod. */
export const untilEmpty = (release: Release): Promise<true> =>
  until('there is no worker', async () => (await release.pods('app.kubernetes.io/component=worker')).length === 0);

/** Posts photos to a library whose pool has no pod, and resolves when all are READY and the pool has no pod again. The runs have to be recorded. */
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
    await mapConcurrently(lanes, photos, async (photo) => {
      await client.upload(photo);
      firstAt = Math.min(firstAt, Date.now());
    });
    const uploadedAt = Date.now();
    await untilReady(query);
    const readyAt = Date.now();
    await untilEmpty(release);
    const emptyAt = Date.now();
    const runs = (await listWorkedRuns(query)).slice(earlierRuns);
    const workers = workersOf(recorder);
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
      mostDesired: Math.max(...desired.map(({ replicas }) => replicas)),
      mostReady: mostAtOnce(workers),
      workers,
      busyEnds: findBusyEnds(runs, workers),
    };
  } finally {
    watching.abort();
    recorder.stop();
  }
};

const workersOf = (recorder: PodRecorder): PodStory[] =>
  recorder.stories().filter(({ role }) => role === `worker ${pool}`);

/** How many pods were ready at the same time. */
const mostAtOnce = (workers: readonly PodStory[]): number =>
  Math.max(
    0,
    ...workers.map(
      ({ readyAt: moment }) =>
        workers.filter(
          ({ readyAt, endAskedAt }) =>
            moment !== undefined && readyAt !== undefined && readyAt <= moment && (endAskedAt ?? Infinity) > moment,
        ).length,
    ),
  );
