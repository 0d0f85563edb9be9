import type { Generated, Selectable } from 'kysely';
import type { ComponentName, JobStatus } from '@hearth/contract/vocabulary.ts';

/** The table of jobs, as the numbered migrations leave it. */
export interface JobTable {
  id: string;
  user_id: string;
  components: ComponentName[];
  status: Generated<JobStatus>;
  end_media_item_id: string | null;
  last_media_item_id: string | null;
  opened_to: string | null;
  total: number;
  done: Generated<number>;
  failed: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type JobRow = Selectable<JobTable>;
