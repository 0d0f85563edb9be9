import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import type { Photo } from '@hearth/testkit/hearth/photos.ts';
import type { Victim } from './drillTarget.ts';

/** What a drill does. */
export interface DrillSize {
  readonly photos: number;
  readonly kills: number;
  /** How often the queue's tables are emptied. */
  readonly empties: number;
  /** Seconds for which the object store is away once, in the middle; 0 for never. */
  readonly awaySeconds: number;
}

/** What happens when; all times in milliseconds from the start of the drill. */
export interface DrillPlan {
  readonly kills: readonly { readonly atMs: number; readonly victim: Victim }[];
  readonly empties: readonly { readonly atMs: number }[];
  readonly away: { readonly atMs: number; readonly forMs: number } | undefined;
  /** Every photo, and a tenth of them twice. */
  readonly uploads: readonly { readonly atMs: number; readonly photo: Photo }[];
}

/**
 * Milliseconds between two kills. A start takes two to three seconds on two busy cores: so some kills hit what is
 * still starting, and others what has been working for a while.
 */
const gapMs = { shortest: 100, longest: 4_500 } as const;

/** Milliseconds by which an upload begins before a kill: some are hit while they come in, others while they are worked on. */
const leadMs = { shortest: 0, longest: 800 } as const;

/** Draws a plan. The victims take turns in a random order, so that each kind is killed equally often. */
export const drawPlan = (
  random: Random,
  { kills, empties, awaySeconds }: DrillSize,
  victims: readonly Victim[],
  photos: readonly Photo[],
): DrillPlan => {
  let atMs = 0;
  let turn: Victim[] = [];
  const killTimes = Array.from({ length: kills }, () => {
    atMs += random.between(gapMs.shortest, gapMs.longest);
    if (turn.length === 0) turn = random.shuffle(victims);
    return { atMs, victim: turn.pop()! };
  });
  const twice = random.shuffle(photos).slice(0, Math.ceil(photos.length / 10));
  const beforeKill = (): number =>
    kills === 0 ? 0 : Math.max(0, random.pick(killTimes).atMs - random.between(leadMs.shortest, leadMs.longest));
  return {
    kills: killTimes,
    empties: Array.from({ length: empties }, () => ({ atMs: random.between(0, atMs) })).toSorted(byTime),
    away: awaySeconds > 0 ? { atMs: atMs / 2, forMs: awaySeconds * 1_000 } : undefined,
    uploads: [...photos, ...twice].map((photo) => ({ atMs: beforeKill(), photo })).toSorted(byTime),
  };
};

const byTime = (a: { atMs: number }, b: { atMs: number }): number => a.atMs - b.atMs;
