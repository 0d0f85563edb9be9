import { Trend } from 'k6/metrics';
import { ask, askForFiles } from './ask.ts';
import { allowed } from './endpoints.ts';
import { tokenOf, type Library } from './library.ts';
import { takePhoto, untilReady, uploadPhotos } from './photos.ts';

/** Photos that are sent at the same time. */
const batchSize = 4;

/** Seconds in which a batch follows the one before. */
export const batchSeconds = 2;

/** From the moment when a batch is sent to the bytes of each of its thumbnails. */
const timeToThumbnail = new Trend('time_to_thumbnail', true);

/** Milliseconds in which 95 of 100 thumbnails have to be there, with the start of the first worker, which may take 15 s. */
const thumbnailMs = 20_000;

/** What handing over has to keep besides the time of each answer. */
export const thumbnailThreshold = { time_to_thumbnail: [`p(95)<${allowed(thumbnailMs)}`] };

/** One batch, from its photos to their thumbnails. */
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
