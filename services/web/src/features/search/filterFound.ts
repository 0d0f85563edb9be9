import type { GridItem } from '../../media/gridItem.ts';
import type { SearchAddress } from './searchAddress.ts';

/** Which of the found items are shown. */
export type Filters = Omit<SearchAddress, 'q'>;

/** Whether anything is left out. */
export const isFiltering = ({ type, favourites, year }: Filters): boolean =>
  type !== undefined || favourites !== undefined || year !== undefined;

/** The items that pass all filters, in their order. */
export const filterFound = (items: readonly GridItem[], { type, favourites, year }: Filters): readonly GridItem[] =>
  items.filter(
    (item) =>
      (type === undefined || (item.kind === 'video') === (type === 'video')) &&
      (favourites === undefined || item.favourite) &&
      (year === undefined || item.day.startsWith(`${year}-`)),
  );
