import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeVariant, variantNames, type VariantName } from '@hearth/testkit/pictures/pictureVariants.ts';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import {
  isConfident,
  thingThresholds,
  scoreNouns,
  type Evidence,
  type ThingThresholds,
} from '@hearth/inference/labels/findThings.ts';
import type { Labels } from '@hearth/inference/labels/findLabels.ts';
import { openSessions } from '@hearth/inference/process/sessions.ts';
import { tasks } from '@hearth/inference/process/tasks.ts';
import { mediaPath, testSettings } from '@hearth/testkit/models/testModels.ts';

/*
 * node load-tests/quality/measure/measureThings.ts
 *
 * Measures the accuracy of thing labels on the test media by threshold and picture variant, and the CPU per picture on
 * one thread. Prints JSON.
 */

/** A person's labels for a picture. */
interface ExpectedThings {
  /** Labels of the vocabulary that must be found. */
  readonly expected: readonly string[];
  /** Further labels that are correct. */
  readonly alsoRight: readonly string[];
}

const expectedThings = JSON.parse(readFileSync(join(import.meta.dirname, 'seenThings.json'), 'utf8')) as Readonly<
  Record<string, ExpectedThings>
>;

/** Longer sides in pixels, as CLASSIFICATION requests them. */
const sides = [640, 416] as const;

const sessions = await openSessions(testSettings);

interface LabelledPicture {
  readonly path: string;
  readonly nouns: ReadonlyMap<string, Evidence>;
  readonly ms: number;
}

const labelPicture = async (path: string, picture: string | Buffer): Promise<LabelledPicture> => {
  // At most the size of a preview, as the decoder reads it.
  const sizes = await Promise.all(sides.map((side) => readTestPixels(picture, side)));
  const before = process.cpuUsage();
  const labels: Labels = await tasks.labels(sessions, sizes);
  const { user, system } = process.cpuUsage(before);
  return { path, nouns: scoreNouns(labels), ms: (user + system) / 1_000 };
};

const labelAll = async (variant?: VariantName): Promise<LabelledPicture[]> => {
  const labelled: LabelledPicture[] = [];
  for (const path of Object.keys(expectedThings)) {
    const file = mediaPath(path);
    labelled.push(await labelPicture(path, variant === undefined ? file : await makeVariant(file, variant)));
  }
  return labelled;
};

/** Computes precision and recall of the labels. */
const evaluate = (labelled: readonly LabelledPicture[], thresholds: ThingThresholds | undefined) => {
  const wrong: string[] = [];
  const missed: string[] = [];
  let [reported, expected] = [0, 0];
  for (const { path, nouns } of labelled) {
    const personLabels = expectedThings[path]!;
    const names = [...nouns].filter(([, evidence]) => isConfident(evidence, thresholds)).map(([name]) => name);
    const right = new Set([...personLabels.expected, ...personLabels.alsoRight]);
    reported += names.length;
    expected += personLabels.expected.length;
    wrong.push(...names.filter((name) => !right.has(name)).map((name) => `${name} in ${path}`));
    missed.push(...personLabels.expected.filter((name) => !names.includes(name)).map((name) => `${name} in ${path}`));
  }
  return {
    reported,
    expected,
    precision: 1 - wrong.length / reported,
    recall: 1 - missed.length / expected,
    wrong,
    missed,
  };
};

const isImageNet = ({ path }: LabelledPicture): boolean => path.startsWith('things-imagenet/');
/** Judges the photos and the ImageNet set separately. */
const evaluateBoth = (labelled: readonly LabelledPicture[], thresholds?: ThingThresholds) => ({
  photos: evaluate(
    labelled.filter((each) => !isImageNet(each)),
    thresholds,
  ),
  imageNet: evaluate(labelled.filter(isImageNet), thresholds),
});

// Warm-up: the first picture waits for the models to load.
await labelPicture('', mediaPath(Object.keys(expectedThings)[0]!));
const originals = await labelAll();
const variants: Record<string, ReturnType<typeof evaluateBoth>> = {};
for (const name of variantNames) variants[name] = evaluateBoth(await labelAll(name));

/** Each model alone at several thresholds, then both with other thresholds for agreement. */
const byThreshold = [0.5, 0.6, 0.7, 0.8, 0.9].flatMap((threshold) => [
  { model: 'scene', threshold, ...evaluateBoth(originals, { scene: threshold, object: Infinity, both: Infinity }) },
  { model: 'object', threshold, ...evaluateBoth(originals, { scene: Infinity, object: threshold, both: Infinity }) },
]);
const { scene, object } = thingThresholds;
const byAgreement = [0.2, 0.3, 0.4, Infinity].map((both) =>
  Object.assign(evaluateBoth(originals, { scene, object, both }), { both: both === Infinity ? 'never' : both }),
);
const times = originals.map(({ ms }) => ms).toSorted((a, b) => a - b);

process.stdout.write(
  JSON.stringify({
    pictures: originals.length,
    thresholds: thingThresholds,
    chosen: evaluateBoth(originals),
    byThreshold,
    byAgreement,
    variants,
    msMedian: times[Math.floor(times.length / 2)],
    msMost: times.at(-1),
  }),
);
