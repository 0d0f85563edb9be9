import { queryOptions } from '@tanstack/react-query';
import { callPage } from '../../api/client.ts';

/** Every place where something was taken: to put them together by country, all have to be there. */
export const allPlacesQuery = queryOptions({
  queryKey: ['places', 'all'],
  queryFn: async ({ signal }) => {
    const list = (next?: string) => callPage('GET /v1/explore/places', { query: { limit: 200 }, next, signal });
    let page = await list();
    const places = [...page.items];
    while (page.next !== undefined) {
      page = await list(page.next);
      places.push(...page.items);
    }
    return places;
  },
});
