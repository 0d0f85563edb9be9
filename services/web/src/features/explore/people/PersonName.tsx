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
  const [twin, setTwin] = useState<Person>();
  const named = usePeopleByName();

  const handleCommit = async (chosen: string): Promise<void> => {
    const text = chosen.trim();
    if (text === (person.name ?? '')) return;
    // Loaded before renaming, so that it does not contain the new name. After a failed request, no merge is offered.
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

type NamedPerson = Person & { readonly name: string };

const namedPeopleQuery = queryOptions({
  queryKey: ['people', 'named'],
  queryFn: async ({ signal }) => (await callPage('GET /v1/explore/people', { query: { limit: 200 }, signal })).items,
});

const namedOf = (people: readonly Person[]): readonly NamedPerson[] =>
  people.flatMap(({ name, ...person }) => (name === undefined ? [] : [{ ...person, name }]));

/** Returns up to 200 named people; the API lists them first. `load` returns the latest ones. */
const usePeopleByName = (): {
  readonly people: readonly NamedPerson[];
  readonly load: () => Promise<readonly NamedPerson[]>;
} => {
  const client = useQueryClient();
  const { data = [] } = useQuery(namedPeopleQuery);
  return { people: namedOf(data), load: async () => namedOf(await client.fetchQuery(namedPeopleQuery)) };
};
