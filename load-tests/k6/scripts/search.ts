import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { ask } from './shared/ask.ts';
import { commonOptions, thresholdsOf } from './shared/endpoints.ts';
import { batchSeconds, handOver, thumbnailThreshold } from './shared/handOver.ts';
import { closeLibrary, openLibrary, tokenOf, type Library } from './shared/library.ts';
import { fillLibrary } from './shared/photos.ts';
import { settings } from './shared/settings.ts';
import { summarise } from './shared/summarise.ts';

/** People who search, each in a library of so many photos. One may have two searches at a time, and eight that wait. */
const [peopleCount, photoCount] = [4, 6];

/** Searches that were answered by meaning too, which takes a model. */
const byMeaning = new Counter('searches_by_meaning');

/** Four people who search, twenty times a second together, beside a phone of a fifth that hands over four photos every two seconds: what `upload` has to keep holds all the same. */
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
    ...thresholdsOf(['version', 'search', 'upload', 'item', 'thumbnail']),
    ...thumbnailThreshold,
    searches_by_meaning: ['count>=0'],
  },
};

/** The library of whom the phone belongs to, and those that are searched. */
interface Libraries {
  readonly phone: Library;
  readonly people: readonly Library[];
}

export const setup = async (): Promise<Libraries> => {
  const people = Array.from({ length: peopleCount }, openLibrary);
  for (const { accessToken } of people) await fillLibrary(photoCount, accessToken);
  return { phone: openLibrary(), people };
};
export const teardown = ({ phone, people }: Libraries): void => {
  for (const library of [phone, ...people]) closeLibrary(library);
};
export const handleSummary = summarise('search', options);

const words = (
  'dog cat beach mountain bicycle car boat castle church bridge ' +
  'flower mushroom butterfly elephant panda pizza coffee guitar piano train load'
).split(' ');

const pickWord = (): string => words[Math.floor(Math.random() * words.length)] ?? '';

export const upload = ({ phone }: Libraries): Promise<void> => handOver(phone);

/** One search: for one to three words, and sometimes a year. */
export const search = ({ people }: Libraries): void => {
  const token = tokenOf(people[Math.floor(Math.random() * people.length)]!);
  const asked = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, pickWord);
  if (Math.random() < 0.3) asked.push(String(2015 + Math.floor(Math.random() * 10)));
  const { headers } = ask('search', `/v1/search?q=${encodeURIComponent(asked.join(' '))}`, { token });
  if (headers['X-Search-Mode'] === 'meaning') byMeaning.add(1);
};
