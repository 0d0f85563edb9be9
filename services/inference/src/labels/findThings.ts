import type { Labels } from './findLabels.ts';
import { getObjectNoun, getSceneNoun, vocabulary } from './vocabulary.ts';

/** A thing in a picture, in everyday words. */
export interface Thing {
  /** An English noun, such as "Dog". */
  readonly name: string;
  /** English synonyms, then German words. */
  readonly synonyms: readonly string[];
  /** The combined confidence of both models, 0 to 1. */
  readonly confidence: number;
}

/** Confidence of each model in a noun, 0 to 1: the sum over its kinds for scenes, the maximum for objects. */
export interface Evidence {
  readonly scene: number;
  readonly object: number;
}

/** Minimum confidence of either model alone, and of both together. */
export type ThingThresholds = Readonly<Record<'scene' | 'object' | 'both', number>>;

/**
 * Thresholds for display. With these, about one thing in twelve is wrong on photos that are not from ImageNet
 * (2026-11); `npm run bench:quality` measures others. Each model alone makes many errors, but rarely the same ones, so
 * the threshold for both is lower.
 */
export const thingThresholds: ThingThresholds = { scene: 0.8, object: 0.8, both: 0.3 };

/** Returns the things to display for a picture, sorted by confidence. */
export const findThings = (labels: Labels): readonly Thing[] =>
  [...scoreNouns(labels)]
    .filter(([, evidence]) => isConfident(evidence))
    .map(([name, { scene, object }]) => ({
      name,
      synonyms: [...vocabulary[name]!.synonyms, ...vocabulary[name]!.german],
      confidence: 1 - (1 - scene) * (1 - object),
    }))
    .toSorted((a, b) => b.confidence - a.confidence);

/**
 * Returns the confidence in each noun. Adds up the kinds of a noun: if the model cannot decide among five breeds, it is
 * still a dog.
 */
export const scoreNouns = ({ scenes, objects }: Labels): ReadonlyMap<string, Evidence> => {
  const found = new Map<string, Evidence>();
  const evidenceByNoun = (noun: string): Evidence => found.get(noun) ?? { scene: 0, object: 0 };
  for (const { kind, probability } of scenes) {
    const noun = getSceneNoun(kind);
    if (noun === undefined) continue;
    const { scene, object } = evidenceByNoun(noun);
    found.set(noun, { scene: Math.min(1, scene + probability), object });
  }
  for (const { kind, score } of objects) {
    const noun = getObjectNoun(kind);
    if (noun === undefined) continue;
    const { scene, object } = evidenceByNoun(noun);
    found.set(noun, { scene, object: Math.max(object, Math.min(1, score)) });
  }
  return found;
};

/** Returns true if the evidence reaches a threshold. */
export const isConfident = ({ scene, object }: Evidence, thresholds = thingThresholds): boolean =>
  scene >= thresholds.scene || object >= thresholds.object || Math.min(scene, object) >= thresholds.both;
