import { useQuery } from '@tanstack/react-query';
import { callPage } from '../../api/client.ts';
import { featuresQuery } from '../../api/featuresQuery.ts';

/** Something of the library that a search may mean, with its own page. */
export interface Suggestion {
  readonly kind: 'person' | 'place' | 'thing' | 'album';
  readonly id: string;
  readonly name: string;
}

/** How many of each kind are read at once, and how many pages at most: the API finds names only by going through its lists, which are by name. */
const limit = 200;
const maxPages = 5;

/** Everything that the box can suggest; it is loaded when the box is used for the first time. */
export const useSuggestions = (isWanted: boolean): readonly Suggestion[] => {
  const { data: features } = useQuery({ ...featuresQuery, enabled: isWanted });
  const { data } = useQuery({
    queryKey: ['suggestions', features],
    enabled: isWanted && features !== undefined,
    queryFn: async ({ signal }) => {
      const query = { limit };
      const lists = await Promise.all([
        read('person', features?.people, (next) => callPage('GET /v1/explore/people', { query, next, signal })),
        read('place', features?.places, (next) => callPage('GET /v1/explore/places', { query, next, signal })),
        read('thing', features?.things, (next) => callPage('GET /v1/explore/things', { query, next, signal })),
        read('album', features?.albums, (next) => callPage('GET /v1/albums', { query, next, signal })),
      ]);
      return lists.flat();
    },
    staleTime: 60_000,
  });
  return data ?? [];
};

interface NamedPage {
  readonly items: readonly { readonly id: string; readonly name?: string | undefined }[];
  readonly next: string | undefined;
}

/** What one list suggests; a list that is switched off suggests nothing. */
const read = async (
  kind: Suggestion['kind'],
  isOn: boolean | undefined,
  list: (next: string | undefined) => Promise<NamedPage>,
): Promise<readonly Suggestion[]> => {
  if (isOn !== true) return [];
  let page = await list(undefined);
  const items = [...page.items];
  for (let pages = 1; page.next !== undefined && pages < maxPages; pages += 1) {
    page = await list(page.next);
    items.push(...page.items);
  }
  return items.flatMap(({ id, name }) => (name === undefined ? [] : [{ kind, id, name }]));
};
