import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { startTestInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { waitFor, waitUntilProcessed } from '@hearth/testkit/hearth/wait.ts';

test('two API processes and three workers share the load and process each photo once', async (t) => {
  const { client, acts, apis, workers, query } = await startTestInstallation(t);
  const photos = await makePhotos(11, 24);
  const ids = await Promise.all(photos.map((photo) => client.upload(photo)));
  assert.equal(new Set(ids).size, photos.length);
  // Text recognition runs after READY.
  await waitUntilProcessed(query);
  const { items, totalCount } = await client.list();
  assert.deepEqual(new Set(items.map(({ status }) => status)), new Set(['READY']));
  assert.deepEqual(items.map(({ id }) => id).toSorted(), ids.toSorted());
  assert.equal(totalCount, photos.length);

  const done = (await acts.list()).filter(({ what }) => what === 'done');
  assert.equal(new Set(done.map(({ subject }) => subject)).size, done.length, 'no run is executed twice');
  assert.equal(done.length, (await query(`select from component_runs where state = 'DONE'`)).length);
  assert.deepEqual(
    [...new Set(done.map(({ who }) => who))].toSorted(),
    workers.map(({ name }) => name),
  );
  assert.deepEqual(await query('select from component_runs where attempts > 1'), []);
  // Both API processes receive uploads: the metrics of each count some.
  for (const { metricsUrl, name } of apis) {
    const metrics = await (await fetch(metricsUrl)).text();
    assert.match(
      metrics,
      /^hearth_http_request_duration_seconds_count\{route="\/v1\/mediaItems",method="POST",status="201"\} [1-9]/m,
      name,
    );
  }
  // Metrics of the whole installation are exported once, by the process with the lease of the housekeeper's lane.
  const readAll = () => Promise.all(apis.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()));
  for (const series of ['queue_depth{pool="media"}', 'jobs{status="RUNNING"}', 'orphans', 'orphan_bytes'])
    await waitFor(`one process exports ${series}`, async () => {
      const texts = await readAll();
      return texts.filter((text) => text.includes(`\nhearth_${series} `)).length === 1;
    });
  for (const lane of ['short', 'long']) {
    const leaders = (await readAll()).filter((text) => text.includes(`hearth_housekeeper_leader{lane="${lane}"} 1`));
    assert.equal(leaders.length, 1, lane);
  }
});
