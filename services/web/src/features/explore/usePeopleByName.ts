import type { Person } from '@hearth/contract/people.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { callPage } from '../../api/client.ts';

/** Somebody whom the user has given a name. */
type NamedPerson = Person & { readonly name: string };

const namedPeopleQuery = queryOptions({
  queryKey: ['people', 'named'],
  queryFn: async ({ signal }) => (await callPage('GET /v1/explore/people', { query: { limit: 200 }, signal })).items,
});

const namedOf = (people: readonly Person[]): readonly NamedPerson[] =>
  people.flatMap(({ name, ...person }) => (name === undefined ? [] : [{ ...person, name }]));

/** The people who have a name, up to 200 of them: the API lists these first. `load` waits for them. */
export const usePeopleByName = (): {
  readonly people: readonly NamedPerson[];
  readonly load: () => Promise<readonly NamedPerson[]>;
} => {
  const client = useQueryClient();
  const { data = [] } = useQuery(namedPeopleQuery);
  return { people: namedOf(data), load: async () => namedOf(await client.fetchQuery(namedPeopleQuery)) };
};
