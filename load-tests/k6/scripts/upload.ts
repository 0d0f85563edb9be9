import type { Options } from 'k6/options';
import { commonOptions, makeThresholds } from './shared/endpoints.ts';
import { batchSeconds, thumbnailThreshold } from './shared/uploadBatch.ts';
import { deleteLibrary, createLibrary } from './shared/library.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

/** Load profile: a phone uploads its photos in batches at a fixed rate, even if the previous batch is not finished. */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    upload: {
      executor: 'constant-arrival-rate',
      exec: 'upload',
      rate: settings.rate(1),
      timeUnit: `${batchSeconds}s`,
      duration: `${settings.seconds(60)}s`,
      preAllocatedVUs: 60,
      gracefulStop: '180s',
    },
  },
  thresholds: {
    ...makeThresholds(['version', 'upload', 'item', 'thumbnail']),
    ...thumbnailThreshold,
  },
};

export { uploadBatch as upload } from './shared/uploadBatch.ts';
export const setup = createLibrary;
export const teardown = deleteLibrary;
export const handleSummary = summarise('upload', options);
