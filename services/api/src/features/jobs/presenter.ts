import type { Job } from '@hearth/contract/jobs.ts';
import type { JobRow } from '@hearth/core/db/schema.ts';

/** A job as its user sees it. */
export const presentJob = ({ id, last_media_item_id: lastMediaItemId, ...job }: JobRow): Job => ({
  id,
  userId: job.user_id,
  components: job.components as Job['components'],
  status: job.status,
  ...(lastMediaItemId !== null && { lastMediaItemId }),
  progress: { total: job.total, done: job.done, failed: job.failed },
  createdAt: job.created_at.toISOString(),
  updatedAt: job.updated_at.toISOString(),
});
