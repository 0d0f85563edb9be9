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
interface Judgement {
  /** Labels of the vocabulary that must be found. */
  readonly expected: readonly string[];
  /** Further labels that are correct. */
  readonly alsoRight: readonly string[];
}

const judgements = JSON.parse(readFileSync(join(import.meta.dirname, 'seenThings.json'), 'utf8')) as Readonly<
  Record<string, Judgement>
>;

/** Longer sides in pixels, as CLASSIFICATION requests them. */
const sides = [640, 416] as const;

const sessions = await openSessions(testSettings);

interface Looked {
  readonly path: string;
  readonly nouns: ReadonlyMap<string, Evidence>;
  readonly ms: number;
}

const look = async (path: string, picture: string | Buffer): Promise<Looked> => {
  // At most the size of a preview, as the decoder reads it.
  const sizes = await Promise.all(sides.map((side) => readTestPixels(picture, side)));
  const before = process.cpuUsage();
  const labels: Labels = await tasks.labels(sessions, sizes);
  const { user, system } = process.cpuUsage(before);
  return { path, nouns: scoreNouns(labels), ms: (user + system) / 1_000 };
};

const lookAtAll = async (variant?: VariantName): Promise<Looked[]> => {
  const looked: Looked[] = [];
  for (const path of Object.keys(judgements)) {
    const file = mediaPath(path);
    looked.push(await look(path, variant === undefined ? file : await makeVariant(file, variant)));
  }
  return looked;
};

/** Computes precision and recall of the labels. */
const judge = (looked: readonly Looked[], thresholds: ThingThresholds | undefined) => {
  const wrong: string[] = [];
  const missed: string[] = [];
  let [told, expected] = [0, 0];
  for (const { path, nouns } of looked) {
    const judgement = judgements[path]!;
    const names = [...nouns].filter(([, evidence]) => isConfident(evidence, thresholds)).map(([name]) => name);
    const right = new Set([...judgement.expected, ...judgement.alsoRight]);
    told += names.length;
    expected += judgement.expected.length;
    wrong.push(...names.filter((name) => !right.has(name)).map((name) => `${name} in ${path}`));
    missed.push(...judgement.expected.filter((name) => !names.includes(name)).map((name) => `${name} in ${path}`));
  }
  return { told, expected, precision: 1 - wrong.length / told, recall: 1 - missed.length / expected, wrong, missed };
};

const isImageNet = ({ path }: Looked): boolean => path.startsWith('things-imagenet/');
/** Judges the photos and the ImageNet set separately. */
const judgeBoth = (looked: readonly Looked[], thresholds?: ThingThresholds) => ({
  photos: judge(
    looked.filter((each) => !isImageNet(each)),
    thresholds,
  ),
  imageNet: judge(looked.filter(isImageNet), thresholds),
});

// Warm-up: the first picture waits for the models to load.
await look('', mediaPath(Object.keys(judgements)[0]!));
const originals = await lookAtAll();
const variants: Record<string, ReturnType<typeof judgeBoth>> = {};
for (const name of variantNames) variants[name] = judgeBoth(await lookAtAll(name));

/** Each model alone at several thresholds, then both with other thresholds for agreement. */
const byThreshold = [0.5, 0.6, 0.7, 0.8, 0.9].flatMap((threshold) => [
  { model: 'scene', threshold, ...judgeBoth(originals, { scene: threshold, object: Infinity, both: Infinity }) },
  { model: 'object', threshold, ...judgeBoth(originals, { scene: Infinity, object: threshold, both: Infinity }) },
]);
const { scene, object } = thingThresholds;
const byAgreement = [0.2, 0.3, 0.4, Infinity].map((both) =>
  Object.assign(judgeBoth(originals, { scene, object, both }), { both: both === Infinity ? 'never' : both }),
);
const times = originals.map(({ ms }) => ms).toSorted((a, b) => a - b);

process.stdout.write(
  JSON.stringify({
    pictures: originals.length,
    thresholds: thingThresholds,
    chosen: judgeBoth(originals),
    byThreshold,
    byAgreement,
    variants,
    msMedian: times[Math.floor(times.length / 2)],
    msMost: times.at(-1),
  }),
);
