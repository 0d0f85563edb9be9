import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Person } from '@hearth/contract/people.ts';
import type { TFunction } from 'i18next';
import type { Entity } from './EntityCard.tsx';
import { peopleQuery, placesQuery, thingsQuery } from './queries.ts';

export interface Entities {
  readonly entities: readonly Entity[];
  readonly total: number | undefined;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** Undefined when all are loaded. */
  readonly loadMore: (() => void) | undefined;
}

interface PagedQuery<Item> {
  readonly data:
    | { readonly pages: readonly { readonly items: readonly Item[]; readonly total: number | undefined }[] }
    | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

const toEntities = <Item>(query: PagedQuery<Item>, toEntity: (item: Item) => Entity): Entities => ({
  entities: query.data?.pages.flatMap(({ items }) => items.map(toEntity)) ?? [],
  total: query.data?.pages[0]?.total,
  isLoading: query.isPending,
  error: query.error,
  loadMore: query.hasNextPage
    ? () => {
        if (!query.isFetchingNextPage) void query.fetchNextPage();
      }
    : undefined,
});

export const usePeople = (hidden = false): Entities => {
  const { t } = useTranslation('explore');
  return toEntities(useInfiniteQuery(peopleQuery(hidden)), (person) => toPersonEntity(person, t));
};

export const usePlaces = (): Entities =>
  toEntities(useInfiniteQuery(placesQuery), (place) => ({
    id: place.id,
    name: place.name,
    imageUrl: place.coverMediaItem?.thumbnailUrl,
    to: '/places/$id',
  }));

export const useThings = (): Entities =>
  toEntities(useInfiniteQuery(thingsQuery), (thing) => ({
    id: thing.id,
    name: thing.name,
    imageUrl: thing.coverMediaItem?.thumbnailUrl,
    to: '/things/$id',
  }));

/** Converts a person to a card. An unnamed person gets a placeholder name. */
export const toPersonEntity = (person: Person, t: TFunction<'explore'>): Entity => ({
  id: person.id,
  name: person.name ?? t('personWithoutName'),
  isNameless: person.name === undefined,
  imageUrl: person.coverMediaItemFace?.thumbnail,
  to: '/people/$id',
});
