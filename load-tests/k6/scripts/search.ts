import { sleep } from 'k6';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { toUrl, sendRequest } from './shared/request.ts';
import { commonOptions, makeThresholds } from './shared/endpoints.ts';
import { batchSeconds, uploadBatch, thumbnailThreshold } from './shared/uploadBatch.ts';
import {
  deleteLibrary,
  signInToLibrary,
  createLibrary,
  getToken,
  type Library,
  type LibrarySession,
} from './shared/library.ts';
import { fillLibrary } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

/**
 * Number of users and photos per library, if no libraries are given. A user may run two searches at once and queue
 * eight.
 */
const [userCount, photosPerUser] = [4, 6];

/** Number of semantic searches. They need a model. */
const semanticSearches = new Counter('searches_by_meaning');

/**
 * Load profile: four users run twenty searches per second in total while a fifth user's phone uploads four photos every
 * two seconds. The thresholds of `upload` apply too.
 */
export const options: Options = {
  ...commonOptions,
  scenarios: {
    search: {
      executor: 'constant-arrival-rate',
      exec: 'search',
      rate: settings.rate(20),
      timeUnit: '1s',
      duration: `${settings.seconds(60)}s`,
      preAllocatedVUs: 60,
    },
    upload: {
      executor: 'constant-arrival-rate',
      exec: 'upload',
      rate: 1,
      timeUnit: `${batchSeconds}s`,
      duration: `${settings.seconds(60)}s`,
      preAllocatedVUs: 40,
      gracefulStop: '180s',
    },
  },
  setupTimeout: '300s',
  thresholds: {
    ...makeThresholds(['version', 'search', 'upload', 'item', 'thumbnail']),
    ...thumbnailThreshold,
    ...(settings.searched.length > 0 && { searches_by_meaning: ['count>0'] }),
  },
};

/** The phone's library, the searched libraries, and those created for the run. */
interface Libraries {
  readonly phone: Library;
  readonly searched: readonly LibrarySession[];
  readonly created: readonly Library[];
}

export const setup = async (): Promise<Libraries> => {
  const phone = createLibrary();
  const searched = settings.searched.map(signInToLibrary);
  if (searched[0] !== undefined) {
    waitForSemanticSearch(searched[0]);
    return { phone, searched, created: [phone] };
  }
  const newLibraries = Array.from({ length: userCount }, createLibrary);
  for (const { accessToken } of newLibraries) await fillLibrary(photosPerUser, accessToken);
  return { phone, searched: newLibraries, created: [phone, ...newLibraries] };
};
export const teardown = ({ created }: Libraries): void => {
  for (const library of created) deleteLibrary(library);
};
export const handleSummary = summarise('search', options);

const words = (
  'dog cat beach mountain bicycle car boat castle church bridge ' +
  'flower mushroom butterfly elephant panda pizza coffee guitar piano train load'
).split(' ');

/** Time for a model to load, in ms. */
const timeoutMs = 60_000;

/** Waits until searches use embeddings. @throws after `timeoutMs` */
const waitForSemanticSearch = ({ accessToken }: LibrarySession): void => {
  const params = { tags: { name: 'first search' }, headers: { Authorization: `Bearer ${accessToken}` } };
  let mode: string | undefined;
  for (const begunAt = Date.now(); Date.now() - begunAt < timeoutMs; sleep(0.5)) {
    mode = http.get(toUrl('/v1/search?q=dog'), params).headers['X-Search-Mode'];
    if (mode === 'meaning') return;
  }
  throw new Error(`semantic search not ready after ${timeoutMs / 1_000} s (last X-Search-Mode: ${mode})`);
};

const pickWord = (): string => words[Math.floor(Math.random() * words.length)] ?? '';

export const upload = ({ phone }: Libraries): Promise<void> => uploadBatch(phone);

/** Runs one search for one to three words and sometimes a year. */
export const search = ({ searched }: Libraries): void => {
  const token = getToken(searched[Math.floor(Math.random() * searched.length)]!);
  const terms = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, pickWord);
  if (Math.random() < 0.3) terms.push(String(2015 + Math.floor(Math.random() * 10)));
  const { headers } = sendRequest('search', `/v1/search?q=${encodeURIComponent(terms.join(' '))}`, { token });
  if (headers['X-Search-Mode'] === 'meaning') semanticSearches.add(1);
};
