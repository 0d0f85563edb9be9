import type { Person } from '@hearth/contract/people.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NameField } from './NameField.tsx';
import { SamePersonDialog } from './SamePersonDialog.tsx';
import { toPersonEntity } from '../entities/useEntities.ts';
import { useUpdatePerson } from './useUpdatePerson.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { callPage } from '../../../lib/api/client.ts';

/**
 * The name of a person, changed in place. A name that another person has may mean that both are the same: the two stay two until somebody who has
 * seen both faces says so.
 */
export const PersonName = ({ person }: { readonly person: Person }) => {
  const { t } = useTranslation('explore');
  const { rename } = useUpdatePerson(person.id);
  const [name, setName] = useState(person.name ?? '');
  const [twin, setTwin] = useState<Person>();
  const named = usePeopleByName();

  const handleCommit = async (chosen: string): Promise<void> => {
    const text = chosen.trim();
    if (text === (person.name ?? '')) return;
    // Before the new name is among them. Without an answer nobody is asked.
    const people = await named.load().catch(() => []);
    rename(text === '' ? null : text);
    const isCalledSo = (name: string): boolean => name.localeCompare(text, undefined, { sensitivity: 'base' }) === 0;
    setTwin(people.find(({ id, name: other }) => id !== person.id && isCalledSo(other)));
  };

  return (
    <>
      <NameField
        label={t('personName')}
        placeholder={t('personNameHint')}
        value={name}
        suggestions={named.people.flatMap((other) => (other.id === person.id ? [] : other.name))}
        onChange={setName}
        onCommit={(chosen) => void handleCommit(chosen)}
      />
      {twin !== undefined && (
        <SamePersonDialog
          dropped={toPersonEntity(twin, t)}
          target={toPersonEntity({ ...person, name: name.trim() }, t)}
          onClose={() => setTwin(undefined)}
        />
      )}
    </>
  );
};

/** Somebody whom the user has given a name. */
type NamedPerson = Person & { readonly name: string };

const namedPeopleQuery = queryOptions({
  queryKey: ['people', 'named'],
  queryFn: async ({ signal }) => (await callPage('GET /v1/explore/people', { query: { limit: 200 }, signal })).items,
});

const namedOf = (people: readonly Person[]): readonly NamedPerson[] =>
  people.flatMap(({ name, ...person }) => (name === undefined ? [] : [{ ...person, name }]));

/** The people who have a name, up to 200 of them: the API lists these first. `load` waits for them. */
const usePeopleByName = (): {
  readonly people: readonly NamedPerson[];
  readonly load: () => Promise<readonly NamedPerson[]>;
} => {
  const client = useQueryClient();
  const { data = [] } = useQuery(namedPeopleQuery);
  return { people: namedOf(data), load: async () => namedOf(await client.fetchQuery(namedPeopleQuery)) };
};
