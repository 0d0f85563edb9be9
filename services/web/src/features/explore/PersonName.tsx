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
  const others = usePeopleByName().filter(({ id }) => id !== person.id);

  const handleCommit = (chosen: string): void => {
    const text = chosen.trim();
    if (text === (person.name ?? '')) return;
    rename(text === '' ? null : text);
    setTwin(others.find((other) => other.name.localeCompare(text, undefined, { sensitivity: 'base' }) === 0));
  };

  return (
    <>
      <NameField
        label={t('personName')}
        placeholder={t('personNameHint')}
        value={name}
        suggestions={others.map((other) => other.name)}
        onChange={setName}
        onCommit={handleCommit}
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
