import { sleep } from 'k6';
import type { Options } from 'k6/options';
import { sendRequest, requestFiles, requestJson } from './shared/request.ts';
import { commonOptions, makeThresholds } from './shared/endpoints.ts';
import { deleteLibrary, createLibrary, getToken, type Library } from './shared/library.ts';
import { fillLibrary, type Item } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

const photoCount = 24;

/**
 * Load profile: users look at the timeline and thumbnails, open a photo, page and search. The rate ramps up, stays
 * constant, and ramps down.
 */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    browse: {
      executor: 'ramping-arrival-rate',
      exec: 'visit',
      timeUnit: '1s',
      startRate: 1,
      preAllocatedVUs: 60,
      stages: [
        { target: settings.rate(3), duration: `${settings.seconds(60) / 3}s` },
        { target: settings.rate(3), duration: `${settings.seconds(60) / 3}s` },
        { target: 1, duration: `${settings.seconds(60) / 3}s` },
      ],
    },
  },
  setupTimeout: '300s',
  thresholds: makeThresholds([
    'version',
    'timeline',
    'grid',
    'page',
    'item',
    'thumbnail',
    'preview',
    'search',
    'albums',
  ]),
};

export const setup = async (): Promise<Library> => {
  const library = createLibrary();
  await fillLibrary(photoCount, library.accessToken);
  return library;
};
export const teardown = deleteLibrary;
export const handleSummary = summarise('browse', options);

export const visit = (library: Library): void => {
  const token = getToken(library);
  sendRequest('version', '/version');
  const [month] = requestJson<{ readonly date: string }[]>('timeline', '/v1/timeline?by=month', { token });
  if (month !== undefined) sendRequest('grid', `/v1/timeline/${month.date}/grid?limit=200`, { token });
  const items = requestJson<Item[]>('page', '/v1/mediaItems?limit=12', { token });
  requestFiles(
    'thumbnail',
    items.flatMap(({ thumbnailUrl }) => thumbnailUrl ?? []),
  );
  sleep(0.5);
  const chosen = items[Math.floor(Math.random() * items.length)];
  if (chosen !== undefined) {
    const { previewUrl } = requestJson<Item>('item', `/v1/mediaItems/${chosen.id}`, { token });
    requestFiles('preview', [previewUrl ?? '']);
  }
  sendRequest('page', '/v1/mediaItems?limit=12&page=2', { token });
  sendRequest('albums', '/v1/albums', { token });
  sendRequest('search', '/v1/search?q=load', { token });
};
