import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Visibility } from '../connection/schema.ts';

export interface PersonTable {
  id: string;
  user_id: string;
  name: string | null;
  is_hidden: Generated<boolean>;
  sort_name: GeneratedAlways<string | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface FaceTable {
  id: string;
  media_item_id: string;
  person_id: string;
  box_left: number;
  box_top: number;
  box_width: number;
  box_height: number;
  quality: number;
  thumbnail_key: string;
  visibility: Visibility;
}

export type PersonRow = Selectable<PersonTable>;
export type FaceRow = Selectable<FaceTable>;
