import type { Options } from 'k6/options';
import { commonOptions, thresholdsOf } from './shared/endpoints.ts';
import { batchSeconds, thumbnailThreshold } from './shared/handOver.ts';
import { closeLibrary, openLibrary } from './shared/library.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

/** Load profile: a phone uploads its photos in batches at a fixed rate, even if the previous batch is not finished. */
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
    ...thumbnailThreshold,
  },
};

export { handOver } from './shared/handOver.ts';
export const setup = openLibrary;
export const teardown = closeLibrary;
export const handleSummary = summarise('upload', options);
