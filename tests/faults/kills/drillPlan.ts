import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import type { Photo } from '@hearth/testkit/hearth/photos.ts';
import type { Victim } from './drillTarget.ts';

export interface DrillSize {
  readonly photos: number;
  readonly kills: number;
  /** Number of times that the queue's tables are emptied. */
  readonly empties: number;
  /** Length of the object store outage halfway, in seconds. 0 means none. */
  readonly awaySeconds: number;
}

/** Schedule of a drill, in ms since its start. */
export interface DrillPlan {
  readonly kills: readonly { readonly atMs: number; readonly victim: Victim }[];
  readonly empties: readonly { readonly atMs: number }[];
  readonly outage: { readonly atMs: number; readonly forMs: number } | undefined;
  /** Every photo, and a tenth of them twice. */
  readonly uploads: readonly { readonly atMs: number; readonly photo: Photo }[];
}

/**
 * Interval between two kills in ms. A start takes two to three seconds on two busy cores, so some kills hit a starting
 * process and others one that has been working.
 */
const gapMs = { shortest: 100, longest: 4_500 } as const;

/** Time from an upload to the kill in ms. Some kills hit the upload, others the processing. */
const leadMs = { shortest: 0, longest: 800 } as const;

/** Draws a random plan. Victims take turns in random order, so that each kind is killed equally often. */
export const drawPlan = (
  random: Random,
  { kills, empties, awaySeconds }: DrillSize,
  victims: readonly Victim[],
  photos: readonly Photo[],
): DrillPlan => {
  let atMs = 0;
  let remaining: Victim[] = [];
  const killTimes = Array.from({ length: kills }, () => {
    atMs += random.between(gapMs.shortest, gapMs.longest);
    if (remaining.length === 0) remaining = random.shuffle(victims);
    return { atMs, victim: remaining.pop()! };
  });
  const twice = random.shuffle(photos).slice(0, Math.ceil(photos.length / 10));
  const beforeKill = (): number =>
    kills === 0 ? 0 : Math.max(0, random.pick(killTimes).atMs - random.between(leadMs.shortest, leadMs.longest));
  return {
    kills: killTimes,
    empties: Array.from({ length: empties }, () => ({ atMs: random.between(0, atMs) })).toSorted(compareTimes),
    outage: awaySeconds > 0 ? { atMs: atMs / 2, forMs: awaySeconds * 1_000 } : undefined,
    uploads: [...photos, ...twice].map((photo) => ({ atMs: beforeKill(), photo })).toSorted(compareTimes),
  };
};

const compareTimes = (a: { atMs: number }, b: { atMs: number }): number => a.atMs - b.atMs;
