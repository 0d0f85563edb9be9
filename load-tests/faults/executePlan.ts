import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../harness/client.ts';
import { inLanes } from '../harness/lanes.ts';
import type { Drilled, Victim } from './drilled.ts';
import type { DrillPlan } from './drillPlan.ts';

/** What came of a plan, filled while it is carried out. */
export interface Attack {
  /** The ids that uploads were answered with, by checksum: one each, unless something is wrong. */
  readonly answeredIds: Map<string, Set<string>>;
  /** How often each was killed. */
  readonly killed: Map<Victim, number>;
  /** For how long the object store was seen to be away. */
  awayMs: number;
}

/** Uploads in flight at the same time. */
const lanes = 4;

/** Uploads, kills, empties the queue and takes the store away at the moments of the plan, and resolves when every upload has been answered. */
export const executePlan = async (
  plan: DrillPlan,
  drilled: Drilled,
  client: Client,
  attack: Attack,
  signal: AbortSignal,
): Promise<void> => {
  const { answeredIds, killed } = attack;
  const startedAt = Date.now();
  const moment = async (atMs: number): Promise<void> =>
    sleep(Math.max(0, startedAt + atMs - Date.now()), undefined, { signal });
  const upload = async ({ atMs, photo }: DrillPlan['uploads'][number]): Promise<void> => {
    await moment(atMs);
    const id = await client.upload(photo);
    const ids = answeredIds.get(photo.checksum) ?? new Set();
    answeredIds.set(photo.checksum, ids.add(id));
  };
  const kill = async (): Promise<void> => {
    for (const { atMs, victim } of plan.kills) {
      await moment(atMs);
      if (victim === 'worker' || victim === 'decoder') await waitForWork(drilled);
      const others = drilled.victims.toSorted((a, b) => (killed.get(a) ?? 0) - (killed.get(b) ?? 0));
      const found = await killOneOf(drilled, victim, others, signal);
      killed.set(found, (killed.get(found) ?? 0) + 1);
    }
  };
  const empty = async (): Promise<void> => {
    for (const { atMs } of plan.empties) {
      await moment(atMs);
      // What holds the queue may be away just now.
      while (!(await drilled.emptyQueue().then(yes, no))) await sleep(100, undefined, { signal });
    }
  };
  const takeAway = async (): Promise<void> => {
    if (plan.away === undefined) return;
    await moment(plan.away.atMs);
    attack.awayMs = (await drilled.takeStoreAway?.(plan.away.forMs)) ?? 0;
    killed.set('s3', (killed.get('s3') ?? 0) + 1);
  };
  await Promise.all([inLanes(lanes, plan.uploads, upload), kill(), empty(), takeAway()]);
};

const yes = (): boolean => true;
const no = (): boolean => false;

/** Milliseconds for which a kill waits for its victim to be there, and for a worker to have something in hand that is then cut off. */
const patienceMs = { victim: 4_000, work: 2_000 } as const;

const waitForWork = async ({ query }: Drilled): Promise<void> => {
  const isBusy = (): Promise<boolean> =>
    query(`select from component_runs where state = 'RUNNING' and lease_until > now() limit 1`).then(
      (rows) => rows.length > 0,
      no,
    );
  for (const until = Date.now() + patienceMs.work; Date.now() < until; await sleep(10)) if (await isBusy()) return;
};

/** Kills `victim` or, where there is none for a while, the first of `others` that is there, and answers which it was. */
const killOneOf = async (
  drilled: Drilled,
  victim: Victim,
  others: readonly Victim[],
  signal: AbortSignal,
): Promise<Victim> => {
  for (const until = Date.now() + patienceMs.victim; ; await sleep(20, undefined, { signal })) {
    const candidates = Date.now() < until ? [victim] : others;
    for (const candidate of candidates) if (await drilled.kill(candidate)) return candidate;
  }
};
