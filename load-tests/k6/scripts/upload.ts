import { Trend } from 'k6/metrics';
import type { Options } from 'k6/options';
import { ask, askForFiles } from './shared/ask.ts';
import { allowed, commonOptions, thresholdsOf } from './shared/endpoints.ts';
import { closeLibrary, openLibrary, tokenOf, type Library } from './shared/library.ts';
import { takePhoto, untilReady, uploadPhotos } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

/** Photos that are sent at the same time. */
const batchSize = 4;

/** Seconds in which a batch follows the one before. */
const batchSeconds = 2;

/** From the moment when a batch is sent to the bytes of each of its thumbnails. */
const timeToThumbnail = new Trend('time_to_thumbnail', true);

/** Milliseconds in which 95 of 100 thumbnails have to be there, with the start of the first worker, which may take 15 s. */
const thumbnailMs = 20_000;

/** A phone that hands over what it has taken, a batch after another, whether the one before is done or not. */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    upload: {
      executor: 'constant-arrival-rate',
      exec: 'handOver',
      rate: settings.rate(1),
      timeUnit: `${batchSeconds}s`,
      duration: `${settings.seconds(60)}s`,
      preAllocatedVUs: 60,
      gracefulStop: '180s',
    },
  },
  thresholds: {
    ...thresholdsOf(['version', 'upload', 'item', 'thumbnail']),
    time_to_thumbnail: [`p(95)<${allowed(thumbnailMs)}`],
  },
};

export const setup = openLibrary;
export const teardown = closeLibrary;
export const handleSummary = summarise('upload', options);

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
