import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { prepareLoadPhotos } from '@hearth/load-tests/k6/loadPhotos.ts';
import { archiveK6 } from '@hearth/load-tests/k6/runK6.ts';
import type { Cluster } from './cluster.ts';
import type { Pod } from './pods.ts';
import { releaseName, type Access, type Release } from './release.ts';
import { restrictedPod } from './restrictedPod.ts';

/** Exit code of k6 (99 if a threshold was missed) and the end time of its container. */
export interface BrowseEnding {
  readonly exitCode: number;
  /** Output, without the signatures of links. */
  readonly output: string;
  readonly finishedAt: Date;
}

/** A k6 `browse` load running in a pod. */
export interface Browse {
  /** Resolves when k6 has exited. */
  untilEnd(): Promise<BrowseEnding>;
}

/** The image in `load-tests/k6/kubernetes/testRun.yaml`. */
const image = 'docker.io/grafana/k6:2.2.0';

const name = 'k6-browse';

/**
 * Runs k6 `browse` in a pod against the Service for `seconds`. Resolves when it has uploaded its photos and the visits
 * begin. Latency bounds are loose, because the node shares its cores with everything else: only failures count.
 */
export const startBrowse = async (
  { kubectl, get }: Cluster,
  { namespace }: Release,
  { query }: Access,
  seconds: number,
): Promise<Browse> => {
  const where = ['--namespace', namespace];
  const load = { load: 'browse', rate: '1', seconds: String(seconds), slowness: '30' } as const;
  await kubectl([...where, 'create', '--filename=-'], {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, binaryData: { 'archive.tar': await archive(load) } },
      podWithK6,
    ],
  });
  await waitFor(
    'k6 has uploaded its photos',
    async () => {
      const [row] = await query<{ readonly items: number; readonly undone: number }>(
        `select count(distinct media_item_id)::int as items,
          count(*) filter (where state in ('PENDING', 'RUNNING'))::int as undone from component_runs`,
      ).catch(() => []);
      return row !== undefined && row.items > 0 && row.undone === 0;
    },
    { timeoutMs: 300_000, everyMs: 1_000 },
  );
  return {
    untilEnd: async () => {
      const { exitCode, finishedAt } = await waitFor(
        'k6 has ended',
        async () => {
          const pod = await get<Pod>(`/api/v1/namespaces/${namespace}/pods/${name}`);
          return pod.status.containerStatuses?.[0]?.state.terminated;
        },
        { timeoutMs: (seconds + 300) * 1_000, everyMs: 1_000 },
      );
      const output = (await kubectl([...where, 'logs', name])).replaceAll(/signature=[\w-]+/g, 'signature=…');
      return { exitCode, output, finishedAt: new Date(finishedAt) };
    },
  };
};

/** Returns the archive of the script and its photos, in Base64. */
const archive = async (load: Omit<Parameters<typeof archiveK6>[0], 'photos'>): Promise<string> => {
  const folder = await makeFolder('k6-browse');
  try {
    const file = join(folder, 'archive.tar');
    const { code, output } = await archiveK6({ ...load, photos: await prepareLoadPhotos('small', console.log) }, file);
    if (code !== 0) throw new Error(output);
    return await readFile(file, 'base64');
  } finally {
    await removeFolder(folder);
  }
};

const podWithK6 = restrictedPod({
  name,
  user: 12_345,
  container: {
    image,
    command: ['k6', 'run', '--quiet', '/load/archive.tar'],
    env: [
      { name: 'K6_NO_USAGE_REPORT', value: 'true' },
      { name: 'HEARTH_URL', value: `http://${releaseName}-api` },
      {
        name: 'HEARTH_ADMIN_PASSWORD',
        valueFrom: { secretKeyRef: { name: `${releaseName}-keys`, key: 'admin-password' } },
      },
    ],
    resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    volumeMounts: [{ name: 'load', mountPath: '/load', readOnly: true }],
  },
  volumes: [{ name: 'load', configMap: { name } }],
});
