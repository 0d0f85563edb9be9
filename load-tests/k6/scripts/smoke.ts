import type { Options } from 'k6/options';
import { sendRequest, requestFiles, requestJson } from './shared/request.ts';
import { commonOptions, makeThresholds } from './shared/endpoints.ts';
import { deleteLibrary, createLibrary, getToken, type Library } from './shared/library.ts';
import { makePhoto, waitUntilReady, uploadPhotos, type Item } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

/** Load profile: once a second a user uploads a photo, views it and browses. It checks that everything works. */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    smoke: {
      executor: 'constant-arrival-rate',
      exec: 'browse',
      rate: settings.rate(1),
      timeUnit: '1s',
      duration: `${settings.seconds(10)}s`,
      preAllocatedVUs: 20,
      gracefulStop: '180s',
    },
  },
  thresholds: makeThresholds(['version', 'upload', 'item', 'page', 'timeline', 'search', 'thumbnail', 'preview']),
};

export const setup = createLibrary;
export const teardown = deleteLibrary;
export const handleSummary = summarise('smoke', options);

export const browse = async (library: Library): Promise<void> => {
  const token = getToken(library);
  sendRequest('version', '/version');
  for (const id of uploadPhotos([await makePhoto()], token)) {
    const { thumbnailUrl, previewUrl } = waitUntilReady(id, token);
    requestFiles('thumbnail', [thumbnailUrl ?? '']);
    requestFiles('preview', [previewUrl ?? '']);
  }
  sendRequest('timeline', '/v1/timeline?by=section', { token });
  requestJson<Item[]>('page', '/v1/mediaItems', { token });
  sendRequest('search', '/v1/search?q=load', { token });
};
