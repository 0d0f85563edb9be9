import { sql, type RawBuilder } from 'kysely';
import type { ComponentName, MediaItemType } from '@hearth/contract/vocabulary.ts';

/*
 * [Note: Runs of a job] A job makes only those runs due that have an outcome. Runs that an upload has made due still
 * belong to the upload. Until a run of a job has a new outcome, it names the job (`job_id`) and keeps its earlier
 * values (`earlier`). The earlier values count for the status of its item. A pause restores the earlier values of each
 * run that no worker holds, in the transaction that changes the job's state. So a worker that gets the item from the
 * queue later finds nothing due, and no other record of the job's runs is needed.
 */

/** Column values of a run that belongs to no job, because it has an outcome. */
export const noJob = { job_id: null, earlier: null } as const;

/**
 * SQL for the state that counts for an item's status: the earlier state of a run that a job has made due, until it has
 * a new outcome.
 */
export const countedState: RawBuilder<string> = sql`
  case when state in ('PENDING', 'RUNNING') then coalesce(earlier ->> 'state', state) else state end`;

/** The value of `earlier` for a run that the item needs as well: a pause then leaves the run due. */
export const earlierDue: RawBuilder<unknown> = sql`jsonb_set(run.earlier, '{state}', '"PENDING"')`;

export interface OpenedRun {
  readonly mediaItemId: string;
  readonly component: ComponentName;
  readonly type: MediaItemType;
}
