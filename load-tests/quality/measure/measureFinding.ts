import { computeSimilarity } from '@hearth/core/people/faceEmbedding.ts';
import type { PortraitResult } from './portraitFaces.ts';

/** Counts found faces and false positives. */
export const measureFinding = (photos: readonly PortraitResult[]) => {
  const originals = photos.filter(({ variant }) => variant === 'original');
  const portraitsOfPeople = originals.filter(({ portrait }) => portrait.person !== undefined);
  const counted = originals.filter(({ portrait }) => portrait.name.startsWith('face-count/'));
  const variants = photos.filter(({ variant }) => variant !== 'original');
  return {
    portraits: portraitsOfPeople.length,
    portraitsWithFace: portraitsOfPeople.filter(({ faces }) => faces.length > 0).length,
    variants: variants.length,
    variantsWithFace: variants.filter(({ faces }) => faces.length > 0).length,
    counted: counted.length,
    countedRight: counted.filter(({ portrait, faces }) => {
      const [fewest, most] = portrait.faces!;
      return faces.length >= fewest && faces.length <= most;
    }).length,
    falseAlarms: counted.reduce((sum, photo) => sum + countExcess(photo), 0),
    founding: portraitsOfPeople.filter(({ faces }) => faces[0]?.isFounding === true).length,
    foundingOfVariants: variants.filter(({ faces }) => faces[0]?.isFounding === true).length,
    sharpness: getSpread(
      photos.filter(({ portrait }) => portrait.person !== undefined).flatMap(({ faces }) => faces[0]?.sharpness ?? []),
    ),
  };
};

/** Returns the number of found faces beyond the expected maximum. */
const countExcess = ({ portrait: { faces }, faces: found }: PortraitResult): number =>
  Math.max(0, found.length - faces![1]);

/**
 * Measures the similarity of face pairs of the same and of different people, and of faces to the mean of each person.
 * It shows the margin of the thresholds.
 */
export const measureLikeness = (photos: readonly PortraitResult[]) => {
  const faces = photos.flatMap(({ portrait: { person }, faces: [face] }) =>
    person === undefined || face === undefined ? [] : [{ person, embedding: face.embedding }],
  );
  const pairs = faces.flatMap((one, i) =>
    faces.slice(i + 1).map((other) => ({
      isSame: one.person === other.person,
      likeness: computeSimilarity(one.embedding, other.embedding),
    })),
  );
  const people = [...Map.groupBy(faces, ({ person }) => person)].map(([person, each]) => ({
    person,
    mean: normalise(each[0]!.embedding.map((_, i) => each.reduce((sum, { embedding }) => sum + embedding[i]!, 0))),
  }));
  const toMeans = faces.flatMap(({ person, embedding }) =>
    people.map((each) => ({ isSame: each.person === person, likeness: computeSimilarity(embedding, each.mean) })),
  );
  return { faces: getSpreads(pairs), means: getSpreads(toMeans) };
};

const getSpreads = (list: readonly { readonly isSame: boolean; readonly likeness: number }[]) => ({
  same: getSpread(list.filter(({ isSame }) => isSame).map(({ likeness }) => likeness)),
  different: getSpread(list.filter(({ isSame }) => !isSame).map(({ likeness }) => likeness)),
});

const getSpread = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => Number(sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(3));
  return { count: sorted.length, least: at(0), '1 %': at(0.01), median: at(0.5), '99 %': at(0.99), most: at(1) };
};

const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(computeSimilarity(vector, vector));
  return vector.map((value) => value / length);
};
