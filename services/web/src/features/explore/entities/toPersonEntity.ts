import type { Person } from '@hearth/contract/people.ts';
import type { TFunction } from 'i18next';
import type { Entity } from './EntityCard.tsx';

/** A person as a card shows them; one without a name is called by a question. */
export const toPersonEntity = (person: Person, t: TFunction<'explore'>): Entity => ({
  id: person.id,
  name: person.name ?? t('personWithoutName'),
  isNameless: person.name === undefined,
  imageUrl: person.coverMediaItemFace?.thumbnail,
  to: '/people/$id',
});
