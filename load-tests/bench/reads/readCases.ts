import type { TimelineCount } from '@hearth/contract/timeline.ts';
import { uniquePhotoWords } from '@hearth/testkit/libraries/fillSigns.ts';
import type { TimedResponse } from './requestOnce.ts';
import { listReadCases } from './listReadCases.ts';
import {
  request,
  deepPages,
  deepPageShare,
  listIds,
  maxPathsPerCase,
  addQuery,
  type ReadCase,
  type Reader,
} from './readPaths.ts';

/** Returns the cursor links (rel="next") of the deep pages of a list. */
const deepCursors = async (reader: Reader, list: string): Promise<string[]> => {
  const links: string[] = [];
  for (const page of await deepPages(reader, list)) {
    const next = /<([^>]+)>; rel="next"/.exec(String((await request(reader, page)).headers['link']))?.[1];
    if (next !== undefined) links.push(next);
  }
  return links;
};

const singlePath = (path: string, bound = 4): Omit<ReadCase, 'name'> => ({ bound, paths: async () => [path] });
const deepPage = (path: string): Omit<ReadCase, 'name'> => ({
  bound: 8,
  paths: async (reader) => deepPages(reader, path),
});

/** Reads one resource per entry of a list's first page. */
export const resourcePerEntry = (
  list: string,
  path: (id: string) => string,
  bound: number,
): Omit<ReadCase, 'name'> => ({
  bound,
  paths: async (reader) => (await listIds(reader, addQuery(list, `limit=${maxPathsPerCase}`))).map(path),
});

/** Reads one resource per shared album, by its share id. */
const resourcePerShare = (path: (shareId: string) => string): Omit<ReadCase, 'name'> => ({
  bound: 8,
  paths: async (reader) =>
    (
      JSON.parse((await request(reader, `${albums}?shared=true&limit=${maxPathsPerCase}`)).text) as {
        shareId: string;
      }[]
    ).map(({ shareId }) => path(shareId)),
});

/** Reads deep pages of the largest of a list's first 200 entries. */
const deepPageOfLargest = (list: string, path: (id: string) => string): Omit<ReadCase, 'name'> => ({
  bound: 8,
  paths: async (reader) => {
    let largest: { readonly path: string; readonly count: number } | undefined;
    for (const id of await listIds(reader, addQuery(list, 'limit=200'))) {
      const count = Number((await request(reader, addQuery(path(id), 'limit=1'))).headers['x-total-count']);
      if (count > (largest?.count ?? 0)) largest = { path: path(id), count };
    }
    return largest === undefined ? [] : deepPages(reader, largest.path);
  },
});

/** Returns pages of duplicate groups around 90 % of the depth. It walks the cursor links once to get there. */
const deepDuplicates = async (reader: Reader): Promise<string[]> => {
  const links = [duplicates];
  for (let link: string | undefined = `${duplicates}?limit=200`; link !== undefined;) {
    links.push(link);
    link = getNextLink(await request(reader, link));
  }
  return links
    .slice(1)
    .slice(Math.floor(deepPageShare * (links.length - 1)), -1)
    .slice(0, maxPathsPerCase)
    .map(setLimit);
};

/** Returns the items path of the largest duplicate group. The list has it last (oldest upload), so this walks all pages. */
const findLargestDuplicates = async (reader: Reader): Promise<string | undefined> => {
  let largest: { readonly id: string; readonly mediaItemsCount: number } | undefined;
  for (let link: string | undefined = `${duplicates}?limit=200`; link !== undefined;) {
    const response = await request(reader, link);
    for (const group of JSON.parse(response.text) as { id: string; mediaItemsCount: number }[])
      if (group.mediaItemsCount > (largest?.mediaItemsCount ?? 0)) largest = group;
    link = getNextLink(response);
  }
  return largest && `${duplicates}/${largest.id}/mediaItems`;
};

const getNextLink = (response: TimedResponse): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(String(response.headers['link']))?.[1];

const setLimit = (link: string): string => link.replace('limit=200', 'limit=15');

/** Returns the page after 90 % of the items of the largest group. */
const deepPageOfLargestGroup = async (reader: Reader): Promise<string[]> => {
  const list = await findLargestDuplicates(reader);
  if (list === undefined) return [];
  const total = Number((await request(reader, list)).headers['x-total-count']);
  let link: string | undefined = `${list}?limit=200`;
  for (let passed = 0; passed < deepPageShare * total && link !== undefined; passed += 200)
    link = getNextLink(await request(reader, link));
  return link === undefined ? [] : [setLimit(link)];
};

/** Returns the timeline month or day with the most items. */
const findLargest = async (reader: Reader, by: 'month' | 'day'): Promise<string> => {
  const counts = JSON.parse((await request(reader, `/v1/timeline?by=${by}`)).text) as TimelineCount[];
  return counts.toSorted((one, other) => other.count - one.count)[0]!.date;
};

const items = '/v1/mediaItems';
const [places, things, people] = ['/v1/explore/places', '/v1/explore/things', '/v1/explore/people'];
const albums = '/v1/albums';
const duplicates = '/v1/duplicates';
const itemsOfCollection = (list: string) => (id: string) => `${list}/${id}/mediaItems`;
const search = (q: string) => `/v1/search?q=${encodeURIComponent(q)}`;
const listOfItem = (what: string) => resourcePerEntry(items, (id) => `${items}/${id}/${what}`, 8);

/** Hand-written cases. */
const ownReadCases: readonly ReadCase[] = [
  { name: 'items: first page', ...singlePath(items) },
  { name: 'one item', ...resourcePerEntry(items, (id) => `${items}/${id}`, 4) },
  { name: 'items: page at 90 %', ...deepPage(items) },
  { name: 'items: page at 90 % by cursor', bound: 8, paths: (reader) => deepCursors(reader, items) },
  { name: 'items of a type: page at 90 %', ...deepPage(`${items}?type=VIDEO`) },
  { name: 'items of a category: page at 90 %', ...deepPage(`${items}?category=SCREENSHOT`) },
  { name: 'ready photos: page at 90 %', ...deepPage(`${items}?status=READY&type=PHOTO`) },
  { name: 'failed items: first page', ...singlePath(`${items}?status=FAILED`, 8) },
  { name: 'favourites: page at 90 %', ...deepPage('/v1/favourites') },
  { name: 'hidden: page at 90 %', ...deepPage('/v1/hidden') },
  { name: 'trash: page at 90 %', ...deepPage('/v1/trash') },
  { name: 'timeline by month', ...singlePath('/v1/timeline?by=month', 8) },
  { name: 'timeline by day', ...singlePath('/v1/timeline?by=day', 8) },
  { name: 'timeline by section', ...singlePath('/v1/timeline?by=section', 8) },
  {
    name: 'the fullest month: page at 90 %',
    bound: 8,
    paths: async (reader) => deepPages(reader, `/v1/timeline/${await findLargest(reader, 'month')}/mediaItems`),
  },
  {
    name: 'the fullest month: grid of the first 1,000',
    bound: 25,
    // The smallest library has only a tenth of this limit in its fullest month.
    growth: 4,
    paths: async (reader) => [`/v1/timeline/${await findLargest(reader, 'month')}/grid?limit=1000`],
  },
  {
    name: 'years ago, on the fullest day: page at 90 %',
    bound: 8,
    paths: async (reader) => {
      const monthDate = (await findLargest(reader, 'day')).slice(5).replace('-', '');
      return deepPages(reader, `/v1/yearsAgo/${monthDate}/mediaItems`);
    },
  },
  { name: 'albums: first page', ...singlePath(albums, 8) },
  { name: 'albums: page at 90 %', ...deepPage(albums) },
  { name: 'the largest album: page at 90 %', ...deepPageOfLargest(albums, itemsOfCollection(albums)) },
  { name: 'places: first page', ...singlePath(places, 8) },
  { name: 'places: page at 90 %', ...deepPage(places) },
  { name: 'one place', ...resourcePerEntry(places, (id) => `${places}/${id}`, 8) },
  { name: 'the largest place: page at 90 %', ...deepPageOfLargest(places, itemsOfCollection(places)) },
  { name: 'things: page at 90 %', ...deepPage(things) },
  { name: 'the largest thing: page at 90 %', ...deepPageOfLargest(things, itemsOfCollection(things)) },
  { name: 'people: first page', ...singlePath(people, 8) },
  { name: 'people: page at 90 %', ...deepPage(people) },
  { name: 'one person', ...resourcePerEntry(people, (id) => `${people}/${id}`, 8) },
  { name: 'the largest person: page at 90 %', ...deepPageOfLargest(people, itemsOfCollection(people)) },
  { name: 'albums of an item', ...listOfItem('albums') },
  { name: 'places of an item', ...listOfItem('places') },
  { name: 'things of an item', ...listOfItem('things') },
  { name: 'people of an item', ...listOfItem('people') },
  ...[
    'img',
    'canon 2016',
    'videos berlin 2014',
    'bayern',
    'bayren',
    'thing beach',
    'iphone berlin 2014',
    'person 11',
    'no similar result',
  ].map((q) => ({
    name: `search for ${q}`,
    bound: 25,
    mayBeEmpty: true,
    paths: async () => [search(q)],
  })),
  { name: 'search for one photo by person, place, text, thing and year', ...singlePath(search(uniquePhotoWords), 25) },
  { name: 'search for img, favourites', ...singlePath(`${search('img')}&favourite=true`, 25) },
  {
    name: 'search for photos of two years by one camera',
    ...singlePath('/v1/search?type=PHOTO&camera=canon&from=2016-01-01&to=2017-12-31', 25),
  },
  {
    name: 'search for videos of a person',
    ...resourcePerEntry(people, (id) => `/v1/search?people=${id}&type=VIDEO`, 25),
    mayBeEmpty: true,
  },
  ...['t', 'town 1', 'cit', 'canon', 'ju'].map((q) => ({
    name: `search suggestions for ${q}`,
    bound: 20,
    paths: async () => [`/v1/search/suggestions?q=${encodeURIComponent(q)}`],
  })),
  // A page shows up to 60 items, four times as many as a page of a list.
  { name: 'duplicates: first page', ...singlePath(duplicates, 25) },
  { name: 'duplicates: page at 90 %', bound: 25, paths: deepDuplicates },
  { name: 'duplicates reviewed: first page', ...singlePath(`${duplicates}?reviewed=true`, 25) },
  {
    name: 'the largest duplicates: first page',
    bound: 8,
    paths: async (reader) => [(await findLargestDuplicates(reader)) ?? duplicates],
  },
  { name: 'the largest duplicates: page at 90 %', bound: 8, paths: deepPageOfLargestGroup },
  { name: 'map of the world', ...singlePath('/v1/explore/places/map?bounds=-180,-85,180,85&zoom=2', 25) },
  { name: 'map of a town', ...singlePath('/v1/explore/places/map?bounds=13.3,52.4,13.6,52.6&zoom=13', 25) },
  { name: 'a shared album', ...resourcePerShare((id) => `/v1/sharing/${id}`) },
  { name: 'a shared album: items', ...resourcePerShare((id) => `/v1/sharing/${id}/mediaItems`) },
  { name: 'processing status', ...singlePath('/v1/processing', 8) },
  { name: 'disk', ...singlePath('/disk', 8) },
];

/** Every kind of read that may slow down with the size of a library. The bounds are the design goals. */
export const readCases: readonly ReadCase[] = [...ownReadCases, ...listReadCases];
