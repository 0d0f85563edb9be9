import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import type { Cluster } from './cluster.ts';
import { chart, releaseName, type Access, type Release } from './release.ts';
import { restrictedPod } from './restrictedPod.ts';

/** Request counts of a visitor so far. */
export interface Visit {
  readonly gets: number;
  readonly uploads: number;
  readonly failed: number;
  /** One line per failure. */
  readonly failures: readonly string[];
}

/** A pod that sends requests to the library's Service without pause. */
export interface Visitor {
  read(): Promise<Visit>;
}

const name = 'visitor';

const root = join(chart, '../..');

/** The program and its imports. They keep their names in the pod. */
const scripts = ['charts/hearth/tests/visitor.mts', 'charts/hearth/files/scripts/pngPhoto.mts'] as const;

/** Starts a visitor. Resolves when it has received its first response. */
export const startVisitor = async (cluster: Cluster, release: Release, { credentials }: Access): Promise<Visitor> => {
  const { namespace } = release;
  const where = ['--namespace', namespace];
  const data: Record<string, string> = {};
  for (const path of scripts) data[basename(path)] = await readFile(join(root, path), 'utf8');
  const [api] = await release.pods('app.kubernetes.io/component=api');
  await cluster.kubectl([...where, 'create', '--filename=-'], {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name },
        stringData: { USERNAME: credentials.username, PASSWORD: credentials.password },
      },
      makePod(api!.spec.containers[0]!.image),
    ],
  });
  const read = async (): Promise<Visit> => {
    const lines = (await cluster.kubectl([...where, 'logs', name])).trim().split('\n');
    const figures = lines.findLast((line) => line.startsWith('{')) ?? '{}';
    return {
      ...(JSON.parse(figures) as Omit<Visit, 'failures'>),
      failures: lines.filter((line) => !line.startsWith('{')),
    };
  };
  await waitFor(
    'the visitor has received its first response',
    async () =>
      read().then(
        ({ gets, uploads }) => gets > 0 && uploads > 0,
        () => false,
      ),
    { timeoutMs: 120_000, everyMs: 1_000 },
  );
  return { read };
};

const makePod = (image: string): object =>
  restrictedPod({
    name,
    user: 65_532,
    container: {
      image,
      command: ['node', `/scripts/${scripts[0]}`],
      env: [{ name: 'LIBRARY_URL', value: `http://${releaseName}-api` }],
      envFrom: [{ secretRef: { name } }],
      resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '512Mi' } },
      volumeMounts: [{ name: 'scripts', mountPath: '/scripts', readOnly: true }],
    },
    volumes: [{ name: 'scripts', configMap: { name, items: scripts.map((path) => ({ key: basename(path), path })) } }],
  });
