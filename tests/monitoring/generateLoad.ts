import type { Client } from '@hearth/testkit/hearth/client.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

/**
 * Generates all kinds of traffic: uploads photos, fetches their files, requests forbidden and missing paths, and
 * reprocesses METADATA for all.
 */
export const generateLoad = async (client: Client, count: number): Promise<void> => {
  const [first, ...others] = await makePhotos(count, count);
  // The first upload signs in.
  const ids = [await client.upload(first!), ...(await Promise.all(others.map((photo) => client.upload(photo))))];
  await waitFor('every photo is READY', async () =>
    (await client.list()).items.every(({ status }) => status === 'READY'),
  );
  for (const id of ids) {
    const { thumbnailUrl, previewUrl } = await client.get(id);
    for (const link of [thumbnailUrl, previewUrl]) await (await client.fetchLink(link!)).arrayBuffer();
  }
  for (const path of ['/livez', '/readyz', '/v1/events', '/v1/nowhere'])
    await (await client.fetchLink(path)).arrayBuffer();
  const job = await client.createJob(['METADATA']);
  await waitFor('the job is completed', async () => (await client.getJob(job)).status === 'COMPLETED');
};
