import { useQuery } from '@tanstack/react-query';
import { callPage } from '../../api/client.ts';

/** The people who have a name, up to 200 of them: the API lists these first. */
export const usePeopleByName = (): readonly { readonly id: string; readonly name: string }[] => {
  const { data } = useQuery({
    queryKey: ['people', 'named'],
    queryFn: async ({ signal }) => (await callPage('GET /v1/explore/people', { query: { limit: 200 }, signal })).items,
  });
  return (data ?? []).flatMap(({ id, name }) => (name === undefined ? [] : [{ id, name }]));
};
