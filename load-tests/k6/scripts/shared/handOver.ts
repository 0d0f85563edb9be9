import { Trend } from 'k6/metrics';
import { ask, askForFiles } from './ask.ts';
import { allowed } from './endpoints.ts';
import { tokenOf, type Library } from './library.ts';
import { takePhoto, untilReady, uploadPhotos } from './photos.ts';

/** Photos uploaded in parallel. */
const batchSize = 4;

/** Interval between batches, in seconds. */
export const batchSeconds = 2;

/** From sending a batch to receiving each of its thumbnails, in ms. */
const timeToThumbnail = new Trend('time_to_thumbnail', true);

/** Limit of the 95th percentile, in ms. It includes the start of the first worker, which may take 15 s. */
const thumbnailMs = 20_000;

/** Extra threshold of uploads. */
export const thumbnailThreshold = { time_to_thumbnail: [`p(95)<${allowed(thumbnailMs)}`] };

/** Uploads one batch and waits for its thumbnails. */
export const handOver = async (library: Library): Promise<void> => {
  const token = tokenOf(library);
  ask('version', '/version');
  const photos = [];
  while (photos.length < batchSize) photos.push(await takePhoto());
  const begunAt = Date.now();
  for (const id of uploadPhotos(photos, token)) {
    const { thumbnailUrl } = untilReady(id, token);
    askForFiles('thumbnail', [thumbnailUrl ?? '']);
    timeToThumbnail.add(Date.now() - begunAt);
  }
};
