import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { waitUntilReady } from '@hearth/testkit/hearth/wait.ts';
import { makeBurst } from './burst.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { createNamespace, deleteNamespace, installRelease, openAccess, readSecret, releaseName } from './release.ts';

suite('uninstalled release', { skip: missingCluster }, () => {
  let cluster: Cluster;
  let namespace = '';
  test.before(async () => {
    cluster = await openCluster();
    namespace = await createNamespace(cluster, 'kept');
  });
  test.after(async () => {
    await deleteNamespace(cluster, namespace);
    cluster?.close();
  });

  const readSecrets = (): Promise<string[]> =>
    Promise.all(
      ['keys admin-password', 'keys token-secret', 'postgres url', 'redis url', 'minio secret-key'].map((each) => {
        const [name, key = ''] = each.split(' ');
        return readSecret(cluster, namespace, `${releaseName}-${name}`, key);
      }),
    );

  test('keeps photos and secrets, and a new release with the same name finds them', async () => {
    const first = await installRelease(cluster, namespace);
    const access = await openAccess(cluster, first);
    const photos = await makeBurst(10);
    const client = openClient(access.url, access.credentials);
    const ids: string[] = [];
    for (const photo of photos) ids.push(await client.upload(photo));
    await waitUntilReady(access.query);
    const secrets = await readSecrets();
    access.close();

    await cluster.helm(['uninstall', releaseName, '--namespace', namespace, '--wait']);
    assert.deepEqual(await readSecrets(), secrets);
    await cluster.kubectl(['--namespace', namespace, 'wait', '--for=delete', 'pod', '--all', '--timeout=180s']);
    const claims = await cluster.kubectl(['--namespace', namespace, 'get', 'pvc', '--output=name']);
    assert.deepEqual(claims.trim().split('\n').toSorted(), [
      `persistentvolumeclaim/data-${releaseName}-minio-0`,
      `persistentvolumeclaim/data-${releaseName}-postgres-0`,
      `persistentvolumeclaim/data-${releaseName}-redis-0`,
    ]);

    const second = await installRelease(cluster, namespace);
    assert.deepEqual(await readSecrets(), secrets);
    const secondAccess = await openAccess(cluster, second);
    const secondClient = openClient(secondAccess.url, access.credentials);
    try {
      for (const [index, id] of ids.entries()) {
        const item = await secondClient.get(id);
        assert.equal(item.status, 'READY');
        const bytes = Buffer.from(await (await secondClient.fetchLink(item.sourceUrl)).arrayBuffer());
        assert.equal(createHash('sha256').update(bytes).digest('hex'), photos[index]!.checksum);
      }
    } finally {
      secondAccess.close();
    }
  });
});
