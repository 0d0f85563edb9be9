import type { Options } from 'k6/options';
import { commonOptions, makeThresholds } from './shared/endpoints.ts';
import { deleteLibrary, createLibrary, getToken, type Library } from './shared/library.ts';
import { makePhoto, uploadPhotos } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';
import { watchBurst } from './shared/watchBurst.ts';
import { canCountWorkers } from './shared/workers.ts';

/** Seconds of the ramp at each end of the burst. */
const edgeSeconds = 2;

/** Seconds at the full rate. */
const plateauSeconds = settings.seconds(20);

const burstSeconds = plateauSeconds + 2 * edgeSeconds;

/** Limit in seconds for all photos of the burst to be READY. */
const readySeconds = 300;

/** Limit in seconds for the first worker to be ready, with its image already on the node. */
const scaleUpSeconds = 15;

/** Load profile: no load, then many photos at once. Workers scale up, and down again when all is done. */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    burst: {
      executor: 'ramping-arrival-rate',
      exec: 'upload',
      timeUnit: '1s',
      startRate: 0,
      preAllocatedVUs: 80,
      gracefulStop: '120s',
      stages: [
        { target: settings.rate(5), duration: `${edgeSeconds}s` },
        { target: settings.rate(5), duration: `${plateauSeconds}s` },
        { target: 0, duration: `${edgeSeconds}s` },
      ],
    },
    // This scenario adds no load. It starts with the burst and ends when the workers are gone.
    watch: { executor: 'per-vu-iterations', exec: 'watch', vus: 1, iterations: 1, maxDuration: '20m' },
  },
  thresholds: {
    ...makeThresholds(['upload', 'page']),
    burst_ready_seconds: [`value<${readySeconds * settings.slowness}`, 'value>0'],
    ...(canCountWorkers && {
      scale_up_seconds: [`value<=${scaleUpSeconds * settings.slowness}`],
      scale_down_seconds: ['value>0'],
    }),
  },
};

export const setup = createLibrary;
export const teardown = deleteLibrary;
export const handleSummary = summarise('spike', options);

export const upload = async (library: Library): Promise<void> => {
  uploadPhotos([await makePhoto()], getToken(library));
};

export const watch = (library: Library): void => watchBurst(library, burstSeconds);
