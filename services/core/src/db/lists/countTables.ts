import type { GeneratedAlways } from 'kysely';
import type { MediaItemCategory, MediaItemStatus, MediaItemType } from '@hearth/contract/vocabulary.ts';
import type { Visibility } from '../connection/schema.ts';

interface CountColumns {
  user_id: string;
  list_id: string;
  visibility: Visibility;
  type: MediaItemType | null;
  category: MediaItemCategory | null;
  status: MediaItemStatus | null;
  is_favourite: boolean | null;
  n: number;
}

export interface CountTable extends CountColumns {
  month: string;
  days: number[] | null;
}

export interface CountDeltaTable extends CountColumns {
  id: GeneratedAlways<number>;
  day: string;
}
