import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { findBlock, isShellBlock, isValuesBlock } from './guide/reader.ts';
import { createNamespace, deleteNamespace, installRelease, readSecret, releaseName, type Release } from './release.ts';

/** A server that may exist before the installation. */
type Server = 'postgres' | 'redis' | 's3';

const scenarios: readonly (readonly Server[])[] = [['postgres'], ['redis'], ['s3'], ['postgres', 'redis', 's3']];

/** The guide page with the Secrets and values for existing servers. */
const page = 'user-guide/deployment';

/**
 * The servers belong to another release without network policies, in a separate namespace. Each scenario gets its own
 * database, Redis database number and bucket.
 */
suite('existing servers', { skip: missingCluster }, () => {
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
    test(`with existing ${existing.join(' and ')}: becomes ready and passes helm test`, async () => {
      const number = index + 1;
      const namespace = await createNamespace(cluster, existing.length === 1 ? existing[0]! : 'all');
      const folder = await makeFolder('existing');
      try {
        const examples = await describeServers(cluster, servers, number);
        const values: string[] = [];
        for (const server of existing) {
          const secret = `my-${server}`;
          const { code } = findBlock(page, `secret generic ${secret}`, isShellBlock);
          execFileSync('bash', ['-c', replaceValues(code, { ...examples, '-n photos': `-n ${namespace}` })]);
          const file = join(folder, `${server}.yaml`);
          await writeFile(file, replaceValues(findBlock(page, `secretName: ${secret}`, isValuesBlock).code, examples));
          values.push('--values', file);
        }
        const release = await installRelease(cluster, namespace, values);
        const output = await cluster.helm(['test', releaseName, '--namespace', namespace, '--logs', '--timeout=5m']);
        console.log(`${existing.join(', ')}: ready after ${release.readySeconds.toFixed(1)} s`);
        assert.match(output, /ready after/);
        const sets = await cluster.kubectl(['--namespace', namespace, 'get', 'statefulsets', '--output=name']);
        const bundled = { postgres: 'postgres', redis: 'redis', s3: 'minio' } as const;
        for (const server of existing) assert.ok(!sets.includes(`-${bundled[server]}`), sets);
      } finally {
        await removeFolder(folder);
        await deleteNamespace(cluster, namespace);
      }
    });
});

/**
 * Creates a database for a library. Returns the replacements of the page's examples: addresses, passwords, keys, and
 * the bucket with its region.
 */
const describeServers = async (
  cluster: Cluster,
  { namespace: from }: Release,
  number: number,
): Promise<Readonly<Record<string, string>>> => {
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
  const keys = {
    access: await readSecret(cluster, from, `${releaseName}-minio`, 'access-key'),
    secret: await readSecret(cluster, from, `${releaseName}-minio`, 'secret-key'),
  };
  return {
    'postgres://hearth:…@db.example.org:5432/hearth': `postgres://${database}:${password}@${releaseName}-postgres.${from}:5432/${database}`,
    'rediss://:…@redis.example.org:6379/0': `redis://:${redis}@${releaseName}-redis.${from}:6379/${number}`,
    "access-key='…'": `access-key='${keys.access}'`,
    "secret-key='…'": `secret-key='${keys.secret}'`,
    'https://s3.example.org': `http://${releaseName}-minio.${from}:9000`,
    'bucket: photos': `bucket: library-${number}`,
    'eu-central-1': 'us-east-1',
  };
};

/** Replaces the examples of a code block by the actual values. */
const replaceValues = (code: string, examples: Readonly<Record<string, string>>): string =>
  Object.entries(examples).reduce((text, [example, value]) => text.replaceAll(example, () => value), code);
