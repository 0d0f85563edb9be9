import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@hearth/testkit/hearth/client.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import type { DrillTarget, Victim } from './drillTarget.ts';
import type { DrillPlan } from './drillPlan.ts';

/** Results of a plan, filled while it runs. */
export interface PlanResult {
  /** Ids in the upload responses by checksum. More than one per checksum is a fault. */
  readonly returnedIds: Map<string, Set<string>>;
  /** Number of kills per kind of process. */
  readonly killed: Map<Victim, number>;
  /** Length of the object store outage, in ms. */
  awayMs: number;
}

/** Number of concurrent uploads. */
const concurrency = 4;

/**
 * Runs the plan: uploads, kills, emptying the queue and the store outage. Resolves when every upload has its response.
 */
export const executePlan = async (
  plan: DrillPlan,
  target: DrillTarget,
  client: Client,
  result: PlanResult,
  signal: AbortSignal,
): Promise<void> => {
  const { returnedIds, killed } = result;
  const startedAt = Date.now();
  const waitUntil = async (atMs: number): Promise<void> =>
    sleep(Math.max(0, startedAt + atMs - Date.now()), undefined, { signal });
  const upload = async ({ atMs, photo }: DrillPlan['uploads'][number]): Promise<void> => {
    await waitUntil(atMs);
    const id = await client.upload(photo);
    const ids = returnedIds.get(photo.checksum) ?? new Set();
    returnedIds.set(photo.checksum, ids.add(id));
  };
  const kill = async (): Promise<void> => {
    for (const { atMs, victim } of plan.kills) {
      await waitUntil(atMs);
      if (victim === 'worker' || victim === 'decoder') await waitForWork(target);
      const others = target.victims.toSorted((a, b) => (killed.get(a) ?? 0) - (killed.get(b) ?? 0));
      const found = await killFirstOf(target, victim, others, signal);
      killed.set(found, (killed.get(found) ?? 0) + 1);
    }
  };
  const empty = async (): Promise<void> => {
    for (const { atMs } of plan.empties) {
      await waitUntil(atMs);
      // The queue's server may be down.
      await waitFor('the queue is emptied', () => target.emptyQueue().then(alwaysTrue, alwaysFalse), { signal });
    }
  };
  const stopStore = async (): Promise<void> => {
    if (plan.outage === undefined) return;
    await waitUntil(plan.outage.atMs);
    result.awayMs = (await target.stopStore?.(plan.outage.forMs)) ?? 0;
    killed.set('s3', (killed.get('s3') ?? 0) + 1);
  };
  await Promise.all([mapConcurrently(concurrency, plan.uploads, upload), kill(), empty(), stopStore()]);
};

const alwaysTrue = (): boolean => true;
const alwaysFalse = (): boolean => false;

/** Maximum wait of a kill, in ms: for the victim to be running, and for a worker to have an active run to interrupt. */
const timeoutMs = { victim: 4_000, work: 2_000 } as const;

/** Resolves when a worker has an active run, or after a timeout. */
const waitForWork = async ({ query }: DrillTarget): Promise<void> => {
  const statement = `select from component_runs where state = 'RUNNING' and lease_until > now() limit 1`;
  const isBusy = (): Promise<boolean> => query(statement).then((rows) => rows.length > 0, alwaysFalse);
  await waitFor('a worker is busy', isBusy, { timeoutMs: timeoutMs.work, everyMs: 10 }).catch(alwaysFalse);
};

/** Kills `victim`, or after a timeout the first running one of `others`. Returns the killed kind. */
const killFirstOf = async (
  target: DrillTarget,
  victim: Victim,
  others: readonly Victim[],
  signal: AbortSignal,
): Promise<Victim> => {
  const killFirst = (candidates: readonly Victim[], timeoutMs: number): Promise<Victim> => {
    const kill = async (): Promise<Victim | undefined> => {
      for (const candidate of candidates) if (await target.kill(candidate)) return candidate;
      return undefined;
    };
    return waitFor(`${candidates.join(' or ')} is running`, kill, { timeoutMs, everyMs: 20, signal });
  };
  return killFirst([victim], timeoutMs.victim).catch(() => killFirst(others, Infinity));
};
