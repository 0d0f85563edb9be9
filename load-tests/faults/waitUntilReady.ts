import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@hearth/core/testing/actsLog.ts';

/** Milliseconds without any run begun or finished after which the library counts as stuck: twice the longest back-off. */
const patienceMs = 180_000;

/** Resolves when no run of any item is left to do. @throws where nothing moves any more, naming what is stuck */
export const waitUntilReady = async (query: Query): Promise<void> => {
  let last = '';
  for (let movedAt = Date.now(); ; await sleep(250)) {
    const now = await countRuns(query).catch(() => undefined);
    if (now?.undone === 0) return;
    const state = JSON.stringify(now);
    if (state !== last) movedAt = Date.now();
    last = state;
    if (Date.now() - movedAt > patienceMs) {
      throw new Error(`nothing has moved for ${patienceMs / 1_000} s:\n${await describeUndone(query)}`);
    }
  }
};

const countRuns = async (query: Query): Promise<{ undone: number; attempts: number } | undefined> => {
  const rows = await query<{ undone: number; attempts: number }>(
    `select count(*) filter (where state in ('PENDING', 'RUNNING', 'BLOCKED'))::int as undone,
      coalesce(sum(attempts), 0)::int as attempts from component_runs`,
  );
  return rows[0];
};

/** The undone runs of up to twenty items. */
const describeUndone = async (query: Query): Promise<string> => {
  const runs = await query(
    `select media_item_id, component, state, attempts, reason, lease_until, next_attempt_at, now() as now
    from component_runs where state not in ('DONE', 'FAILED', 'SKIPPED') order by media_item_id, component limit 40`,
  );
  return runs.map((row) => JSON.stringify(row)).join('\n');
};
