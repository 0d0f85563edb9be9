import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';
import { makeBurst, pool } from './burst.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { startBrowse } from './k6Browse.ts';
import {
  chart,
  createNamespace,
  imagesTagged,
  installRelease,
  maxReadySeconds,
  openAccess,
  releaseName,
  type Access,
  type Release,
} from './release.ts';
import { listRepeatedRuns, recordRuns } from './runHistory.ts';
import { startVisitor } from './visitor.ts';

/** Photos of the import. It must last longer than the upgrade and the rollback. */
const photoCount = 600;

/** Duration of the k6 load. It must be longer than the upgrade and the rollback together. */
const browseSeconds = 300;

/**
 * Tag of newer images on the node, ideally with one more migration. Without it, the pods are replaced with the same
 * images.
 */
const nextTag = process.env['HEARTH_CLUSTER_NEXT_TAG'];

const twoReplicas = ['--set=api.replicas=2'] as const;

/** Chart values that replace every pod, even if its image does not change. */
const newPods = ['api', 'operator', 'worker.poolDefaults'].map((part) => `--set=${part}.podAnnotations.version=next`);

suite(
  'upgrade and rollback during an import, visits and k6 load, with two API replicas',
  { skip: missingCluster },
  () => {
    let cluster: Cluster;
    let release: Release;
    let access: Access;
    test.before(async () => {
      cluster = await openCluster();
      release = await installRelease(cluster, await createNamespace(cluster, 'upgrade'), twoReplicas);
      access = await openAccess(cluster, release);
      await recordRuns(access.query);
    });
    test.after(async () => {
      access?.close();
      await release?.remove();
      cluster?.close();
    });

    test('fails no request, keeps the number of workers, and leaves every photo READY', async () => {
      const { url, credentials, query } = access;
      const where = ['--namespace', release.namespace];
      const browse = await startBrowse(cluster, release, access, browseSeconds);
      const visitor = await startVisitor(cluster, release, access);
      const client = openClient(url, credentials);
      const photos = await makeBurst(photoCount);
      const importing = mapConcurrently(4, photos, (photo) => client.upload(photo));

      /** Changes the release once several workers are running. Resolves when all pods are replaced. */
      const change = async (args: readonly string[]): Promise<void> => {
        const before = await waitFor('the pool has more than one worker', async () => {
          const replicas = await countPodsOfImage();
          return replicas > 1 && replicas;
        });
        await cluster.helm([...args, ...where]);
        const after = await countPodsOfImage();
        // The operator does not scale down during a rollout.
        assert.ok(after >= before, `${args[0]}: ${before} workers before, ${after} after`);
        for (const name of [`${releaseName}-api`, `${releaseName}-worker-${pool}`])
          await cluster.kubectl([...where, 'rollout', 'status', `deployment/${name}`, `--timeout=${maxReadySeconds}s`]);
        const { gets, uploads, failed } = await visitor.read();
        console.log(`${args[0]}: ${JSON.stringify({ gets, uploads, failed, before, after })}`);
      };
      const countPodsOfImage = async (): Promise<number> => {
        const path = `/apis/apps/v1/namespaces/${release.namespace}/deployments/${releaseName}-worker-${pool}`;
        return (await cluster.get<{ readonly spec: { readonly replicas: number } }>(path)).spec.replicas;
      };
      const images = nextTag === undefined ? release.imageValues : imagesTagged(nextTag);
      await change(['upgrade', releaseName, chart, ...twoReplicas, ...images, ...newPods]);
      await change(['rollback', releaseName]);
      const changedAt = new Date();
      await importing;
      const { exitCode, output, finishedAt } = await browse.untilEnd();
      console.log(output);
      assert.equal(exitCode, 0, 'k6 missed a threshold');
      assert.ok(finishedAt > changedAt, 'k6 ended before the rollback did');
      await waitUntilReady(query);
      const { failures, ...visit } = await visitor.read();
      console.log(JSON.stringify(visit));
      assert.deepEqual(failures, []);
      assert.ok(visit.gets > 100 && visit.uploads > 10, JSON.stringify(visit));
      assert.deepEqual(await listRepeatedRuns(query), []);
      // The visitor keeps uploading, counts an upload before sending it, and reports once a second. The next report
      // covers everything in the list.
      const { totalCount } = await client.list();
      const { gets } = await visitor.read();
      const { uploads } = await waitFor('the next figures of the visitor', async () => {
        const next = await visitor.read();
        return next.gets > gets && next;
      });
      assert.ok(totalCount >= photos.length + visit.uploads - 1, `${totalCount} items`);
      assert.ok(totalCount <= photos.length + uploads, `${totalCount} items`);
    });
  },
);
