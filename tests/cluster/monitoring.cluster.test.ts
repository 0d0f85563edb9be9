import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { generateLoad } from '../monitoring/generateLoad.ts';
import { listEmptyPanels, watchDashboards } from '../monitoring/watchDashboards.ts';
import { fastScaleDownOptions } from './burst.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { createNamespace, installRelease, openAccess, type Access, type Release } from './release.ts';
import { serveTargets } from './scrapeTargets.ts';

suite('dashboards of a release', { skip: missingCluster || missingTool('prometheus') }, () => {
  let cluster: Cluster;
  let release: Release;
  let access: Access;
  test.before(async () => {
    cluster = await openCluster();
    release = await installRelease(cluster, await createNamespace(cluster, 'monitoring'), fastScaleDownOptions);
    access = await openAccess(cluster, release);
  });
  test.after(async () => {
    access?.close();
    await release?.remove();
    cluster?.close();
  });

  test('every panel has data under load when Prometheus scrapes the pods', async () => {
    const { url, credentials } = access;
    await using targets = await serveTargets(cluster, release);
    const watched = await watchDashboards({
      scrapeConfig: { http_sd_configs: [{ url: targets.url, refresh_interval: '1s' }] },
      load: () => generateLoad(openClient(url, credentials), 120),
    });
    assert.deepEqual(listEmptyPanels(watched), []);
    assert.deepEqual(watched.problems, []);
    assert.deepEqual(watched.alerts, []);
  });
});
