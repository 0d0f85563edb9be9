import type { Person } from '@hearth/contract/people.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toasts } from '../../ui/toasts.ts';
import { NameField } from './NameField.tsx';
import { useMergePeople } from './useMergePeople.ts';
import { usePeopleByName } from './usePeopleByName.ts';
import { useUpdatePerson } from './useUpdatePerson.ts';

/**
 * The name of a person, changed in place. A name that another person has may mean that both are the same: the two stay two, and a message
 * offers to make them one.
 */
export const PersonName = ({ person }: { readonly person: Person }) => {
  const { t } = useTranslation('explore');
  const merge = useMergePeople();
  const { rename } = useUpdatePerson(person.id);
  const [name, setName] = useState(person.name ?? '');
  const others = usePeopleByName().filter(({ id }) => id !== person.id);

  const handleCommit = (chosen: string): void => {
    const text = chosen.trim();
    if (text === (person.name ?? '')) return;
    rename(text === '' ? null : text);
    const twin = others.find((other) => other.name.localeCompare(text, undefined, { sensitivity: 'base' }) === 0);
    if (twin !== undefined)
      toasts.add({
        title: t('samePerson', { name: twin.name }),
        timeout: 30_000,
        actionProps: {
          children: t('samePersonMerge'),
          onClick: () => merge.mutate({ stays: person.id, others: [twin.id] }),
        },
      });
  };

  return (
    <NameField
      label={t('personName')}
      placeholder={t('personNameHint')}
      value={name}
      suggestions={others.map((other) => other.name)}
      onChange={setName}
      onCommit={handleCommit}
    />
  );
};
