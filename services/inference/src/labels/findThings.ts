import type { Labels } from './findLabels.ts';
import { nounOfObject, nounOfScene, vocabulary } from './vocabulary.ts';

/** A thing in a picture, for people. */
export interface Thing {
  /** An everyday English noun: "Dog". */
  readonly name: string;
  /** English ones, then German words. */
  readonly synonyms: readonly string[];
  /** How sure the models are, both together, 0 to 1. */
  readonly confidence: number;
}

/** What each model says of a noun, 0 to 1: of the scene the sum over its kinds, of objects the surest. */
export interface Evidence {
  readonly scene: number;
  readonly object: number;
}

/** What one model alone has to say, and what both of them. */
export type ThingThresholds = Readonly<Record<'scene' | 'object' | 'both', number>>;

/**
 * When a thing is told. `npm run bench:quality` measures what other thresholds would do; of these about one thing in twelve is wrong on photos that
 * are not from ImageNet (2026-11). Each model alone has to be sure. Both err often, but seldom in the same way: so where both
 * see a thing, less is enough.
 */
export const thingThresholds: ThingThresholds = { scene: 0.8, object: 0.8, both: 0.3 };

/** The things that people are told of a picture, surest first. */
export const findThings = (labels: Labels): readonly Thing[] =>
  [...weighNouns(labels)]
    .filter(([, evidence]) => isTold(evidence))
    .map(([name, { scene, object }]) => ({
      name,
      synonyms: [...vocabulary[name]!.synonyms, ...vocabulary[name]!.german],
      confidence: 1 - (1 - scene) * (1 - object),
    }))
    .toSorted((a, b) => b.confidence - a.confidence);

/** What the models say of each noun. The kinds of one noun add up: a dog of which the model knows only that it is one of five breeds is a dog. */
export const weighNouns = ({ scenes, objects }: Labels): ReadonlyMap<string, Evidence> => {
  const found = new Map<string, Evidence>();
  const evidenceOf = (noun: string): Evidence => found.get(noun) ?? { scene: 0, object: 0 };
  for (const { kind, probability } of scenes) {
    const noun = nounOfScene(kind);
    if (noun === undefined) continue;
    const { scene, object } = evidenceOf(noun);
    found.set(noun, { scene: Math.min(1, scene + probability), object });
  }
  for (const { kind, score } of objects) {
    const noun = nounOfObject(kind);
    if (noun === undefined) continue;
    const { scene, object } = evidenceOf(noun);
    found.set(noun, { scene, object: Math.max(object, Math.min(1, score)) });
  }
  return found;
};

/** Whether a thing is told by these thresholds. */
export const isTold = ({ scene, object }: Evidence, thresholds = thingThresholds): boolean =>
  scene >= thresholds.scene || object >= thresholds.object || Math.min(scene, object) >= thresholds.both;
