import type { Options } from 'k6/options';
import { ask, askForFiles, askForJson } from './shared/ask.ts';
import { commonOptions, thresholdsOf } from './shared/endpoints.ts';
import { closeLibrary, openLibrary, tokenOf, type Library } from './shared/library.ts';
import { takePhoto, untilReady, uploadPhotos, type Item } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

/** Load profile: once a second a user uploads a photo, views it and browses. It checks that everything works at all. */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    smoke: {
      executor: 'constant-arrival-rate',
      exec: 'lookAround',
      rate: settings.rate(1),
      timeUnit: '1s',
      duration: `${settings.seconds(10)}s`,
      preAllocatedVUs: 20,
      gracefulStop: '180s',
    },
  },
  thresholds: thresholdsOf(['version', 'upload', 'item', 'page', 'timeline', 'search', 'thumbnail', 'preview']),
};

export const setup = openLibrary;
export const teardown = closeLibrary;
export const handleSummary = summarise('smoke', options);

export const lookAround = async (library: Library): Promise<void> => {
  const token = tokenOf(library);
  ask('version', '/version');
  for (const id of uploadPhotos([await takePhoto()], token)) {
    const { thumbnailUrl, previewUrl } = untilReady(id, token);
    askForFiles('thumbnail', [thumbnailUrl ?? '']);
    askForFiles('preview', [previewUrl ?? '']);
  }
  ask('timeline', '/v1/timeline?by=section', { token });
  askForJson<Item[]>('page', '/v1/mediaItems', { token });
  ask('search', '/v1/search?q=load', { token });
};
