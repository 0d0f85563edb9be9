import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { checkLibrary, countRepeatedRuns } from '../faults/kills/checkLibrary.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { getRole } from './pods.ts';
import { createNamespace, installRelease, openAccess, type Access, type Release } from './release.ts';
import { listRepeatedRuns, recordRuns } from './runHistory.ts';

const photoCount = 300;
const killCount = 30;

/** Pods to delete, in random order. */
const victims = ['api', 'worker media', 'operator', 'redis', 'postgres', 'minio'] as const;

/** Pause between two kills, in ms. A data server needs some seconds to start, so some kills hit it while it starts. */
const gapMs = { shortest: 1_000, longest: 8_000 } as const;

/** Maximum number of runs that one kill of the database interrupts: four workers with two photos each. */
const maxActiveRuns = 8;

/** A command that restarts the node, such as `docker restart kind-control-plane`. Optional. */
const restartCommand = process.env['HEARTH_CLUSTER_RESTART_NODE'];

suite('pods killed without grace during an upload', { skip: missingCluster }, () => {
  let cluster: Cluster;
  let release: Release;
  let access: Access;
  test.before(async () => {
    cluster = await openCluster();
    release = await installRelease(cluster, await createNamespace(cluster, 'kills'));
    access = await openAccess(cluster, release);
    await recordRuns(access.query);
  });
  test.after(async () => {
    access?.close();
    await release?.remove();
    cluster?.close();
  });

  test('loses and duplicates nothing', async (t) => {
    const { url, credentials, query } = access;
    t.diagnostic(`seed ${testSeed}`);
    const random = createRandom(testSeed);
    const photos = await makePhotos(testSeed, photoCount);
    const client = openClient(url, credentials);
    const returnedIds = new Map<string, Set<string>>();
    const killed = new Map<string, number>();
    const drillOver = new AbortController();

    const kill = async (victim: string): Promise<boolean> => {
      const pods = (await release.pods()).filter((pod) => getRole(pod) === victim && pod.status.phase === 'Running');
      if (pods.length === 0) return false;
      const { name } = random.pick(pods).metadata;
      const where = ['--namespace', release.namespace];
      await cluster.kubectl([...where, 'delete', 'pod', name, '--grace-period=0', '--force', '--wait=false']);
      killed.set(victim, (killed.get(victim) ?? 0) + 1);
      return true;
    };
    const killAll = async (): Promise<void> => {
      let remaining: string[] = [];
      for (let count = 0; count < killCount; count++) {
        await sleep(random.between(gapMs.shortest, gapMs.longest));
        if (remaining.length === 0) remaining = random.shuffle(victims);
        const victim = remaining.pop()!;
        const isDone = (): Promise<boolean> => kill(victim).catch(() => false);
        await waitFor(`a pod of ${victim} is running`, isDone, { timeoutMs: 60_000, everyMs: 500 });
        console.log(`${count + 1}: ${victim}`);
        if (count === killCount / 2 && restartCommand !== undefined) {
          console.log('restarting the node');
          await promisify(exec)(restartCommand);
          killed.set('node', 1);
        }
      }
      drillOver.abort();
    };
    // Spreads the uploads over all kills, so that each kill hits some.
    const uploadAll = (): Promise<unknown> =>
      mapConcurrently(4, photos, async (photo, index) => {
        const id = await client.upload(photo);
        returnedIds.set(photo.checksum, (returnedIds.get(photo.checksum) ?? new Set()).add(id));
        const isEarly = index < photos.length - 20;
        if (isEarly) await sleep(1_500, undefined, { signal: drillOver.signal }).catch(() => undefined);
      });
    await Promise.all([killAll(), uploadAll()]);
    await waitUntilReady(query);
    // A data server killed last may still be starting when the first links are checked. A longer outage fails the test.
    const fetchLink = (link: string): Promise<Response> =>
      waitFor(`no more 503 for ${link.split('?')[0]}`, async () => {
        const response = await client.fetchLink(link);
        return response.status !== 503 && response;
      });
    const interruptions = [...killed.values()].reduce((sum, count) => sum + count, 0) * maxActiveRuns;
    const problems = await checkLibrary(query, { ...client, fetchLink }, { photos, returnedIds, interruptions });
    const figures = {
      killed: Object.fromEntries(killed),
      retries: client.figures.retries,
      duplicates: client.figures.duplicates,
      repeatedRuns: await countRepeatedRuns(query),
    };
    console.log(JSON.stringify(figures));
    t.diagnostic(JSON.stringify(figures));
    assert.deepEqual(problems, []);
    assert.deepEqual(await listRepeatedRuns(query), []);
    assert.deepEqual(client.figures.unexcused, []);
  });
});
