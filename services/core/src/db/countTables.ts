import type { GeneratedAlways } from 'kysely';
import type { MediaItemCategory, MediaItemStatus, MediaItemType } from '@hearth/contract/vocabulary.ts';
import type { LocalTime, Visibility } from './schema.ts';

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

export interface TimelineCountTable {
  user_id: string;
  grain: 'month' | 'day';
  bucket: LocalTime;
  n: number;
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
