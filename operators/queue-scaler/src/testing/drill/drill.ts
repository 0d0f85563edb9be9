import { fileURLToPath } from 'node:url';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueScaler } from '../../api/objects.ts';
import { crdFile } from '../../crd/renderTypes.ts';
import { waitFor } from '../waitFor.ts';
import { countJobRuns, listTerminatedPods, type JournalEntry, type JobRuns, type TerminatedPod } from './journal.ts';
import type { Kubernetes } from './kubernetes.ts';
import { drilledManifests, namespace, namespaceManifest, quickened } from './manifests.ts';
import { findPrivileges, measurePod, type PodMemory } from './operatorPod.ts';
import { startRecorder, type Recorder, type Sample } from './recorder.ts';

export interface DrillReport {
  /** Seconds from the first manifest to ready QueueScalers. */
  readonly installSeconds: number;
  readonly samples: readonly Sample[];
  readonly marks: readonly Mark[];
  readonly terminated: readonly { readonly seconds: number; readonly pod: TerminatedPod }[];
  /** Runs of the jobs of each part. */
  readonly runs: Readonly<Record<string, readonly JobRuns[]>>;
  readonly memory: PodMemory;
  /** Violated expectations. */
  readonly problems: readonly string[];
}

/** An action or event for the report. */
export interface Mark {
  readonly seconds: number;
  readonly what: string;
}

const target = 'hearth-worker-media';
const manifests = fileURLToPath(new URL('../../../manifests', import.meta.url));

interface Job {
  readonly ms: number;
}

/** State shared by the parts of the drill. */
interface DrillContext {
  readonly kubernetes: Kubernetes;
  readonly queue: Queue<Job>;
  readonly recorder: Recorder;
  mark(what: string): void;
  /** Adds jobs and returns their ids. */
  add(...jobs: readonly (Job & { readonly delay?: number })[]): Promise<readonly string[]>;
  readJournal(): Promise<readonly JournalEntry[]>;
  hasEnded(ids: readonly string[]): Promise<boolean>;
  /** Waits until a pod has started the job, and deletes the pod. */
  deleteWorker(id: string | undefined, ...options: readonly string[]): Promise<void>;
  /** Pods that the drill deleted. */
  readonly deleted: readonly string[];
  /** Resolves when the target has no replicas and no pods. */
  waitUntilEmpty(): Promise<void>;
}

/** Runs the example manifests on a real node. The durations of the jobs depend on `seed`. */
export const runDrill = async (kubernetes: Kubernetes, seed: number): Promise<DrillReport> => {
  const { kubectl } = kubernetes;
  await kubectl(['create', '-f', '-'], namespaceManifest);
  await kubectl(['apply', '-f', '-'], drilledManifests);
  await kubectl(['rollout', 'status', 'deployment/redis', '--timeout=120s']);
  const port = await kubernetes.forward('redis', 6_379);
  const connection = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null });
  const queues = ['media', 'transcode'].map((name) => new Queue(name, { connection }));
  const [queue] = queues as [Queue];
  await Promise.all(queues.map((each) => each.waitUntilReady()));
  const recorder = startRecorder(kubernetes, queue, target);
  try {
    const installSeconds = await install(kubernetes, recorder);
    const marks: Mark[] = [];
    const drillContext = makeDrillContext(kubernetes, queue, connection, recorder, marks);
    const runs = {
      'fill and drain': await fillAndDrain(drillContext, seed),
      'due delayed job': await wakeFromZero(drillContext),
      'SIGTERM, job ends in time': await endWithinTimeout(drillContext),
      'SIGTERM, job does not end in time': await testHandOverToIdleWorker(drillContext),
      SIGKILL: await killBusyWorker(drillContext),
    };
    await drillContext.waitUntilEmpty();
    const pod = (await kubernetes.listPods('hearth-queue-scaler'))[0]?.metadata.name ?? '';
    const journal = await drillContext.readJournal();
    const memory = await measurePod(kubernetes, pod);
    const problems = [
      ...findProblems(journal, runs, drillContext.deleted),
      ...(new Set(recorder.samples.map(({ desired }) => desired)).size > 3
        ? []
        : ['the target was not scaled in steps']),
      ...(await findPrivileges(kubernetes, pod)),
    ];
    const terminated = listTerminatedPods(journal).map((pod) => ({ seconds: recorder.seconds(pod.at), pod }));
    return {
      installSeconds,
      samples: recorder.samples,
      marks,
      terminated,
      runs: countRuns(journal, runs),
      memory,
      problems,
    };
  } finally {
    await recorder.stop().catch(() => undefined);
    connection.disconnect();
  }
};

const install = async ({ kubectl, get }: Kubernetes, recorder: Recorder): Promise<number> => {
  const begin = recorder.seconds();
  await kubectl(['apply', '-f', fileURLToPath(crdFile)]);
  await kubectl(['wait', '--for=condition=Established', 'crd/queuescalers.scaling.hearth.photos', '--timeout=60s']);
  await kubectl(['apply', '-f', manifests]);
  await kubectl(['patch', 'queuescaler/media', '--type=merge', '-p', JSON.stringify({ spec: quickened })]);
  for (const name of ['media', 'transcode'])
    await waitFor(`${name} is ready`, async () => {
      const path = `/apis/scaling.hearth.photos/v1alpha1/namespaces/${namespace}/queuescalers/${name}`;
      const { status } = await get<QueueScaler>(path);
      return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
    });
  return recorder.seconds() - begin;
};

const makeDrillContext = (
  kubernetes: Kubernetes,
  queue: Queue<Job>,
  connection: Redis,
  recorder: Recorder,
  marks: Mark[],
): DrillContext => {
  const deleted: string[] = [];
  const readJournal = async (): Promise<readonly JournalEntry[]> =>
    (await connection.lrange('drill:journal', 0, -1)).map((line) => JSON.parse(line) as JournalEntry);
  return {
    kubernetes,
    queue,
    recorder,
    mark: (what) => void marks.push({ seconds: recorder.seconds(), what }),
    add: async (...jobs) => {
      const added = await queue.addBulk(
        jobs.map(({ ms, delay = 0 }) => ({ name: 'job', data: { ms }, opts: { delay } })),
      );
      return added.map(({ id = '' }) => id);
    },
    readJournal,
    hasEnded: async (ids) => {
      const ended = new Set((await readJournal()).filter(({ event }) => event === 'end').map(({ job }) => job));
      return ids.every((id) => ended.has(id));
    },
    deleted,
    deleteWorker: async (id, ...options) => {
      let pod: string | undefined;
      await waitFor(`the start of job ${id}`, async () => {
        pod = (await readJournal()).findLast(({ event, job }) => event === 'begin' && job === id)?.pod;
        return pod !== undefined;
      });
      deleted.push(pod ?? '');
      await kubernetes.kubectl(['delete', `pod/${pod}`, '--wait=false', ...options]);
    },
    waitUntilEmpty: () =>
      waitFor('no pods', async () => {
        const { spec } = await kubernetes.findDeployment(target);
        return spec?.replicas === 0 && (await kubernetes.listPods(target)).length === 0;
      }),
  };
};

type Runs = Readonly<Record<string, readonly string[]>>;

/** Adds many short jobs and a few long ones, so that both idle and busy pods exist while the queue drains. */
const fillAndDrain = async (
  { add, mark, hasEnded, waitUntilEmpty }: DrillContext,
  seed: number,
): Promise<readonly string[]> => {
  await waitUntilEmpty();
  const random = createRandom(seed, 0);
  const jobs = Array.from({ length: 90 }, () => ({ ms: 500 + random.below(4_000) }));
  const longJobs = Array.from({ length: 3 }, () => ({ ms: 45_000 }));
  const ids = await add(...jobs, ...longJobs);
  mark(`${ids.length} jobs added, the last three take 45 s`);
  await waitFor('all jobs', () => hasEnded(ids));
  mark('all completed');
  await waitUntilEmpty();
  mark('no pods left');
  return ids;
};

const wakeFromZero = async ({ add, mark, hasEnded, waitUntilEmpty }: DrillContext): Promise<readonly string[]> => {
  const ids = await add({ ms: 500, delay: 12_000 });
  mark('job added, due in 12 s');
  await waitFor('its end', () => hasEnded(ids));
  mark('completed');
  await waitUntilEmpty();
  return ids;
};

const endWithinTimeout = async ({ add, mark, hasEnded, deleteWorker }: DrillContext): Promise<readonly string[]> => {
  const ids = await add({ ms: 7_000 }, { ms: 7_000 });
  await deleteWorker(ids[0]);
  mark('pod with 7 s jobs deleted; its worker waits 10 s');
  await waitFor('their end', () => hasEnded(ids));
  mark('completed');
  return ids;
};

const testHandOverToIdleWorker = async ({
  add,
  mark,
  hasEnded,
  deleteWorker,
}: DrillContext): Promise<readonly string[]> => {
  const ids = await add({ ms: 25_000 });
  await deleteWorker(ids[0]);
  mark('pod with a 25 s job deleted; its worker waits 10 s');
  await waitFor('its end', () => hasEnded(ids));
  mark('completed by another pod');
  return ids;
};

const killBusyWorker = async ({ add, mark, hasEnded, deleteWorker }: DrillContext): Promise<readonly string[]> => {
  const ids = await add({ ms: 8_000 });
  // The kubelet kills a pod like this after the grace period.
  await deleteWorker(ids[0], '--force', '--grace-period=0');
  mark('pod with an 8 s job killed');
  await waitFor('its end', () => hasEnded(ids));
  mark('completed by another pod');
  return ids;
};

const countRuns = (journal: readonly JournalEntry[], runs: Runs): Readonly<Record<string, readonly JobRuns[]>> =>
  Object.fromEntries(Object.entries(runs).map(([part, ids]) => [part, countJobRuns(journal, ids)]));

/** Checks that each job completes exactly once, and that only the drill itself removes a busy pod. */
const findProblems = (journal: readonly JournalEntry[], runs: Runs, deleted: readonly string[]): readonly string[] => [
  ...Object.entries(countRuns(journal, runs)).flatMap(([part, jobs]) =>
    jobs.filter(({ ended }) => ended !== 1).map(({ ended }) => `${part}: a job was completed ${ended} times`),
  ),
  ...listTerminatedPods(journal)
    .filter(({ pod, activeJobs }) => activeJobs > 0 && !deleted.includes(pod))
    .map(({ pod }) => `${pod} was removed while busy`),
];
