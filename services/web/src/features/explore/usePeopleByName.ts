import type { Person } from '@hearth/contract/people.ts';
import { useQuery } from '@tanstack/react-query';
import { callPage } from '../../api/client.ts';

/** The people who have a name, up to 200 of them: the API lists these first. */
export const usePeopleByName = (): readonly (Person & { readonly name: string })[] => {
  const { data } = useQuery({
    queryKey: ['people', 'named'],
    queryFn: async ({ signal }) => (await callPage('GET /v1/explore/people', { query: { limit: 200 }, signal })).items,
  });
  return (data ?? []).flatMap(({ name, ...person }) => (name === undefined ? [] : [{ ...person, name }]));
};
