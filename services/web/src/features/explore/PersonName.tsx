import type { Person } from '@hearth/contract/people.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NameField } from './NameField.tsx';
import { SamePersonDialog } from './SamePersonDialog.tsx';
import { toPersonEntity } from './toPersonEntity.ts';
import { usePeopleByName } from './usePeopleByName.ts';
import { useUpdatePerson } from './useUpdatePerson.ts';

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
