import { Trend } from 'k6/metrics';
import { sendRequest, requestFiles } from './request.ts';
import { toThreshold } from './endpoints.ts';
import { getToken, type Library } from './library.ts';
import { makePhoto, waitUntilReady, uploadPhotos } from './photos.ts';

/** Photos uploaded in parallel. */
const batchSize = 4;

/** Interval between batches, in seconds. */
export const batchSeconds = 2;

/** From sending a batch to receiving each of its thumbnails, in ms. */
const timeToThumbnail = new Trend('time_to_thumbnail', true);

/** Limit of the 95th percentile, in ms. It includes the start of the first worker, which may take 15 s. */
const thumbnailMs = 20_000;

/** Extra threshold of uploads. */
export const thumbnailThreshold = { time_to_thumbnail: [`p(95)<${toThreshold(thumbnailMs)}`] };

/** Uploads one batch and waits for its thumbnails. */
export const uploadBatch = async (library: Library): Promise<void> => {
  const token = getToken(library);
  sendRequest('version', '/version');
  const photos = [];
  while (photos.length < batchSize) photos.push(await makePhoto());
  const begunAt = Date.now();
  for (const id of uploadPhotos(photos, token)) {
    const { thumbnailUrl } = waitUntilReady(id, token);
    requestFiles('thumbnail', [thumbnailUrl ?? '']);
    timeToThumbnail.add(Date.now() - begunAt);
  }
};
