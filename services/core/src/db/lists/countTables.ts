import type { GeneratedAlways } from 'kysely';
import type { MediaItemCategory, MediaItemStatus, MediaItemType } from '@hearth/contract/vocabulary.ts';
import type { LocalTime, Visibility } from '../connection/schema.ts';

interface CountColumns {
  user_id: string;
  visibility: Visibility;
  type: MediaItemType;
  category: MediaItemCategory;
  status: MediaItemStatus;
  is_favourite: boolean;
  n: number;
}

type Grain = 'all' | 'year' | 'month' | 'day' | 'hour';

export interface CountTable extends CountColumns {
  grain: Grain;
  bucket: LocalTime;
}

export interface CountDeltaTable extends CountColumns {
  id: GeneratedAlways<number>;
  hour: LocalTime;
}

export interface TimelineMonthTable {
  user_id: string;
  /** Its first day: `2022-04-01`. */
  month: string;
  n: number;
  /** Of the 31 days that a month has at most, the first one first. */
  days: number[];
}

export interface CollectionCountTable {
  collection_id: string;
  grain: Grain;
  bucket: LocalTime;
  n: number;
}

export interface CollectionCountDeltaTable {
  id: GeneratedAlways<number>;
  collection_id: string;
  hour: LocalTime;
  n: number;
}
