import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import { makeQuery } from '@hearth/testkit/hearth/backEnds.ts';
import { createUser, type Credentials } from '@hearth/testkit/hearth/request.ts';
import type { Cluster } from './cluster.ts';
import { openForward, waitUntilReachable } from './forward.ts';
import type { Pod } from './pods.ts';

/** The chart, installed in a separate namespace. */
export interface Release {
  readonly namespace: string;
  /** Chart values that select the tested images. */
  readonly imageValues: readonly string[];
  /** Seconds until every pod was ready. */
  readonly readySeconds: number;
  pods(selector?: string): Promise<readonly Pod[]>;
  /** Deletes the namespace with its volumes. Resolves when its pods are gone. */
  remove(): Promise<void>;
}

/** Access to a release from this machine. */
export interface Access {
  readonly url: string;
  readonly admin: Credentials;
  /** A user with an empty library. */
  readonly credentials: Credentials;
  /** Queries the bundled database as superuser. */
  readonly query: Query;
  close(): void;
}

export const chart = join(import.meta.dirname, '../../charts/hearth');

/** Name of every release, equal to the chart's, so that object names match the documentation. */
export const releaseName = 'hearth';

/** Limit in seconds until all pods are ready, with the images already on the node. */
export const maxReadySeconds = 180;

/** Returns `--set` arguments with the tag of our images. The default is HEARTH_CLUSTER_TAG. */
export const imagesTagged = (tag = process.env['HEARTH_CLUSTER_TAG'] ?? 'dev'): readonly string[] =>
  ['api', 'worker', 'operator'].map((part) => `--set=${part}.image.tag=${tag}`);

/** Creates a namespace that enforces the Pod Security Standard `restricted`. */
export const createNamespace = async ({ kubectl }: Cluster, subject: string): Promise<string> => {
  const name = `hearth-${subject}-${randomBytes(3).toString('hex')}`;
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await kubectl(['create', '--filename=-'], { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  return name;
};

/** Deletes a namespace. Resolves when its pods are gone; other objects may take longer. */
export const deleteNamespace = async ({ kubectl }: Cluster, namespace: string): Promise<void> => {
  await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  await kubectl(['--namespace', namespace, 'wait', '--for=delete', 'pod', '--all', '--timeout=300s']);
};

/**
 * Installs the chart. Resolves when every pod is ready.
 * @throws Error with the state of the pods unless all are ready within `maxReadySeconds`
 */
export const installRelease = async (
  cluster: Cluster,
  namespace: string,
  values: readonly string[] = [],
): Promise<Release> => {
  const pods = async (selector = ''): Promise<readonly Pod[]> =>
    (
      await cluster.get<{ readonly items: readonly Pod[] }>(
        `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(selector)}`,
      )
    ).items;
  const begin = performance.now();
  const imageValues = imagesTagged();
  try {
    const patience = ['--wait', '--timeout', `${maxReadySeconds}s`];
    await cluster.helm([
      'install',
      releaseName,
      chart,
      '--namespace',
      namespace,
      ...imageValues,
      ...values,
      ...patience,
    ]);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await describePods(cluster, namespace)}`, { cause: error });
  }
  return {
    namespace,
    imageValues,
    readySeconds: (performance.now() - begin) / 1_000,
    pods,
    remove: () => deleteNamespace(cluster, namespace),
  };
};

/** Opens access to a release with the bundled PostgreSQL, and creates a user. */
export const openAccess = async (cluster: Cluster, { namespace }: Release): Promise<Access> => {
  const api = await openForward(namespace, `${releaseName}-api`, 80);
  const postgres = await openForward(namespace, `${releaseName}-postgres`, 5432);
  const url = `http://127.0.0.1:${api.port}`;
  const password = await readSecret(cluster, namespace, `${releaseName}-postgres`, 'superuser-password');
  const admin = {
    username: 'admin',
    password: await readSecret(cluster, namespace, `${releaseName}-keys`, 'admin-password'),
  };
  await waitUntilReachable(url);
  const credentials = await createUser(url, admin, `family-${randomBytes(3).toString('hex')}`);
  return {
    url,
    admin,
    credentials,
    query: makeQuery(`postgres://postgres:${password}@127.0.0.1:${postgres.port}/hearth`),
    close: () => {
      api.close();
      postgres.close();
    },
  };
};

export const readSecret = async ({ get }: Cluster, namespace: string, name: string, key: string): Promise<string> => {
  const { data } = await get<{ readonly data: Readonly<Record<string, string>> }>(
    `/api/v1/namespaces/${namespace}/secrets/${name}`,
  );
  return Buffer.from(data[key] ?? '', 'base64').toString();
};

const describePods = async ({ kubectl }: Cluster, namespace: string): Promise<string> => {
  const pods = await kubectl(['--namespace', namespace, 'get', 'pods', '--output=wide']);
  const events = await kubectl(['--namespace', namespace, 'get', 'events', '--field-selector=type=Warning']);
  return `${pods}\n${events}`;
};
