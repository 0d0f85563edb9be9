import type { FoundMediaItem, SearchReason as PresentedReason } from '@hearth/contract/search.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { SearchReason } from './searchReasons.ts';
import type { ItemView } from '../../lists/itemView.ts';
import { presentMediaItem } from '../../lists/mediaItem.ts';

/** Adds the reasons to an item's API form. */
export const presentFound = (
  view: ItemView,
  row: MediaItemRow,
  reasons: readonly SearchReason[] = [],
): FoundMediaItem => ({ ...presentMediaItem(view, row), reasons: reasons.map(presentReason) });

const presentReason = ({ kind, words, id, value, span }: SearchReason): PresentedReason => ({
  kind,
  words: [...words],
  ...(id !== undefined && { id }),
  ...(value !== undefined && { value }),
  ...(span !== undefined && isDay(span.from) && { from: getDay(span.from) }),
  ...(span !== undefined && isDay(span.until) && { to: dayBefore(span.until) }),
});

const dayLength = 'yyyy-mm-dd'.length;

/** Returns false for an open end. */
const isDay = (time: string): boolean => !time.endsWith('infinity');

const getDay = (time: string): string => time.slice(0, dayLength);

/** Returns the last day of a span, which ends at midnight. */
const dayBefore = (midnight: string): string => getDay(new Date(Date.parse(`${midnight}Z`) - 86_400_000).toISOString());
