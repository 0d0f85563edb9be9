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
 * Editable name of a person. If another person has the same name, offers to merge them. They are merged only after the
 * user has confirmed it.
 */
export const PersonName = ({ person }: { readonly person: Person }) => {
  const { t } = useTranslation('explore');
  const { rename } = useUpdatePerson(person.id);
  const [name, setName] = useState(person.name ?? '');
  const [duplicate, setDuplicate] = useState<Person>();
  const namedPeople = usePeopleByName();

  const handleCommit = async (chosen: string): Promise<void> => {
    const text = chosen.trim();
    if (text === (person.name ?? '')) return;
    // Loaded before renaming, so that the list does not contain the new name. If this fails, no merge is offered.
    const people = await namedPeople.load().catch(() => []);
    rename(text === '' ? null : text);
    const hasName = (name: string): boolean => name.localeCompare(text, undefined, { sensitivity: 'base' }) === 0;
    setDuplicate(people.find(({ id, name: other }) => id !== person.id && hasName(other)));
  };

  return (
    <>
      <NameField
        label={t('personName')}
        placeholder={t('personNameHint')}
        value={name}
        suggestions={namedPeople.people.flatMap((other) => (other.id === person.id ? [] : other.name))}
        onChange={setName}
        onCommit={(chosen) => void handleCommit(chosen)}
      />
      {duplicate !== undefined && (
        <SamePersonDialog
          dropped={toPersonEntity(duplicate, t)}
          target={toPersonEntity({ ...person, name: name.trim() }, t)}
          onClose={() => setDuplicate(undefined)}
        />
      )}
    </>
  );
};

type NamedPerson = Person & { readonly name: string };

const namedPeopleQuery = queryOptions({
  queryKey: ['people', 'named'],
  queryFn: async ({ signal }) => (await callPage('GET /v1/explore/people', { query: { limit: 200 }, signal })).items,
});

const filterNamed = (people: readonly Person[]): readonly NamedPerson[] =>
  people.flatMap(({ name, ...person }) => (name === undefined ? [] : [{ ...person, name }]));

/** Returns up to 200 named people; the API lists them first. `load` returns the latest ones. */
const usePeopleByName = (): {
  readonly people: readonly NamedPerson[];
  readonly load: () => Promise<readonly NamedPerson[]>;
} => {
  const client = useQueryClient();
  const { data = [] } = useQuery(namedPeopleQuery);
  return { people: filterNamed(data), load: async () => filterNamed(await client.fetchQuery(namedPeopleQuery)) };
};
