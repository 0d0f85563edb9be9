import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { exampleAddress, findExampleValues } from '@hearth/testkit/api/exampleRequest.ts';
import { deepPages, idsOf, withQuery, type Question } from './questionAddresses.ts';

/** Lists that `readQuestions.ts` asks by itself, and three that `bench:meaning` measures or that stay short. */
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

/** A question for every other list of the contract, by its example: its first page, and pages at 90 % where it is counted. */
export const listQuestions = (Object.entries(routes) as [keyof typeof routes, Route][])
  .filter(([name, { auth, responses }]) => {
    const isList = responses[200]?.headers?.includes('Link') === true;
    return isList && auth === 'bearer' && !ownLists.has(name);
  })
  .map(([name]): Question => ({
    name: `${name}: first page and pages at 90 %`,
    bound: 8,
    paths: async (reader) => {
      const values = await findExampleValues((list) => idsOf(reader, withQuery(list, 'limit=1')));
      const list = exampleAddress(name, values);
      return [list, ...(await deepPages(reader, list))];
    },
  }));
