import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestPgbouncer } from '@hearth/testkit/database/pgbouncer.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { startTestInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { untilProcessed } from '@hearth/testkit/hearth/wait.ts';

const skip = missingTool('pgbouncer');

test(
  'behind a transaction pooler with few connections photos become READY once each, and nothing complains',
  { skip },
  async (t) => {
    const { client, acts, apis, workers, query } = await startTestInstallation(t, async (databaseUrl) => {
      const pooler = await startTestPgbouncer(databaseUrl);
      t.after(() => pooler.stop());
      return { HEARTH_DATABASE_URL: pooler.url, HEARTH_DATABASE_DIRECT_URL: databaseUrl };
    });
    // Until then each was asked whether it is ready, and may have said that it is not yet.
    const readyAt = new Date().toISOString();
    const photos = await makePhotos(43, 24);
    const ids = await Promise.all(photos.map((photo) => client.upload(photo)));
    const again = await Promise.all(photos.map((photo) => client.upload(photo)));
    assert.deepEqual(again, ids);
    // Their text is read after they are READY.
    await untilProcessed(query);
    const { items, totalCount } = await client.list();
    assert.deepEqual(new Set(items.map(({ status }) => status)), new Set(['READY']));
    assert.equal(totalCount, photos.length);

    const done = (await acts.list()).filter(({ what }) => what === 'done');
    assert.equal(new Set(done.map(({ subject }) => subject)).size, done.length, 'no run is done twice');
    assert.equal(done.length, (await query(`select from component_runs where state = 'DONE'`)).length);
    assert.deepEqual(await query('select from component_runs where attempts > 1'), []);
    for (const replica of [...apis, ...workers]) {
      const complaints = (await replica.log()).filter(
        (line) => /"level":"(warn|error|fatal)"/.test(line) && (/"time":"([^"]+)"/.exec(line)?.[1] ?? '') > readyAt,
      );
      assert.deepEqual(
        // The installation has no models, which each worker says once.
        complaints.filter((line) => !line.includes('npm run models')),
        [],
        replica.name,
      );
    }
  },
);
