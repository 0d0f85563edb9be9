import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { makeExampleUrl, findExampleValues } from '@hearth/testkit/api/exampleRequest.ts';
import { deepPages, listIds, addQuery, type ReadCase } from './readPaths.ts';

/** Lists left out here: `readCases.ts` or `bench:meaning` measure them, or they stay short. */
const ownLists: ReadonlySet<string> = new Set<keyof typeof routes>([
  'listMediaItems',
  'listFavourites',
  'listHidden',
  'listTrash',
  'listMonthMediaItems',
  'getTimelineGrid',
  'listYearsAgo',
  'listAlbums',
  'listAlbumMediaItems',
  'listPlaces',
  'listPlaceMediaItems',
  'listThings',
  'listThingMediaItems',
  'listPeople',
  'listPersonMediaItems',
  'listMediaItemAlbums',
  'listMediaItemPlaces',
  'listMediaItemThings',
  'listMediaItemPeople',
  'searchMediaItems',
  'listDuplicates',
  'listDuplicateMediaItems',
  'listSimilarMediaItems',
  'listJobs',
  'listSessions',
]);

/**
 * Read cases for each list of the contract outside `ownLists`, with the parameters of the route's example. They read
 * the first page, and pages at 90 % if the list has a count.
 */
export const listReadCases = (Object.entries(routes) as [keyof typeof routes, Route][])
  .filter(([name, { auth, responses }]) => {
    const isList = responses[200]?.headers?.includes('Link') === true;
    return isList && auth === 'bearer' && !ownLists.has(name);
  })
  .map(([name]): ReadCase => ({
    name: `${name}: first page and pages at 90 %`,
    bound: 8,
    paths: async (reader) => {
      const values = await findExampleValues((list) => listIds(reader, addQuery(list, 'limit=1')));
      const list = makeExampleUrl(name, values);
      return [list, ...(await deepPages(reader, list))];
    },
  }));
