import http from 'k6/http';
import type { Options } from 'k6/options';
import { toUrl, sendRequest, requestFiles, requestJson, describe } from './shared/request.ts';
import { commonOptions, makeThresholds } from './shared/endpoints.ts';
import { deleteLibrary, createLibrary, type Library } from './shared/library.ts';
import { fillLibrary, type Item } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

const photoCount = 12;

/**
 * Load profile: visitors of a shared album whose link was sent to many people at once. The rate ramps up, stays
 * constant, and ramps down.
 */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    share: {
      executor: 'ramping-arrival-rate',
      exec: 'visit',
      timeUnit: '1s',
      startRate: 1,
      preAllocatedVUs: 60,
      stages: [
        { target: settings.rate(5), duration: `${settings.seconds(45) / 3}s` },
        { target: settings.rate(5), duration: `${settings.seconds(45) / 3}s` },
        { target: 1, duration: `${settings.seconds(45) / 3}s` },
      ],
    },
  },
  setupTimeout: '300s',
  thresholds: makeThresholds(['version', 'sharedAlbum', 'sharedItems', 'sharedThumbnail', 'sharedPreview']),
};

interface SharedLibrary extends Library {
  readonly shareId: string;
}

/** @throws if the album cannot be created */
export const setup = async (): Promise<SharedLibrary> => {
  const library = createLibrary();
  const ids = await fillLibrary(photoCount, library.accessToken);
  const headers = { Authorization: `Bearer ${library.accessToken}`, 'Content-Type': 'application/json' };
  const post = (path: string, body: object) => {
    const response = http.post(toUrl(path), JSON.stringify(body), { headers, tags: { name: 'album' } });
    if (response.status >= 300) throw new Error(describe(response));
    return response;
  };
  const album = post('/v1/albums', { name: 'Load test', shared: true }).json() as { id: string; shareId: string };
  post(`/v1/albums/${album.id}/mediaItems`, { mediaItems: ids });
  return { ...library, shareId: album.shareId };
};
export const teardown = deleteLibrary;
export const handleSummary = summarise('share', options);

/** One visitor with a link and no account. */
export const visit = ({ shareId }: SharedLibrary): void => {
  sendRequest('version', '/version');
  sendRequest('sharedAlbum', `/v1/sharing/${shareId}`);
  const items = requestJson<Item[]>('sharedItems', `/v1/sharing/${shareId}/mediaItems`);
  requestFiles(
    'sharedThumbnail',
    items.flatMap(({ thumbnailUrl }) => thumbnailUrl ?? []),
  );
  const chosen = items[Math.floor(Math.random() * items.length)];
  requestFiles('sharedPreview', [chosen?.previewUrl ?? '']);
};
