import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { makeSlowPicture } from './poison.ts';
import { startTestInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

const slowPicture = makeSlowPicture();

test('discards the result of a worker that was frozen during an item and woke up after another had finished it', async (t) => {
  const { client, acts, workers, query } = await startTestInstallation(t, { HEARTH_MAX_PIXELS: '500000000' });
  const id = await client.upload(slowPicture);
  const run = `${id} PREVIEW_THUMBNAIL`;
  const findLeaseHolder = async (what: 'claim' | 'done'): Promise<string[]> =>
    (await acts.list()).filter((act) => act.what === what && act.subject === run).map(({ who }) => who);
  await waitFor('a worker processes the item', async () => (await findLeaseHolder('claim')).length === 1);
  const [first] = await findLeaseHolder('claim');
  const frozen = workers.find(({ name }) => name === first)!;
  await frozen.freeze();
  await waitFor('another worker has finished it', async () => (await findLeaseHolder('done')).length === 1);
  const [, second] = await findLeaseHolder('claim');
  assert.notEqual(second, first);
  const before = await query('select * from media_items where id = $1', [id]);

  await frozen.thaw();
  await waitFor('the first worker has discarded its result', async () =>
    (await frozen.log()).some((line) => line.includes('lease lost, result discarded')),
  );
  assert.deepEqual(await query('select * from media_items where id = $1', [id]), before);
  assert.deepEqual([await findLeaseHolder('claim'), await findLeaseHolder('done')], [[first, second], [second]]);
  const { status, previewUrl } = await client.get(id);
  assert.equal(status, 'READY');
  assert.equal((await client.fetchLink(previewUrl!)).status, 200);

  // It processes jobs again. With few photos the other workers might do all of them.
  const photos = await makePhotos(31, 60);
  await waitFor('the first worker has processed a photo', async () => {
    const photo = photos.pop();
    if (photo !== undefined) await client.upload(photo);
    return (await acts.list()).some(
      ({ what, who, subject }) => what === 'done' && who === first && !subject.startsWith(id),
    );
  });
});
