import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeBurst, fastScaleDownOptions, runBurst, waitUntilEmpty, type Burst } from './burst.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { createNamespace, installRelease, openAccess, type Access, type Release } from './release.ts';
import { recordRuns } from './runHistory.ts';

/** Number of bursts, each with `photosPerCycle` photos. */
const cycles = Number(process.env['HEARTH_CLUSTER_CYCLES'] ?? 1);
const photosPerCycle = 300;

/** Limit in seconds from the first upload response to the first run of a new worker, with its image already on the node. */
const maxSecondsToFirstRun = 15;

/** `worker.pools.media.scaling.maxReplicas` of the chart. */
const maxWorkers = 4;

suite('burst of photos in a library without workers', { skip: missingCluster }, () => {
  let cluster: Cluster;
  let release: Release;
  let access: Access;
  test.before(async () => {
    cluster = await openCluster();
    release = await installRelease(cluster, await createNamespace(cluster, 'burst'), fastScaleDownOptions);
    access = await openAccess(cluster, release);
    await recordRuns(access.query);
    // Kubernetes starts each Deployment with one pod.
    await waitUntilEmpty(release);
  });
  test.after(async () => {
    access?.close();
    await release?.remove();
    cluster?.close();
  });

  for (let cycle = 1; cycle <= cycles; cycle++)
    test(`cycle ${cycle}: workers start, all photos become READY, and the workers stop without interrupting a run`, async () => {
      const burst = await runBurst(cluster, release, access, await makeBurst(photosPerCycle));
      console.log(describe(burst));
      assert.equal(burst.maxDesired, maxWorkers);
      assert.equal(burst.maxReady, maxWorkers);
      assert.deepEqual(burst.busyEnds, []);
      assert.ok(burst.seconds.firstRun <= maxSecondsToFirstRun, `first run after ${burst.seconds.firstRun} s`);
      const unwantedWorkers = burst.workers.filter(({ endings }) => endings.has('OOMKilled') || endings.has('Error'));
      assert.deepEqual(unwantedWorkers, []);
    });
});

/** Formats one line per burst, the source of the table in the guide. */
const describe = ({ seconds, workers, maxReady }: Burst): string =>
  JSON.stringify({ ...seconds, workers: workers.length, maxReady });
