import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { lacksCluster, openCluster, type Cluster } from './cluster.ts';
import { createNamespace, deleteNamespace, installRelease, readSecret, releaseName, type Release } from './release.ts';

/** What a library may find instead of bringing it along. */
type Server = 'postgres' | 'redis' | 's3';

const scenarios: readonly (readonly Server[])[] = [['postgres'], ['redis'], ['s3'], ['postgres', 'redis', 's3']];

/** For each server: the values that say it is there, and which address and keys the Secret has. */
const valuesOf: Readonly<Record<Server, readonly string[]>> = {
  postgres: ['--set=postgres.enabled=false', '--set=postgres.existing.secretName=existing-postgres'],
  redis: ['--set=redis.enabled=false', '--set=redis.existing.secretName=existing-redis'],
  s3: ['--set=minio.enabled=false', '--set=s3.existing.secretName=existing-s3'],
};

/**
 * The servers are those of another release, in a namespace of its own, which lets others in. Each scenario has a database, a number of Redis and a bucket of its own there.
 */
suite('servers that are there already', { skip: lacksCluster }, () => {
  let cluster: Cluster;
  let servers: Release;
  test.before(async () => {
    cluster = await openCluster();
    const namespace = await createNamespace(cluster, 'servers');
    servers = await installRelease(cluster, namespace, ['--set=networkPolicy.enabled=false']);
  });
  test.after(async () => {
    await servers?.remove();
    cluster?.close();
  });

  for (const [index, existing] of scenarios.entries())
    test(`${existing.join(' and ')} may be among them: the library is ready, and passes helm test`, async () => {
      const number = index + 1;
      const namespace = await createNamespace(cluster, existing.length === 1 ? existing[0]! : 'all');
      try {
        await describeServers(cluster, servers, namespace, number);
        const endpoint = `http://${releaseName}-minio.${servers.namespace}:9000`;
        const s3Values = existing.includes('s3')
          ? [`--set=s3.existing.endpoint=${endpoint}`, `--set=s3.bucket=library-${number}`]
          : [];
        const release = await installRelease(cluster, namespace, [
          ...existing.flatMap((server) => valuesOf[server]),
          ...s3Values,
        ]);
        const output = await cluster.helm(['test', releaseName, '--namespace', namespace, '--logs', '--timeout=5m']);
        console.log(`${existing.join(', ')}: ready after ${release.readySeconds.toFixed(1)} s`);
        assert.match(output, /ready after/);
        const sets = await cluster.kubectl(['--namespace', namespace, 'get', 'statefulsets', '--output=name']);
        const bundled = { postgres: 'postgres', redis: 'redis', s3: 'minio' } as const;
        for (const server of existing) assert.ok(!sets.includes(`-${bundled[server]}`), sets);
      } finally {
        await deleteNamespace(cluster, namespace);
      }
    });
});

/** Makes a database for a library, and the Secrets that lead to it and to the other servers. */
const describeServers = async (
  cluster: Cluster,
  { namespace: from }: Release,
  namespace: string,
  number: number,
): Promise<void> => {
  const database = `library_${number}`;
  const password = await readSecret(cluster, from, `${releaseName}-postgres`, 'password');
  const statements = [
    `create role ${database} login password '${password}'`,
    `create database ${database} owner ${database}`,
  ];
  const superuser = await readSecret(cluster, from, `${releaseName}-postgres`, 'superuser-password');
  const psql = ['psql', '--host=127.0.0.1', '--username=postgres', '--set=ON_ERROR_STOP=1'];
  const inside = ['--namespace', from, 'exec', `${releaseName}-postgres-0`, '--container=postgres', '--'];
  const commands = statements.map((statement) => `--command=${statement}`);
  await cluster.kubectl([...inside, 'env', `PGPASSWORD=${superuser}`, ...psql, ...commands]);
  const redis = await readSecret(cluster, from, `${releaseName}-redis`, 'password');
  const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'existing-postgres': {
      url: `postgres://${database}:${password}@${releaseName}-postgres.${from}:5432/${database}`,
    },
    'existing-redis': { url: `redis://:${redis}@${releaseName}-redis.${from}:6379/${number}` },
    'existing-s3': {
      'access-key': await readSecret(cluster, from, `${releaseName}-minio`, 'access-key'),
      'secret-key': await readSecret(cluster, from, `${releaseName}-minio`, 'secret-key'),
    },
  };
  const items = Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    stringData,
  }));
  await cluster.kubectl(['--namespace', namespace, 'create', '--filename=-'], {
    apiVersion: 'v1',
    kind: 'List',
    items,
  });
};
