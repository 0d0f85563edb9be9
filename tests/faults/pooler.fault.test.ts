import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestPgbouncer } from '@hearth/testkit/database/pgbouncer.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { startTestInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { waitUntilProcessed } from '@hearth/testkit/hearth/wait.ts';

const skip = missingTool('pgbouncer');

test(
  'processes each photo once behind a transaction pooler with few connections, without warnings',
  { skip },
  async (t) => {
    const { client, acts, apis, workers, query } = await startTestInstallation(t, async (databaseUrl) => {
      const pooler = await startTestPgbouncer(databaseUrl);
      t.after(() => pooler.stop());
      return { HEARTH_DATABASE_URL: pooler.url, HEARTH_DATABASE_DIRECT_URL: databaseUrl };
    });
    // Warnings before this time may come from the readiness checks during the start.
    const readyAt = new Date().toISOString();
    const photos = await makePhotos(43, 24);
    const ids = await Promise.all(photos.map((photo) => client.upload(photo)));
    const secondUpload = await Promise.all(photos.map((photo) => client.upload(photo)));
    assert.deepEqual(secondUpload, ids);
    // Text recognition runs after READY.
    await waitUntilProcessed(query);
    const { items, totalCount } = await client.list();
    assert.deepEqual(new Set(items.map(({ status }) => status)), new Set(['READY']));
    assert.equal(totalCount, photos.length);

    const done = (await acts.list()).filter(({ what }) => what === 'done');
    assert.equal(new Set(done.map(({ subject }) => subject)).size, done.length, 'no run is executed twice');
    assert.equal(done.length, (await query(`select from component_runs where state = 'DONE'`)).length);
    assert.deepEqual(await query('select from component_runs where attempts > 1'), []);
    for (const replica of [...apis, ...workers]) {
      const complaints = (await replica.log()).filter(
        (line) => /"level":"(warn|error|fatal)"/.test(line) && (/"time":"([^"]+)"/.exec(line)?.[1] ?? '') > readyAt,
      );
      assert.deepEqual(
        // Each worker warns once that no models are installed.
        complaints.filter((line) => !line.includes('npm run models')),
        [],
        replica.name,
      );
    }
  },
);
