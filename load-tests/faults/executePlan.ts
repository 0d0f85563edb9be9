import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { emptyQueue } from './database.ts';
import type { DrillPlan } from './drillPlan.ts';
import { victims, type SupervisedHearth, type Victim } from './supervisor.ts';

/** What came of a plan, filled while it is carried out. */
export interface Attack {
  /** The ids that uploads were answered with, by checksum: one each, unless something is wrong. */
  readonly answeredIds: Map<string, Set<string>>;
  /** How often each was killed. */
  readonly killed: Map<Victim, number>;
}

/** Uploads in flight at the same time. */
const lanes = 4;

/** Uploads, kills and empties the queue at the moments of the plan, and resolves when every upload has been answered. */
export const executePlan = async (
  plan: DrillPlan,
  directory: string,
  hearth: SupervisedHearth,
  client: Client,
  { answeredIds, killed }: Attack,
  signal: AbortSignal,
): Promise<void> => {
  const startedAt = Date.now();
  const moment = async (atMs: number): Promise<void> =>
    sleep(Math.max(0, startedAt + atMs - Date.now()), undefined, { signal });
  const uploads = [...plan.uploads];
  const upload = async (): Promise<void> => {
    for (let next = uploads.shift(); next !== undefined; next = uploads.shift()) {
      await moment(next.atMs);
      const id = await client.upload(next.photo);
      const ids = answeredIds.get(next.photo.checksum) ?? new Set();
      answeredIds.set(next.photo.checksum, ids.add(id));
    }
  };
  const kill = async (): Promise<void> => {
    for (const { atMs, victim } of plan.kills) {
      await moment(atMs);
      const others = victims.toSorted((a, b) => (killed.get(a) ?? 0) - (killed.get(b) ?? 0));
      const found = await killOneOf(hearth, [victim, ...others], signal);
      killed.set(found, (killed.get(found) ?? 0) + 1);
    }
  };
  const empty = async (): Promise<void> => {
    for (const { atMs } of plan.empties) {
      await moment(atMs);
      // The database may be away just now.
      while (!(await emptyQueue(directory).then(yes, no))) await sleep(100, undefined, { signal });
    }
  };
  await Promise.all([...Array.from({ length: lanes }, upload), kill(), empty()]);
};

const yes = (): boolean => true;
const no = (): boolean => false;

/** Kills the first that is there; where none is, Hearth is just being started. */
const killOneOf = async (
  hearth: SupervisedHearth,
  candidates: readonly Victim[],
  signal: AbortSignal,
): Promise<Victim> => {
  for (;;) {
    for (const victim of candidates) if (await hearth.kill(victim)) return victim;
    await sleep(20, undefined, { signal });
  }
};
